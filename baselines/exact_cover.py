"""Exact cover: the linked lists of items and options that Algorithm X (algorithm_x.py) searches.

Every item has a circular list of the options that cover it, and the items not yet covered are in a
list of their own. Items after the primary ones have a multiplicity and are covered once it is used
up. The search allocates nothing.
Cost: four numbers per item of each option, once per thread.
Source: Knuth, TAOCP 4B, section 7.2.2.1.
"""

from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from wordpack.backend.threaded_search import Integers
from wordpack.baselines.algorithm_x import (
    DOWN,
    FIRST,
    LEFT,
    RIGHT,
    SIZE,
    TOP,
    UP,
    Branches,
    Found,
    Options,
    search,
    widths,
)
from wordpack.compiled.jit import Uint16Table, kernel
from wordpack.packing.answer import Rows


@dataclass(frozen=True, eq=False)
class Matrix:
    """Options and the items they cover: items 0..primary-1 once, later ones by multiplicity."""

    primary: int
    multiplicity: list[int]
    """At least 1, for each item beyond the primary ones."""
    exact: int
    """How many of these, from the first, must be used up; the rest need not be."""
    option: npt.NDArray[np.int64]
    """(n,) Ascending: this option ..."""
    item: npt.NDArray[np.int64]
    """(n,) ... covers this item; ascending within the option. The first is a primary one."""
    group: npt.NDArray[np.int32]
    """Per option, the group of picks it belongs to; -1 if it is not reported."""
    index: npt.NDArray[np.int32]
    """Per option, the index to report."""
    weights: npt.NDArray[np.int64]
    """Per option, its factor in the weighted count."""


class Links:
    """The linked lists of a matrix, and the search of their second-level branches.

    `at_root` is the number of options of the root's item. `branches` is the number of options one
    level below; an option that completes a cover counts as one. Each thread has its own copy.
    """

    def __init__(self, matrix: Matrix, columns: list[int], threads: int) -> None:
        """Link the options; `columns` has each group's number of picks."""
        self._matrix = matrix
        items, nodes = _link(matrix)
        self._whole = (items, nodes, np.array(matrix.multiplicity, np.int64))
        self._columns = np.cumsum([0, *columns])[:-1].astype(np.int64)
        self.levels = min(matrix.primary, sum(columns) + sum(matrix.multiplicity[matrix.exact :]))
        self._copies: SimpleQueue[list[npt.NDArray[Any]]] = SimpleQueue()
        for _ in range(threads):
            self._copies.put(self._copy())
        below = np.zeros(len(matrix.group), np.int64)
        # 16-bit links if they suffice: more of them fit a core's cache
        narrow = {"items": Uint16Table, "nodes": Uint16Table} if nodes.dtype == np.uint16 else {}
        self.at_root = kernel(widths, **narrow)(*self._whole, matrix.primary, matrix.exact, below)
        self._starts = np.concatenate(([0], np.cumsum(below[: self.at_root])))
        self.branches = int(self._starts[-1])
        self._kernel = kernel(search, **narrow)

    def _copy(self) -> list[npt.NDArray[Any]]:
        room = max(self.levels + 1, len(self._columns))
        levels = np.zeros((4, room), np.int64)
        return [*(array.copy() for array in self._whole), levels]

    def search(
        self, first: int, last: int, rows: Rows, totals: Integers, tried: Integers, stop: Integers
    ) -> int:
        """Search branches first..last; `tried` gets the options tried from level 2 on."""
        matrix, own = self._matrix, self._copies.get()
        done = 0
        try:
            done = self._kernel(
                *(*own, matrix.primary, matrix.exact, Branches(self._starts, first, last)),
                Options(self._columns, matrix.group, matrix.index, matrix.weights),
                Found(rows, totals, tried, stop),
            )
        finally:
            if done != 1:  # the search ended midway, so restore the links
                for array, whole in zip(own, self._whole, strict=False):
                    array[...] = whole
            self._copies.put(own)
        return done


def _link(matrix: Matrix) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the tables of items and nodes, with everything linked and nothing covered."""
    n, options = matrix.primary + len(matrix.multiplicity), len(matrix.group)
    room = n + 2 + options + len(matrix.item)
    dtype = np.uint16 if room <= 1 << 16 else np.uint32
    items = np.zeros((3, n + 1), dtype)
    listed = np.arange(matrix.primary + 1)  # only primary items are on the root's list
    items[LEFT], items[RIGHT] = np.arange(n + 1), np.arange(n + 1)
    items[LEFT, listed], items[RIGHT, listed] = np.roll(listed, 1), np.roll(listed, -1)
    items[SIZE, 1:] = np.bincount(matrix.item, minlength=n)
    nodes = np.zeros((4, room), dtype)
    # the items' nodes 1..n, then each option's after its spacer, then a last spacer
    before = np.searchsorted(matrix.option, np.arange(options + 1))
    spacers = n + 1 + np.arange(options + 1) + before
    own = n + 2 + matrix.option + np.arange(len(matrix.item))
    nodes[TOP, own] = matrix.item + 1
    nodes[FIRST, own] = spacers[matrix.option] + 1
    nodes[FIRST, spacers] = np.arange(options + 1)
    # an item's circular list: its own node, then its options' in their order
    heads = np.arange(1, n + 1)
    top = np.concatenate([heads, matrix.item + 1])
    order = np.argsort(top, kind="stable")
    ring, starts = np.concatenate([heads, own])[order], np.searchsorted(top[order], heads)
    following = np.roll(ring, -1)
    following[np.roll(starts, -1) - 1] = heads
    nodes[DOWN, ring], nodes[UP, following] = following, ring
    return items, nodes
