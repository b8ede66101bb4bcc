"""Right answers by plain recursion; the other fakes add one fault each."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from wordpack.backend.base import Backend, Options, Refusal, Search
from wordpack.backend.cutting import Slices
from wordpack.packing.answer import Answer, Packings
from wordpack.packing.problem import Problem

ALL = 1 << 40
"""More words than a list has."""


class Honest(Search):
    """A search whose answer a fault may change at the end."""

    device = "a test"

    def __init__(self, problem: Problem, options: Options) -> None:
        self.problem, self.options = problem, options
        self.branches = 0, ALL
        self.slots = [g for g, group in enumerate(problem.groups) for _ in range(group.count)]

    def run(self, *, work: bool = False) -> Answer:
        """Return the answer, including any fault."""
        whole = self.answer()
        whole.work.update({"leaves": len(whole)} if work else {})
        return whole.counts() if self.options.count_only else whole

    def parts(self, max_rows: int) -> Iterator[Packings]:
        """Yield the answer in parts."""
        return self.answer().split(max_rows)

    def answer(self) -> Packings:
        """Return the packings; a fake with a fault overrides this."""
        first, last = self.branches
        every = self.choices((), 0)
        return self.pack([each for each in every if first <= (each[0] if each else 0) < last])

    def choices(self, chosen: tuple[int, ...], used: int) -> Iterator[tuple[int, ...]]:
        """Yield every choice of indices, ascending inside a group, that begins with `chosen`."""
        depth = len(chosen)
        if depth == len(self.slots):
            yield chosen
            return
        group = self.slots[depth]
        again = depth > 0 and self.slots[depth - 1] == group
        masks = self.problem.groups[group].masks.tolist()
        for index in range(chosen[-1] + 1 if again else 0, len(masks)):
            if not masks[index] & used:
                yield from self.choices((*chosen, index), used | masks[index])

    def pack(self, choices: list[tuple[int, ...]]) -> Packings:
        """Return rows of indices as Packings."""
        table = np.array(choices, np.int32).reshape(len(choices), len(self.slots))
        return Packings.from_table(self.problem, table)


class Fake(Backend):
    """The backend that the other fakes modify."""

    search: ClassVar[type[Search]] = Honest

    def probe(self) -> str:
        """Run anywhere."""
        return "nothing but patience"

    def accepts(self, _problem: Problem, _options: Options) -> Refusal | None:
        """Accept everything."""
        return None

    def prepare(self, problem: Any, options: Options) -> Any:
        """Return its search."""
        return self.search(problem, options)

    def cut(self, problem: Problem, _options: Options, slices: int) -> Slices:
        """Return ranges of first words."""
        words = [len(group.masks) for group in problem.groups if group.count]
        edges = sorted({0, *(words[0] * i // slices for i in range(slices) if words), ALL})
        nothing = (0.0,) * (len(edges) - 1)
        return Slices(None, 1, tuple(edges), nothing, nothing, {})

    def prepare_slice(self, problem: Problem, options: Options, cut: Slices, i: int) -> Any:
        """Return the search of one range."""
        search = self.prepare(problem, options)
        search.branches = cut.bounds[i], cut.bounds[i + 1]
        return search
