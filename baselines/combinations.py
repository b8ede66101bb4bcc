"""Plain combinations: try every choice and keep those whose masks share no letter.

Cost: the product of C(n, count) over all groups; every choice is examined.
Source: Matt Parker's first program for five words (2022; about a month on its author's laptop).
This is the oracle of the tests, so it accepts every problem and uses no trick.
"""

import platform
from collections.abc import Iterator
from itertools import combinations, islice
from math import comb, prod

import numpy as np

from wordpack.backend.base import Backend, Options, Refusal, Search
from wordpack.packing.answer import Answer, Counts, Packings
from wordpack.packing.problem import Problem

AFFORDABLE = 20_000_000
"""Choices that take CPython about 5 to 10 seconds, as long as a person waits."""

Choice = tuple[tuple[int, ...], ...]


class Combinations(Backend):
    """Matt Parker's first program, and the oracle of the tests."""

    def probe(self) -> str:
        """Return the interpreter; it runs anywhere."""
        return f"{platform.python_implementation()} {platform.python_version()}"

    def accepts(self, problem: Problem, _options: Options) -> Refusal | None:
        """Refuse by cost more than AFFORDABLE choices."""
        choices = prod(comb(len(group.masks), group.count) for group in problem.groups)
        if choices > AFFORDABLE:
            return Refusal("cost", f"there are about 1e{len(str(choices)) - 1} combinations to try")
        return None

    def prepare(self, problem: Problem, options: Options) -> "CombinationsSearch":
        """Turn the masks into Python integers."""
        return CombinationsSearch(problem, options)


class CombinationsSearch(Search):
    """The search; the counter `iterations` is the number of choices examined."""

    device = "cpu, 1 thread"

    def __init__(self, problem: Problem, options: Options) -> None:
        self._problem = problem
        self._count_only = options.count_only
        self._masks = [[int(mask) for mask in group.masks] for group in problem.groups]

    def run(self, *, work: bool = False) -> Answer:
        """Return all packings, or with count_only their exact numbers."""
        counters = {"iterations": sum(1 for _ in self._choices())} if work else {}
        if not self._count_only:
            return self._pack(list(self._search()), counters)
        packings = solutions = 0
        for choice in self._search():
            packings += 1
            solutions += prod(
                int(group.weights[index])
                for group, picked in zip(self._problem.groups, choice, strict=True)
                for index in picked
            )
        return Counts(packings, solutions, counters)

    def parts(self, max_rows: int) -> Iterator[Packings]:
        """Yield the packings as they are found, at most `max_rows` at a time."""
        found = self._search()
        while part := list(islice(found, max_rows)):
            yield self._pack(part, {})

    def _pack(self, found: list[Choice], work: dict[str, int]) -> Packings:
        rows = tuple(
            np.array([choice[g] for choice in found], np.int32).reshape(len(found), group.count)
            for g, group in enumerate(self._problem.groups)
        )
        return Packings(self._problem, rows, len(found), work)

    def _choices(self, g: int = 0) -> Iterator[Choice]:
        if g == len(self._masks):
            yield ()
            return
        for picked in combinations(range(len(self._masks[g])), self._problem.groups[g].count):
            for rest in self._choices(g + 1):
                yield (picked, *rest)

    def _search(self) -> Iterator[Choice]:
        masks = self._masks
        for choice in self._choices():
            used = 0
            for own, picked in zip(masks, choice, strict=True):
                for index in picked:
                    if used & own[index]:
                        break
                    used |= own[index]
                else:
                    continue
                break
            else:
                yield choice
