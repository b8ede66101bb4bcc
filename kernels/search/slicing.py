"""Cut a planned search into slices of nearly equal cost: ranges of one of its frontiers.

First words differ widely (three of wrong-wordle's have 98 % of its tree), so the cut uses the first
frontier that has many nodes per slice and divides evenly. Random descents estimate the cost below
each of its nodes, and a slice is a run of nodes with an equal part of that cost.
Cost: 0.2 us per node down to the frontier and 1 us per descent: a few percent of a long search,
and under a second.
Source: ours, on Knuth's estimates (`probes`). Frontiers as units of work are from Cube and
Conquer, see Heule, Kullmann, Wieringa and Biere (2011).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from wordpack.backend.base import Options
from wordpack.backend.cutting import Slices
from wordpack.kernels.search.expand import AFTER, PARENT, root
from wordpack.kernels.search.frontier import Nodes, expanded
from wordpack.kernels.search.planner import Planned, planned_for
from wordpack.kernels.search.probes import estimate_below
from wordpack.packing.problem import Problem

NODES = 8
"""Least nodes of the frontier per slice, if the tree has that many."""

EVEN = 1.25
"""A cut is even if its largest slice costs at most this many times the mean, by estimate."""

FEW, MANY, EACH = 20_000, 500_000, 1024
"""A frontier may have FEW nodes, EACH per slice, or a thousandth of a long search, up to MANY."""

DESCENTS, FROM_EACH = 100_000, 32
"""Most random descents from all nodes of a frontier together, and from any one node."""

LISTED = 1.0
"""Extra cost of listing a packing; visiting a node costs 1."""


@dataclass(frozen=True, eq=False)
class SlicedPlan:
    """The plan and frontier that all slices of a search share."""

    planned: Planned
    slots: npt.NDArray[np.int64]
    """(words,): the slots of the root's words that begin a packing, ascending."""
    firsts: npt.NDArray[np.int64]
    """(words + 1,): for each word, how many frontier nodes precede its own; at the end, all."""
    depth: int

    @cached_property
    def levels(self) -> list[Nodes]:
        """All nodes of 0, 1, ... `depth` words, recomputed because they are not pickled."""
        levels = [root(self.planned.files)]
        for _ in range(self.depth):
            nodes = expanded(self.planned.files, levels[-1], MANY)
            if nodes is None:
                raise RuntimeError("a frontier has more nodes than when it was cut")
            levels.append(nodes)
        return levels

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "levels"}

    def tables(self) -> Iterator[npt.NDArray[Any]]:
        """Yield everything that decides which nodes this plan's search meets, and in what order."""
        files = self.planned.files
        yield np.array([files.picks, files.early, files.limits.start], np.uint64)
        yield files.cards[files.slots]  # a slot without a word has no card
        yield from (files.slots, files.words, files.rows, files.least, files.limits.guards)
        yield from (files.first, files.last, files.costs, files.letter, files.place)
        yield from (files.gates, files.groups, files.strikes)


def own_slice(cut: Slices, i: int) -> Planned | None:
    """Return the plan of slice `i`; None if there is nothing to search.

    Raises IndexError if there is no slice `i`.
    """
    if not 0 <= i < len(cut):
        raise IndexError(f"slice {i} of {len(cut)}")
    return None if cut.plan is None else cut.plan.planned


class _Frontier:
    """One level of a search, with the estimated cost below each of its nodes."""

    def __init__(self, planned: Planned, levels: list[Nodes], options: Options) -> None:
        nodes, depth, below = levels[-1], len(levels) - 1, planned.nodes[None]
        if depth:
            probes = min(FROM_EACH, max(1, DESCENTS // len(nodes)))
            below = estimate_below(planned.files, nodes, depth, probes)
        self.levels, self.nodes, self.packings = levels, below.sum(axis=1), below[:, -1]
        listed = 0.0 if options.count_only else LISTED
        self.cost = 1 + self.nodes + listed * self.packings

    def bounds(self, slices: int) -> list[int]:
        """Return the edges of at most `slices` non-empty runs of nodes of about equal cost."""
        ends = np.cumsum(self.cost)
        edges = ends[-1] * np.arange(1, slices) / slices
        after = np.searchsorted(ends, edges)
        # put each edge before or after that node, whichever is closer to an equal share
        nearer = ends[after] - edges < edges - (ends[after] - self.cost[after])
        return sorted({0, *(after + nearer).tolist(), len(ends)})

    def over(self, bounds: list[int], values: npt.NDArray[np.float64]) -> list[float]:
        """Return the sum of `values`, one for each node, over each run."""
        sums: list[float] = np.add.reduceat(values, bounds[:-1]).tolist()
        return sums


def cut_tree(problem: Problem, options: Options, slices: int) -> Slices:
    """Cut the search of `problem` into about `slices` slices; fewer if its tree is small.

    Their costs are equal for listing packings, or with count_only for counting them. Raises
    ValueError for fewer than one slice.
    """
    if slices < 1:
        raise ValueError("a whole search is cut into at least 1 slice")
    names = [f"nodes_{depth + 1}" for depth in range(problem.picks)]
    planned = planned_for(problem)
    if planned is None:
        one = float(problem.picks == 0)
        return Slices(None, 0, (0, 1), (0.0,), (one,), dict.fromkeys(names, 0))
    frontier = _frontier_for(planned, options, slices)
    bounds, levels = frontier.bounds(slices), frontier.levels
    return Slices(
        _sliced(planned, levels),
        len(levels) - 1,
        tuple(bounds),
        tuple(frontier.over(bounds, frontier.nodes)),
        tuple(frontier.over(bounds, frontier.packings)),
        {
            name: len(levels[depth]) if depth < len(levels) else 0
            for depth, name in enumerate(names, 1)
        },
    )


def _frontier_for(planned: Planned, options: Options, slices: int) -> _Frontier:
    """Return the first large enough frontier that divides evenly, else the most even one."""
    most = int(min(MANY, max(FEW, EACH * slices, planned.cost / 1000)))
    levels = [root(planned.files)]
    best, least = _Frontier(planned, levels, options), 1.0
    while slices > 1 and len(levels) < planned.files.picks:
        nodes = expanded(planned.files, levels[-1], most)
        if nodes is None or not len(nodes):
            break
        levels = [*levels, nodes]
        some = _Frontier(planned, levels, options)
        largest = max(some.over(some.bounds(slices), some.cost)) / some.cost.sum()
        if len(nodes) >= NODES * slices and largest * slices <= EVEN:
            return some
        if largest < least:
            best, least = some, largest
    return best


def _sliced(planned: Planned, levels: list[Nodes]) -> SlicedPlan:
    """Return what the slices of this frontier share."""
    if len(levels) == 1:
        return SlicedPlan(planned, np.empty(0, np.int64), np.zeros(1, np.int64), 0)
    above = np.arange(len(levels[-1]))
    for nodes in levels[:1:-1]:
        above = nodes[above, PARENT].astype(np.int64)
    slots = levels[1][:, AFTER].astype(np.int64) - 1
    firsts = np.searchsorted(above, np.arange(len(slots) + 1))
    return SlicedPlan(planned, slots, firsts, len(levels) - 1)
