"""Filtered lists with numpy: all lists of one depth are filtered by a few array operations.

The trick is to hold many candidate lists end to end in one array, so that all pairs (word, later
word of its list) are tested at once. The pairs that share no letter are the lists of the next
depth, already in order. Lists too short for the words still to come are dropped. Pairs are
processed depth-first in segments of bounded size, so memory does not grow with the answer.
Cost: one element operation per pair that filtered_lists looks at.
Source: Brian Jones's filtered lists (2022), here as the step between CPython and a compiler.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from wordpack.backend.base import Backend, Options, Refusal, Search
from wordpack.packing.answer import Answer, Packings, gather
from wordpack.packing.problem import Problem

AFFORDABLE = 1e11
"""Estimated partial packings; numpy tests about 10 to 20 million pairs per second."""

SEGMENT = 1 << 20
"""Pairs tested at a time: a few arrays of 8 MB per depth, and few numpy calls."""

FALL = 1.5
"""With a share x of the pairs left, about x ** FALL of the time is left: early lists are longer."""

Ints = npt.NDArray[np.int32]


class FilteredArrays(Backend):
    """Brian Jones's filtered lists as array operations."""

    def probe(self) -> str:
        """Return numpy's version; it runs anywhere."""
        return f"numpy {np.__version__}"

    def accepts(self, problem: Problem, _options: Options) -> Refusal | None:
        """Refuse by cost searches that would take hours."""
        if problem.estimated_nodes > AFFORDABLE:
            return Refusal("cost", f"it would make about {problem.estimated_nodes:.0e} lists")
        return None

    def prepare(self, problem: Problem, options: Options) -> "FilteredArraysSearch":
        """Nothing to prepare: the masks are arrays already."""
        return FilteredArraysSearch(problem, options)


class FilteredArraysSearch(Search):
    """The search; `iterations` counts the passes that the loops of filtered_lists would make.

    The counts agree unless masks repeat: filtered_lists keeps a repeated mask once.
    """

    device = "cpu, 1 thread"

    def __init__(self, problem: Problem, options: Options) -> None:
        self._problem = problem
        self._count_only = options.count_only
        self._groups = [g for g, group in enumerate(problem.groups) if group.count]
        self._iterations = 0
        self._begun = 0.0

    def run(self, *, work: bool = False) -> Answer:
        """Return all packings, or with count_only their exact numbers."""
        answer = gather(self._problem, self._search(), count_only=self._count_only)
        return replace(answer, work={"iterations": self._iterations}) if work else answer

    def parts(self, max_rows: int) -> Iterator[Packings]:
        """Yield the packings segment by segment, at most `max_rows` at a time."""
        for part in self._search():
            yield from part.split(max_rows)

    def time_share(self) -> float:
        """Estimate the share of a run's time that has passed, 0 to 1."""
        return float(1 - (1 - self._begun) ** FALL)

    def _search(self) -> Iterator[Packings]:
        self._iterations = 0
        dtype = self._problem.groups[0].masks.dtype if self._problem.groups else np.uint32
        yield from self._open_group(0, np.zeros((1, 0), np.int32), np.zeros(1, dtype))

    def _open_group(
        self, g: int, picked: Ints, used: npt.NDArray[np.unsignedinteger]
    ) -> Iterator[Packings]:
        """Extend the partial packings `picked` (n, depth) from the g-th group that picks words."""
        if g == len(self._groups):
            yield Packings.from_table(self._problem, picked)
            return
        group = self._problem.groups[self._groups[g]]
        rows = max(1, SEGMENT // max(1, len(group.masks)))
        for first in range(0, len(picked), rows):
            free = (used[first : first + rows, None] & group.masks[None, :]) == 0
            items = np.nonzero(free)[1].astype(np.int32)
            lengths = np.count_nonzero(free, axis=1)
            here = picked[first : first + rows]
            yield from self._pick(g, items, lengths, here, used[first : first + rows], group.count)

    def _pick(
        self,
        g: int,
        items: Ints,
        lengths: npt.NDArray[np.int64],
        picked: Ints,
        used: npt.NDArray[np.unsignedinteger],
        need: int,
    ) -> Iterator[Packings]:
        """Pick `need` more words from lists end to end in `items`, one list per row of `picked`."""
        enough = lengths >= need
        if not enough.all():
            items = items[np.repeat(enough, lengths)]
            lengths, picked, used = lengths[enough], picked[enough], used[enough]
        if not len(items):
            return
        self._iterations += int((lengths - (need - 1)).sum())
        masks = self._problem.groups[self._groups[g]].masks[items]
        owner = np.repeat(np.arange(len(lengths)), lengths)
        if need == 1:
            longer = np.concatenate([picked[owner], items[:, None]], axis=1)
            yield from self._open_group(g + 1, longer, used[owner] | masks)
            return
        after = np.cumsum(lengths)[owner] - np.arange(1, len(items) + 1)
        heads = np.flatnonzero(after >= need - 1)
        before = np.concatenate(([0], np.cumsum(after[heads])))
        first = 0
        while first < len(heads):
            last = int(np.searchsorted(before, before[first] + SEGMENT, side="right")) - 1
            last = max(last, first + 1)
            some = heads[first:last]
            if not picked.shape[1]:
                self._begun = float(before[first] / before[-1])
            counts = after[some]
            runs = before[first:last] - before[first]
            tail = np.arange(counts.sum()) + np.repeat(some + 1 - runs, counts)
            free = (np.repeat(masks[some], counts) & masks[tail]) == 0
            yield from self._pick(
                g,
                items[tail[free]],
                np.add.reduceat(free, runs, dtype=np.int64),
                np.concatenate([picked[owner[some]], items[some, None]], axis=1),
                used[owner[some]] | masks[some],
                need - 1,
            )
            first = last
