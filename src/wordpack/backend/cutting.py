"""A search tree cut into slices, which any worker can search by itself.

A search goes depth-first over partial packings. The partial packings of one size, in search
order, are a *frontier*. Each packing lies below exactly one node of it, so disjoint ranges of the
frontier are disjoint slices of the search. A cut is made once, with its plan, and sent to workers.
"""

import hashlib
from dataclasses import dataclass
from typing import Any

MOST = 100_000
"""The most slices to ask for: a scheduler holds them all, and a cut grows with their number."""


@dataclass(frozen=True, eq=False)
class Slices:
    """The slices of a search tree; each packing is in exactly one of them."""

    plan: Any
    """What a backend's prepare_slice needs. It can be pickled, and its `tables()` yields the
    arrays that determine the search. None if there is nothing to search."""
    depth: int
    """Words picked at the frontier; 0 for one slice, which is the whole tree."""
    bounds: tuple[int, ...]
    """Slice i has the frontier's nodes bounds[i] <= node < bounds[i + 1], at least one."""
    nodes: tuple[float, ...]
    """For each slice, about how many partial packings lie below its frontier nodes."""
    packings: tuple[float, ...]
    """For each slice, about how many packings it has."""
    work: dict[str, int]
    """Exact counters of the levels down to the frontier; slices count 0 for these levels."""

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def identity(self) -> str:
        """Return a sha256 (hex) that is the same if slice i is the same part of the same search.

        It covers depth, bounds and the plan's tables, but no estimates. If there is nothing to
        search, it does not depend on the problem.
        """
        sha = hashlib.sha256(repr((self.depth, self.bounds)).encode())
        for table in self.plan.tables() if self.plan else ():
            sha.update(repr((table.dtype.str, table.shape)).encode())
            sha.update(table.tobytes())
        return sha.hexdigest()
