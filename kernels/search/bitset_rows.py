"""Bitset rows: plan the search of each problem, then walk rows of bits on all cores.

The plan's cuts and branching order leave a small tree: 20,000 partial packings for parker, against
206,000 for the rarest letter alone. A few vector instructions find all words of a block that still
fit (`descent`). A row belongs to a letter, not to a word, so rows stay small without a limit on
the number of words: one bit per letter and word (parker: 48 kB with block padding), shared by all
threads, plus 40 bytes per word. Every problem is accepted: up to about thirty groups, mixed sizes,
words without letters, 1 to 64 letters.
Cost: parker takes 1 ms in one thread, after 1.5 ms of planning.
Source: ours; branching on letters with some to spare is the community's (see rarest_letter).
"""

from dataclasses import replace

import numpy as np

from wordpack.backend.base import Backend, Options, Refusal, Search
from wordpack.backend.cutting import Slices
from wordpack.backend.threaded_search import Tally
from wordpack.compiled.jit import versions
from wordpack.compiled.threads import usable_cores
from wordpack.kernels.search import descent
from wordpack.kernels.search.explain import lines
from wordpack.kernels.search.nothing_to_search import TrivialSearch
from wordpack.kernels.search.planner import Planned, choose, nothing_to_plan, refusal
from wordpack.kernels.search.slicing import cut_tree, own_slice
from wordpack.kernels.search.work_sharing import Range, SubtreeSearch
from wordpack.packing.problem import Problem

DRAWN = 32
"""Approximate draws of subtrees per thread: fewer cost less, more keep every thread busy."""

SUBTREES = 2000
"""Approximate number of subtrees to share, enough that the slowest one doesn't set the time."""

ALL = 1 << 40
"""Draw all subtrees at once: more than there can be."""

VISITED = 1e8
"""An explanation searches and counts nodes if the estimate is at most this many."""


class BitsetRows(Backend):
    """The planned search on the processor."""

    def probe(self) -> str:
        """Return the compiler's versions; raise Unavailable without numba."""
        return versions()

    def accepts(self, problem: Problem, _options: Options) -> Refusal | None:
        """Refuse searches that would take hours and groups whose counts exceed 64 bits."""
        return refusal(problem)

    def prepare(self, problem: Problem, options: Options) -> Search:
        """Plan, file the words, compile, start the threads.

        The counters nodes_1 ... nodes_k are the partial packings of 1 ... k words.
        """
        if nothing_to_plan(problem):
            return TrivialSearch(problem, options)
        planned = choose(problem)
        if planned.plan.proves_empty:
            return TrivialSearch(problem, options)
        return WholeRows(problem, options, planned)

    def seconds(self, problem: Problem, options: Options) -> float:
        """Estimate the search time in seconds, at 30 ns per node."""
        if nothing_to_plan(problem):
            return 0.0
        return 3e-8 * choose(problem).cost / (options.threads or usable_cores())

    def explain(self, problem: Problem, letters: str, options: Options) -> list[str]:
        """Return the plan in lines, with the visited nodes if counting takes at most seconds."""
        if nothing_to_plan(problem):
            return ["nothing to search"]
        planned, visited = choose(problem), None
        if planned.cost <= VISITED:
            counting = replace(options, count_only=True)
            visited = list(WholeRows(problem, counting, planned).run(work=True).work.values())
        return list(lines(planned, letters, visited))

    def cut(self, problem: Problem, options: Options, slices: int) -> Slices:
        """Plan once and cut the search into about `slices` slices of equal cost."""
        return cut_tree(problem, options, slices)

    def prepare_slice(self, problem: Problem, options: Options, cut: Slices, i: int) -> Search:
        """Prepare slice `i` of a cut with the cut's plan; counters above the frontier are 0."""
        planned = own_slice(cut, i)
        if planned is None:
            return TrivialSearch(problem, options)
        if cut.depth == 0:
            return WholeRows(problem, options, planned)
        return SliceRows(problem, options, cut, i)


class WholeRows(SubtreeSearch):
    """A whole planned search; branch i of the root is the i-th filed word."""

    def __init__(self, problem: Problem, options: Options, planned: Planned) -> None:
        super().__init__(problem, options, range(len(planned.files.slots)), _names(problem))
        many = planned.nodes >= SUBTREES
        deepest = problem.picks - 1
        split = min(int(np.argmax(many)) + 1 if many.any() else deepest, deepest)
        if split == 0:
            self._threads = 1
        subtrees = planned.nodes[split - 1] if split else 0
        # a single thread has nobody to share with, so it draws everything at once
        alone = self._threads == 1
        grain = ALL if alone else max(1, int(subtrees / (self._threads * DRAWN)))
        self._get_ready(planned, split, grain, options.max_buffer)

    def progress(self) -> float:
        """Return the share of the root's words that threads have reached, 0 to 1."""
        slot = max((int(walk.state[descent.BEGUN]) for walk in self._at_work), default=0)
        begun = int(np.searchsorted(self._files.slots, slot)) - self._branches.start
        return max(0, begun) / max(1, len(self._branches))

    def _range(self, branches: range) -> Range:
        slots = self._files.slots
        return Range(int(slots[branches[0]]), int(slots[branches[-1]]) + 1)


class SliceRows(SubtreeSearch):
    """One slice of a cut search; its branches are nodes of the cut's frontier."""

    def __init__(self, problem: Problem, options: Options, cut: Slices, i: int) -> None:
        nodes = range(cut.bounds[i], cut.bounds[i + 1])
        super().__init__(problem, options, nodes, _names(problem))
        self._slots, self._firsts = cut.plan.slots, cut.plan.firsts
        self._depth = cut.depth
        grain = max(1, len(self._branches) // (self._threads * DRAWN))
        self._get_ready(cut.plan.planned, cut.depth, grain, options.max_buffer)

    def progress(self) -> float:
        """Return the share of the slice's nodes that threads have drawn, 0 to 1."""
        drawn = min(int(self._drawn[0]), self._branches.stop) - self._branches.start
        return max(0, drawn) / len(self._branches)

    def _range(self, branches: range) -> Range:
        one, other = np.searchsorted(self._firsts, [branches[0], branches[-1]], "right") - 1
        low, high = int(self._slots[one]), int(self._slots[other]) + 1
        return Range(low, high, int(self._firsts[one]), branches.start, branches.stop)

    def _work_of(self, tally: Tally) -> dict[str, int]:
        """Return the counters below the frontier; the cut has those down to it."""
        tally.counters[: self._depth] = 0
        return super()._work_of(tally)


def _names(problem: Problem) -> tuple[str, ...]:
    return tuple(f"nodes_{depth + 1}" for depth in range(problem.picks))
