"""Eight engines, each with one fault that a search has had or could have."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from fakes.conflicting import Conflicting
from fakes.honest import ALL, Honest
from wordpack.backend.base import Options
from wordpack.packing.answer import Answer, Counts, Packings
from wordpack.packing.problem import Group, Problem

WORD = 64
"""Bits per number of a bitset row."""


class LastBitLost(Honest):
    """A row that fills its 64-bit numbers loses its last bit."""

    def choices(self, chosen: tuple[int, ...], used: int) -> Iterator[tuple[int, ...]]:
        """Yield the choices without the last of 64, 128, ... words."""
        groups = self.problem.groups
        for choice in super().choices(chosen, used):
            picked = [(len(groups[g].masks), i) for g, i in zip(self.slots, choice, strict=False)]
            if not any(n % WORD == 0 and index == n - 1 for n, index in picked):
                yield choice


class LastWordLost(Honest):
    """The last of several words is never picked."""

    def choices(self, chosen: tuple[int, ...], used: int) -> Iterator[tuple[int, ...]]:
        """Yield the choices without a last word."""
        groups = self.problem.groups
        for choice in super().choices(chosen, used):
            picked = zip(self.slots, choice, strict=False)
            if not any(0 < index == len(groups[g].masks) - 1 for g, index in picked):
                yield choice


class WeightsIgnored(Honest):
    """Reports packings as solutions."""

    def run(self, *, work: bool = False) -> Answer:
        """Return the number of packings as the solutions if only numbers are wanted."""
        found = super().run(work=work)
        if isinstance(found, Counts):
            return Counts(found.packings, found.packings, found.work)
        return found


class EndOfPartLost(Honest):
    """A full part loses its last row."""

    def parts(self, max_rows: int) -> Iterator[Packings]:
        """Yield parts; full ones lack a row."""
        for part in super().parts(max_rows):
            left = len(part) - (1 < len(part) == max_rows)
            yield Packings(self.problem, tuple(each[:left] for each in part.rows), left)


class Letter64Unseen(Honest):
    """Words that share the 64th letter count as disjoint."""

    def __init__(self, problem: Problem, options: Options) -> None:
        super().__init__(problem, options)
        self.right = problem
        if problem.letters == WORD:
            seen = np.uint64((1 << 63) - 1)
            groups = [Group(each.masks & seen, each.count, each.weights) for each in problem.groups]
            self.problem = Problem(tuple(groups), problem.letters)

    def pack(self, choices: list[tuple[int, ...]]) -> Packings:
        """Return the rows as packings of the given problem."""
        self.problem, searched = self.right, self.problem
        found = super().pack(choices)
        self.problem = searched
        return found


class CountersOfChunks(Honest):
    """A counter depends on the chunk size."""

    def run(self, *, work: bool = False) -> Answer:
        """Return the answer, with more leaves for chunks larger than 1."""
        found = super().run(work=work)
        if work and (self.options.chunk or 0) > 1:
            found.work["leaves"] += 1
        return found


class LastBranchLost(Honest):
    """A slice that ends before the root's last word loses its last branch."""

    def answer(self) -> Packings:
        """Return the packings whose first word is in the slice, but not its last first word."""
        first, last = self.branches
        self.branches = first, last - (last < ALL)
        found = super().answer()
        self.branches = first, last
        return found


ENGINES: dict[str, tuple[type[Honest], dict[str, Any]]] = {
    "a row's last bit lost": (LastBitLost, {}),
    "the last word lost": (LastWordLost, {}),
    "two empty masks in conflict": (Conflicting, {}),
    "weights ignored": (WeightsIgnored, {}),
    "the end of a part lost": (EndOfPartLost, {}),
    "the 64th letter unseen": (Letter64Unseen, {}),
    "counters that depend on chunks": (CountersOfChunks, {"options": ("chunk",)}),
    "the last branch of a slice lost": (LastBranchLost, {"slices": True}),
}
"""Each engine, and its row's fields."""
