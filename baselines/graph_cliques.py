"""Graph cliques: words are nodes, edges join words that share no letter, and packings are cliques.

A clique grows by a common neighbour: the set of candidates is intersected with the later neighbours
of each word taken, so every clique is met once. A branch ends when fewer candidates are left than
words to come.
Cost: one intersection of Python sets per partial clique; parker takes a few minutes.
Source: Benjamin Paassen's Python program (2022; published: 14 to 22 minutes on his list).
"""

import platform
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from wordpack.backend.base import Backend, Options, Refusal, Search
from wordpack.packing.answer import Answer, Packings, gather
from wordpack.packing.problem import Problem

AFFORDABLE = 1e8
"""Estimated partial packings; CPython intersects about a million sets per second."""

MOST_WORDS = 20_000
"""Most words whose sets of neighbours fit a few gigabytes."""


class GraphCliques(Backend):
    """Benjamin Paassen's cliques in pure Python."""

    def probe(self) -> str:
        """Return the interpreter; it runs anywhere."""
        return f"{platform.python_implementation()} {platform.python_version()}"

    def accepts(self, problem: Problem, _options: Options) -> Refusal | None:
        """Refuse anything but one group, and by cost long searches."""
        if len(problem.groups) != 1 or problem.groups[0].count == 0:
            return Refusal("shape", "a clique has at least one word, and all are from one list")
        if len(problem.groups[0].masks) > MOST_WORDS:
            return Refusal("cost", "the sets of neighbours would need gigabytes")
        if problem.estimated_nodes > AFFORDABLE:
            return Refusal("cost", f"it would intersect about {problem.estimated_nodes:.0e} sets")
        return None

    def prepare(self, problem: Problem, options: Options) -> "GraphCliquesSearch":
        """Build the graph: each word's set of later words that share no letter with it."""
        return GraphCliquesSearch(problem, options)


class GraphCliquesSearch(Search):
    """The search; counters nodes_1 ... nodes_k are the cliques of 1 ... k words that it meets."""

    device = "cpu, 1 thread"

    def __init__(self, problem: Problem, options: Options) -> None:
        self._problem, self._count_only = problem, options.count_only
        masks = problem.groups[0].masks
        self._later = [
            set((np.flatnonzero((masks[word + 1 :] & masks[word]) == 0) + (word + 1)).tolist())
            for word in range(len(masks))
        ]
        self._nodes = [0] * problem.groups[0].count

    def run(self, *, work: bool = False) -> Answer:
        """Return all packings, or with count_only their exact numbers."""
        answer = gather(self._problem, self._search(), count_only=self._count_only)
        counters = {f"nodes_{depth + 1}": n for depth, n in enumerate(self._nodes)}
        return replace(answer, work=counters) if work else answer

    def parts(self, max_rows: int) -> Iterator[Packings]:
        """Yield the packings first word by first word, at most `max_rows` at a time."""
        for part in self._search():
            yield from part.split(max_rows)

    def _search(self) -> Iterator[Packings]:
        """Yield each first word's cliques, if it has any."""
        k = len(self._nodes)
        self._nodes = [0] * k
        for word, later in enumerate(self._later):
            found: list[tuple[int, ...]] = []
            self._nodes[0] += 1
            if len(later) >= k - 1:
                self._grow((word,), later, found)
            if found:
                table = np.array(found, np.int32).reshape(-1, k)
                yield Packings.from_table(self._problem, table)

    def _grow(
        self, clique: tuple[int, ...], candidates: set[int], found: list[tuple[int, ...]]
    ) -> None:
        """Find all cliques that begin with `clique` and continue with `candidates`."""
        missing = len(self._nodes) - len(clique)
        if missing == 0:
            found.append(clique)
            return
        self._nodes[len(clique)] += len(candidates)
        if missing == 1:
            found += [(*clique, word) for word in candidates]
            return
        for word in candidates:
            common = candidates & self._later[word]
            if len(common) >= missing - 1:
                self._grow((*clique, word), common, found)
