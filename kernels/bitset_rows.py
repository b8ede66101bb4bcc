"""Bitset rows: a search planned for each problem, walked over rows of bits on all cores.

The plan's cuts and its order of branching leave a small tree (parker: 20,000 partial packings,
where the rarest letter alone meets 206,000); the walk asks for all words of a file that still
fit at once, in a few vector instructions (`descent`). A row of bits belongs to a letter, not to a
word, so rows stay small and need no bound: a bit for each letter and word (parker: 48 kB with the
padding of blocks), shared by all threads, and 40 bytes for each word. Every problem is taken: up
to some thirty groups, mixed sizes, words without letters, 1 to 64 letters. Slices of one search
are slices of one plan: make them where numpy and numba are the same.
Cost: parker a millisecond in one thread, after one and a half of planning.
Source: ours; branching on letters with some to spare is the community's (see rarest_letter).
"""

from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from wordpack.backend import Options, Refusal, Search
from wordpack.hardware import usable_cores
from wordpack.instructions import LANES
from wordpack.jit import kernel, versions
from wordpack.kernels import descent
from wordpack.kernels.explain import lines
from wordpack.kernels.files import Files
from wordpack.kernels.planner import Planned, choose, nothing_to_plan, refusal
from wordpack.kernels.trivial import TrivialSearch
from wordpack.problem import Problem
from wordpack.sharing import Integers, Tally, ThreadedSearch

DRAWN = 32
"""Draws of subtrees for each thread, about: few cost little, many leave none waiting."""

SUBTREES = 2000
"""About how many subtrees there are to share: enough for the slowest not to decide."""

ALL = 1 << 40
"""More subtrees than any search has."""

ROWS = 1 << 13
"""Packings that a thread's buffer holds; a full one is put aside."""

DRAWS = 1 << 12
"""Draws of subtrees that a thread notes before it puts its buffer aside; 2 at least."""

VISITED = 1e8
"""Estimated nodes up to which an explanation searches, to count them."""


def probe() -> str:
    """Return the compiler's versions; raise Unavailable without numba."""
    return versions()


def accepts(problem: Problem, _options: Options) -> Refusal | None:
    """Refuse what would take hours, and more groups than 64 bits can count."""
    return refusal(problem)


def prepare(problem: Problem, options: Options) -> Search:
    """Plan, file the words, compile, start the threads.

    The counters nodes_1 ... nodes_k are the partial packings of 1 ... k words.
    """
    if nothing_to_plan(problem):
        return TrivialSearch(problem, options)
    planned = choose(problem)
    if planned.plan.proves_empty:
        return TrivialSearch(problem, options)
    return BitsetRows(problem, options, planned)


def seconds(problem: Problem, options: Options) -> float:
    """Return about how long a search takes: 30 ns a node."""
    if nothing_to_plan(problem):
        return 0.0
    return 3e-8 * choose(problem).cost / (options.threads or usable_cores())


def explain(problem: Problem, letters: str, options: Options) -> list[str]:
    """Return the plan in lines, with the nodes visited where that takes seconds at most."""
    if nothing_to_plan(problem):
        return ["nothing to search"]
    planned, visited = choose(problem), None
    if planned.cost <= VISITED:
        counting = replace(options, count_only=True)
        visited = list(BitsetRows(problem, counting, planned).run(work=True).work.values())
    return list(lines(planned, letters, visited))


class BitsetRows(ThreadedSearch):
    """The search of a plan; branch i of its root is the i-th word filed."""

    def __init__(self, problem: Problem, options: Options, planned: Planned) -> None:
        files = self._files = planned.files
        names = tuple(f"nodes_{depth + 1}" for depth in range(problem.picks))
        super().__init__(problem, options, len(files.slots), names)
        many = planned.nodes >= SUBTREES
        deepest = problem.picks - 1
        self._split = min(int(np.argmax(many)) + 1 if many.any() else deepest, deepest)
        if self._split == 0:
            self._threads = 1
        subtrees = planned.nodes[self._split - 1] if self._split else 0
        # one thread alone draws all at once
        alone = self._threads == 1
        self._grain = ALL if alone else max(1, int(subtrees / (self._threads * DRAWN)))
        self._buffer = options.max_buffer or ROWS
        self._stage = self._stage_of(planned)
        self._at_work: list[_Walk] = []
        self._at_rest: list[_Walk] = []
        self._at_rest += [self._walk() for _ in range(self._threads)]

    def _walk(self) -> "_Walk":
        """Return what a thread needs: from an earlier run, or new where runs overlap."""
        with suppress(IndexError):
            return self._at_rest.pop()
        files = self._files
        files_and_shape = (
            *(files.cards, files.words),
            *(files.rows, files.least, files.first, files.last, files.costs, files.letter),
            *(files.place, files.gates, files.groups, files.strikes, files.limits.guards),
            *(files.early, self._problem.picks, self._stage, self._split, self._grain),
        )
        return _Walk(self._problem.picks, files, files_and_shape)

    def _stage_of(self, planned: Planned) -> int:
        """Return the depth at which what is used is struck from all words at once.

        Deeper blocks start from there, and strike only what was used since. It pays while all
        blocks of all nodes there are no more than the blocks of the whole search.
        """
        blocks = len(self._files.words) // LANES
        nodes = planned.nodes[: max(0, self._problem.picks - 2)]
        return int(np.count_nonzero(np.maximum.accumulate(nodes) * blocks <= planned.cost))

    def progress(self) -> float:
        """Return the share of the root's words that threads have come to, 0 to 1."""
        slot = max((int(walk.state[descent.BEGUN]) for walk in self._at_work), default=0)
        begun = int(np.searchsorted(self._files.slots, slot)) - self._branches.start
        return max(0, begun) / max(1, len(self._branches))

    def _share(self, branches: range, tally: Tally, stop: Integers) -> list[Future[None]]:
        tasks = np.zeros(1, np.int64)
        walks = [self._walk() for _ in range(self._threads)]
        for walk in walks:
            walk.begin(self._files, -self._grain, lead=walk is walks[0])
        self._at_work = walks
        return [
            self._pool.submit(self._work, branches, tally, stop, tasks, walk)
            for walk in walks
            if branches
        ]

    def _work(
        self, branches: range, tally: Tally, stop: Integers, tasks: Integers, walk: "_Walk"
    ) -> None:
        """Search until no subtree is left, putting full buffers aside."""
        files, picks = self._files, self._problem.picks
        own = self._tally(listing=tally.listing, limit=tally.limit)
        state, marks, totals, nodes = walk.state, walk.marks, walk.totals, walk.nodes
        low, high = files.slots[branches[0]], files.slots[branches[-1]] + 1
        done, size = 0, self._buffer if tally.listing else 0
        while not done and not tally.full:
            rows = np.empty((size, picks), np.int32)
            totals[:] = nodes[:] = 0
            done = walk.descend(low, high, tasks, rows, stop)
            found = int(totals[0])
            own.add(found, int(totals[1]), nodes)
            if found and tally.listing:
                # what is left of a buffer need not be kept
                rows = rows[:found].copy() if done else rows[:found]
                draws = marks[: state[descent.MARKS]].tolist() or [[0, 0]]
                ends = [start for _, start in draws[1:]] + [found]
                for (draw, start), end in zip(draws, ends, strict=True):
                    if start < end:
                        own.rows[draw, len(own.rows)] = rows[start:end]
            if not done and not found and state[descent.MARKS] < DRAWS:
                size *= 4  # all packings of two last words must have room
            if own.full:
                tally.full = True
                stop[0] = 1
        tally.merge(own)
        self._at_rest.append(walk)


class _Walk:
    """Where one thread is in the tree, and the compiled search bound to it."""

    def __init__(self, picks: int, files: Files, files_and_shape: tuple[Any, ...]) -> None:
        self.state = np.zeros(descent.CELLS, np.int64)
        self._places = np.zeros((descent.PLACES, picks), np.int64)
        self._sets = np.zeros((descent.SETS, picks), np.uint64)
        self.marks = np.empty((DRAWS, 2), np.int64)
        self.totals, self.nodes = np.zeros(2, np.int64), np.zeros(picks, np.int64)
        staged = files.words.copy()
        self.descend = kernel(descent.descend).bind(
            *(*files_and_shape, self.state, self._places, self._sets),
            *(np.ones((descent.PICKS, picks), np.int64), np.zeros((picks, LANES), np.uint64)),
            *(staged, staged.reshape(-1, LANES), self.marks, self.totals, self.nodes),
        )

    def begin(self, files: Files, mine: int, *, lead: bool) -> None:
        """Go to the root; the one that leads counts the nodes that all threads meet."""
        self.state[:] = 0
        self.state[descent.MINE], self.state[descent.LEAD] = mine, lead
        # the deeper columns are written before they are read
        self._places[:, 0], self._sets[:, 0] = 0, 0
        self._places[descent.END, 0] = files.last[0]
        self._sets[descent.LEFT, 0] = files.limits.start
