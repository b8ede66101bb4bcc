"""Level by level on a device: all nodes of one word, then of two, without waiting in between.

The tree is the compiled search's (`descent`), node for node, in another order. The size of a level
stays on the device, so all levels are launched in a row and the host waits once. If a level runs
out of room, the levels above it stay valid: its parents are cut into slices, and each slice is
searched to the end before the next, so memory is bounded and nothing is lost. Masks always have 64
bits, since the walk reads rows of bits and looks at a mask only if a word fits.
Cost: one launch per word of a packing and per slice; 48 bytes per node.
Source: ours. Frontiers whose size stays on the device are known from breadth-first search on GPUs,
see Merrill, Garland and Grimshaw, Scalable GPU graph traversal (2012).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files as resources
from itertools import pairwise

import numpy as np

from wordpack.backend.base import Options
from wordpack.kernels.device.device import Argument, Device
from wordpack.kernels.device.device_buffers import Found, Frontiers
from wordpack.kernels.device.structs import DEFINES, SUM, Structs, roots, tables_of
from wordpack.kernels.search.planner import Planned
from wordpack.packing.answer import Rows

TEXTS = ("structs.c", "walk.c", "levels.c")

ALL = 2**31 - 1
"""An upper bound for slots and for the nodes of a level."""


@cache
def text() -> str:
    """Return the device's text, without a prelude and the defines."""
    folder = resources("wordpack.kernels.device")
    return "".join((folder / name).read_text(encoding="utf-8") for name in TEXTS)


@dataclass(frozen=True)
class Slice:
    """Nodes begin <= i < end of a level, and their children with low <= slot < high."""

    level: int
    begin: int
    end: int
    low: int = 0
    high: int = ALL

    def cut(self, parts: int) -> list["Slice"]:
        """Split into up to `parts` slices, by nodes, or by slots if there is only one node."""
        alone = self.end - self.begin == 1
        first, last = (self.low, self.high) if alone else (self.begin, self.end)
        parts = min(parts, last - first)
        edges = [first + (last - first) * i // parts for i in range(parts + 1)]
        pairs = pairwise(edges)
        if alone:
            return [replace(self, low=low, high=high) for low, high in pairs]
        return [replace(self, begin=begin, end=end) for begin, end in pairs]


@dataclass(frozen=True)
class Start:
    """A search's first nodes, of 0, 1, ... words, and the nodes expected below them."""

    levels: Sequence[Structs]
    expected: Sequence[float]


class Levels:
    """The levels of one search on a device."""

    def __init__(
        self,
        planned: Planned,
        device: Device,
        options: Options,
        widest: int | None,
        start: Start | None = None,
        *,
        listing: bool,
    ) -> None:
        """Compile, upload, and allocate from the remaining memory, for listing or counting.

        The search begins with the root, or with the nodes of the last level of `start`.
        """
        files = planned.files
        self.device = device
        self.picks: int = files.picks
        self._program = device.compile(text(), DEFINES | {"SPAN": device.shape.span})
        self.tables_uploaded = [device.upload(table) for table in tables_of(files)]
        if start is None:
            start = Start([roots(files)], planned.nodes.tolist())
        self._whole = Slice(len(start.levels) - 1, 0, len(start.levels[-1]), 0, ALL)
        self._slots = 64 * len(files.words)
        # row 0: each level's nodes; row 1: whether it ran out of room
        self._state = np.zeros((2, self.picks + 1), np.uint32)
        self._counts = device.upload(self._state)
        self._items = device.shape.groups * device.shape.local
        self._sums = device.empty(SUM.itemsize * self._items)
        self._totals = device.empty(SUM.itemsize * device.shape.local)
        self._frontiers = Frontiers(device, start.levels, start.expected[:-1], widest)
        listed = start.expected[-1] if listing else 0.0
        self._found = Found(device, self.picks, listed, options.max_buffer)
        self._runs = 0
        self.launched = self.grown = 0
        """How often the levels were launched for a search, and how often a buffer grew."""
        self._warm_up()

    def _warm_up(self) -> None:
        """Launch each kernel without nodes: some devices finish compiling only then."""
        for counting in (False, True):
            self._launch(Slice(0, 0, 0), counting=counting, keep=False, most=None)
        self.summed()
        self.launched = 0

    def tables(
        self, nodes: list[int], *, counting: bool, keep: bool, most: int | None = None
    ) -> Iterator[Rows]:
        """Yield all packings as non-empty tables of indices (n, picks), of at most `most` rows.

        If `counting`, yield nothing; `summed` returns the numbers. Adds the nodes of 1, 2, ...
        words to `nodes`, including dead ends if `keep`. Another call ends this one.
        """
        if counting:
            self.device.zero(self._sums)
        self._frontiers.ready()
        self._runs = mine = self._runs + 1
        stack = [self._whole]
        while stack:
            some = stack.pop()
            counts, full = self._launch(some, counting=counting, keep=keep, most=most)
            deeper = range(some.level + 1, self.picks + 1)
            over = next((level for level in deeper if full[level]), None)
            # before anything was found, the search can start again with more room
            begins = some == self._whole and over is not None and over < self.picks
            if over is not None and begins and self._frontiers.grow(over, counts[over]):
                self.grown += 1
                stack = [self._whole]
                continue
            for level in range(some.level + 1, over or self.picks + 1):
                nodes[level - 1] += counts[level]
            if over is not None:
                stack += reversed(self._rest(some, over, counts, most))
            elif not counting and counts[-1]:
                yield self._found.read(counts[-1])
                if self._runs != mine:
                    raise RuntimeError("another run of this search has taken its levels' place")

    def _rest(self, some: Slice, over: int, counts: list[int], most: int | None) -> list[Slice]:
        """Return the slices left to search after level `over` ran out of room."""
        above = over - 1
        if above > some.level:
            some = Slice(above, 0, counts[above])
        room = self._frontiers.room(over) if over < self.picks else self._rows(most)
        if over == self.picks and self._found.grow(counts[over], most):
            self.grown += 1
            if room < counts[over] <= self._rows(most):
                return [some]
        # 1.5 times as many as needed, since slices differ; those still too large are cut again
        some = replace(some, high=min(some.high, self._slots))
        return some.cut(max(2, -(-3 * counts[over] // (2 * room))))

    def _launch(
        self, some: Slice, *, counting: bool, keep: bool, most: int | None
    ) -> tuple[list[int], list[bool]]:
        """Search a slice; return each level's nodes, and whether it ran out of room."""
        self.launched += 1
        self._state[:] = 0
        self._state[0, some.level] = some.end
        self.device.write(self._counts, self._state)
        for level in range(some.level, self.picks):
            part = some if level == some.level else Slice(level, 0, ALL)
            if level + 1 < self.picks:
                self._start("expand", part, *self._next(level, keep=keep))
            elif counting:
                self._start("count", part, self._sums)
            else:
                self._start("list", part, self._found.buffer, np.uint32(self._rows(most)))
        self.device.read(self._counts, self._state)
        return self._state[0].tolist(), self._state[1].astype(bool).tolist()

    def _rows(self, most: int | None) -> int:
        """Return the room for packings, at most `most`."""
        return self._found.room if most is None else min(self._found.room, most)

    def _next(self, level: int, *, keep: bool) -> tuple[Argument, ...]:
        """Return the arguments that say where a level's children go."""
        start, room = self._frontiers.start(level + 1), self._frontiers.room(level + 1)
        return np.int32(keep), np.uint32(start), np.uint32(room)

    def _start(self, kernel: str, part: Slice, *others: Argument) -> None:
        start = self._frontiers.start(part.level)
        self._program.launch(
            kernel,
            self.device.shape.groups,
            *(*self.tables_uploaded, self._frontiers.buffer, self._counts),
            *(np.int32(self.picks + 1), np.int32(part.level), np.uint32(start)),
            *(np.uint32(part.begin), np.uint32(part.end)),
            *(np.int32(part.low), np.int32(part.high), *others),
        )

    def summed(self) -> tuple[int, int]:
        """Return the counted packings and solutions."""
        self._program.launch("total", 1, self._sums, np.int32(self._items), self._totals)
        totals = np.empty(self.device.shape.local, SUM)
        self.device.read(self._totals, totals)
        packings, low, high = (sum(totals[name].tolist()) for name in SUM.names or ())
        return packings, low + (high << 64)
