"""Share the subtrees of one depth among threads: each draws some by number and walks to them.

Every thread walks the tree above the subtrees itself, which costs less than handing subtrees over,
and searches only the numbers that it draws. Rows are stored by draw, so they end up in search
order whichever thread found them.
Cost: one walk over the upper tree per thread. Source: ours.
"""

from abc import abstractmethod
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from wordpack.backend.threaded_search import Integers, Tally, ThreadedSearch
from wordpack.compiled.instructions import LANES
from wordpack.compiled.jit import kernel
from wordpack.kernels.search import descent, open_node
from wordpack.kernels.search.buckets import Files
from wordpack.kernels.search.last_word import PICKS
from wordpack.kernels.search.planner import Planned

ROWS = 1 << 13
"""Packings in a thread's buffer; a full buffer is stored and replaced."""

DRAWS = 1 << 12
"""Draws of subtrees that a thread notes before it stores its buffer; at least 2."""

ENDLESS = 1 << 62
"""More subtrees than any search has."""


@dataclass(frozen=True)
class Range:
    """A part of the tree: which of the root's words, and which subtrees below them."""

    low: int
    high: int
    """Root words have slots low <= slot < high; all others are skipped."""
    before: int = 0
    """How many subtrees the skipped earlier words have."""
    first: int = 0
    end: int = ENDLESS
    """Subtrees first <= number < end."""


class SubtreeSearch(ThreadedSearch):
    """A planned search, or a part of one, on threads that draw subtrees."""

    def _get_ready(self, planned: Planned, split: int, grain: int, buffer: int | None) -> None:
        """Prepare the threads, which draw `grain` subtrees of `split` words at a time.

        A thread's buffer holds `buffer` rows, or ROWS if that is None.
        """
        self._files, self._split, self._grain = planned.files, split, grain
        self._buffer = buffer or ROWS
        self._stage = self._stage_of(planned)
        self._drawn = np.zeros(1, np.int64)
        self._at_work: list[_Walk] = []
        self._at_rest: list[_Walk] = []
        self._at_rest += [self._walk() for _ in range(self._threads)]

    @abstractmethod
    def _range(self, branches: range) -> Range:
        """Return the part of the tree below these branches; there is at least one."""

    def _walk(self) -> "_Walk":
        """Return a thread's tables: an earlier run's, or new ones if runs overlap."""
        with suppress(IndexError):
            return self._at_rest.pop()
        return _Walk(self._files, self._stage, self._split, self._grain)

    def _stage_of(self, planned: Planned) -> int:
        """Return the depth at which the letters used are struck from all words at once.

        Deeper blocks start from the result and strike only letters used since. This pays off as
        long as the nodes there have no more blocks than the whole search reads.
        """
        blocks = len(self._files.words) // LANES
        nodes = planned.nodes[: max(0, self._problem.picks - 2)]
        return int(np.count_nonzero(np.maximum.accumulate(nodes) * blocks <= planned.cost))

    def _share(self, branches: range, tally: Tally, stop: Integers) -> list[Future[None]]:
        if not branches:
            return []
        part, walks = self._range(branches), [self._walk() for _ in range(self._threads)]
        self._drawn = drawn = np.array([part.first], np.int64)
        for walk in walks:
            walk.begin(part.before, lead=walk is walks[0] and part.end == ENDLESS)
        self._at_work = walks
        return [self._pool.submit(self._work, part, tally, stop, drawn, walk) for walk in walks]

    def _work(
        self, part: Range, tally: Tally, stop: Integers, drawn: Integers, walk: "_Walk"
    ) -> None:
        """Search until no subtree is left, storing full buffers."""
        own = self._tally(listing=tally.listing, limit=tally.limit)
        state, marks, totals, nodes = walk.state, walk.marks, walk.totals, walk.nodes
        region = descent.Part(part.low, part.high, part.end, drawn)
        done, size = 0, self._buffer if tally.listing else 0
        while not done and not tally.full:
            rows = np.empty((size, self._problem.picks), np.int32)
            totals[:] = nodes[:] = 0
            done = walk.descend(region, rows, stop)
            found = int(totals[0])
            own.add(found, int(totals[1]), nodes)
            if found and tally.listing:
                # don't keep the unused rest of the last buffer
                rows = rows[:found].copy() if done else rows[:found]
                draws = marks[: state[descent.MARKS]].tolist() or [[0, 0]]
                ends = [start for _, start in draws[1:]] + [found]
                for (draw, start), end in zip(draws, ends, strict=True):
                    if start < end:
                        own.rows[draw, len(own.rows)] = rows[start:end]
            if not done and not found and state[descent.MARKS] < len(marks):
                size *= 4  # the packings of one node's last words must fit together
            if own.full:
                tally.full = True
                stop[0] = 1
        tally.merge(own)
        self._at_rest.append(walk)


class _Walk:
    """One thread's place in the tree, and the compiled search bound to it."""

    def __init__(self, files: Files, stage: int, split: int, grain: int) -> None:
        picks = files.picks
        self._files, self._grain = files, grain
        self.state = np.zeros(descent.CELLS, np.int64)
        self._places = np.zeros((open_node.PLACES, picks), np.int64)
        self._sets = np.zeros((open_node.SETS, picks), np.uint64)
        self.marks = np.empty((DRAWS, 2), np.int64)
        self.totals, self.nodes = np.zeros(2, np.int64), np.zeros(picks, np.int64)
        staged = files.words.copy()
        stack = open_node.Stack(
            state=self.state,
            places=self._places,
            sets=self._sets,
            picks=np.ones((PICKS, picks), np.int64),
            fit=np.zeros((picks, LANES), np.uint64),
            staged=staged,
            stage_rows=staged.reshape(-1, LANES),
            marks=self.marks,
            totals=self.totals,
            nodes=self.nodes,
            depth=picks,
            stage=stage,
            split=split,
            grain=grain,
        )
        self.descend = kernel(descent.descend).bind(files.filed, stack)

    def begin(self, before: int, *, lead: bool) -> None:
        """Start at the root; the skipped earlier words have `before` subtrees.

        The thread with `lead` counts the nodes that every thread meets.
        """
        files, state = self._files, self.state
        state[:] = 0
        state[descent.ORDINAL] = state[descent.DRAWN] = before
        state[descent.MINE] = before - self._grain
        state[descent.LEAD] = lead
        # the deeper columns are written before they are read
        self._places[:, 0], self._sets[:, 0] = 0, 0
        self._places[open_node.END, 0] = files.last[0]
        self._sets[open_node.LEFT, 0] = files.limits.start
