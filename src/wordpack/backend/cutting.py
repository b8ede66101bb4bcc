"""A search tree cut into slices, which any worker can search by itself.

A search goes depth-first over partial packings. Those of one size, in the order in which it meets
them, are a *frontier*: each packing lies below exactly one of its nodes, so ranges of it are
slices of the search that share nothing. A cut is made once, with its plan, and shipped.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

MOST = 100_000
"""Slices that may be asked for: a scheduler holds them all, and a cut grows with their number."""


@dataclass(frozen=True, eq=False)
class Slices:
    """A search tree cut into slices, which together are the whole search, each packing in one."""

    plan: Any
    """What a backend's prepare_slice needs; picklable, and its `tables()` yields the arrays that
    decide what a search meets. None where there is nothing to search."""
    depth: int
    """Words picked at the frontier; 0 for one slice, which is the whole tree."""
    bounds: tuple[int, ...]
    """Slice i is the nodes bounds[i] <= node < bounds[i + 1] of the frontier, at least one."""
    nodes: tuple[float, ...]
    """Of each slice, about how many partial packings lie below its nodes of the frontier."""
    packings: tuple[float, ...]
    """Of each slice, about how many packings it has."""
    work: dict[str, int]
    """The counters, exact, of the levels down to the frontier; the slices' have 0 there."""

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def identity(self) -> str:
        """Return a sha256 (hex), the same where slice i is the same part of the same search.

        It is over depth, bounds and the plan's tables, not over estimates. Where there is nothing
        to search it says nothing of the problem.
        """
        sha = hashlib.sha256(repr((self.depth, self.bounds)).encode())
        for table in self.plan.tables() if self.plan else ():
            sha.update(repr((table.dtype.str, table.shape)).encode())
            sha.update(table.tobytes())
        return sha.hexdigest()
