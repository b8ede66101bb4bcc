"""Filtered lists: after each word keep only the later words that share no letter with it.

The trick is that every list is filtered from the previous one, so the fifth list needs no test:
each of its elements is a solution. A loop stops when too few elements are left for the words
still to come. Cost: one list comprehension per partial packing, over the previous list.
Source: Brian Jones's pure Python program (2022; published: 2m20s on a first-generation i7).
"""

import platform
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod

import numpy as np

from wordpack.backend.base import Backend, Options, Refusal, Search
from wordpack.packing.answer import Answer, Packings, gather
from wordpack.packing.problem import Problem

AFFORDABLE = 1e10
"""Estimated partial packings; CPython makes about one or two million lists per second."""

FALL = 3.0
"""With a share x of the first words left, about x ** FALL of the time is left too."""

Found = tuple[int, ...]


class FilteredLists(Backend):
    """Brian Jones's filtered lists in pure Python."""

    def probe(self) -> str:
        """Return the interpreter; it runs anywhere."""
        return f"{platform.python_implementation()} {platform.python_version()}"

    def accepts(self, problem: Problem, _options: Options) -> Refusal | None:
        """Refuse empty masks, and by cost searches that would take hours."""
        if any(len(group.masks) and int(group.masks.min()) == 0 for group in problem.groups):
            return Refusal("shape", "a word without letters could be picked twice from one list")
        if problem.estimated_nodes > AFFORDABLE:
            return Refusal("cost", f"it would make about {problem.estimated_nodes:.0e} lists")
        return None

    def prepare(self, problem: Problem, options: Options) -> "FilteredListsSearch":
        """Keep each mask once, in list order, as Python integers."""
        return FilteredListsSearch(problem, options)


class FilteredListsSearch(Search):
    """The search; `iterations` counts the passes of all its loops."""

    device = "cpu, 1 thread"

    def __init__(self, problem: Problem, options: Options) -> None:
        self._problem = problem
        self._count_only = options.count_only
        self._iterations = 0
        self._begun = 0.0
        self._places: list[dict[int, list[int]]] = []
        for group in problem.groups:
            places: dict[int, list[int]] = {}
            for index, mask in enumerate(group.masks.tolist()):
                places.setdefault(mask, []).append(index)
            self._places.append(places)
        self._lists = [list(places) for places in self._places]
        self._counts = [group.count for group in problem.groups]

    def run(self, *, work: bool = False) -> Answer:
        """Return all packings, or with count_only their exact numbers."""
        answer = gather(self._problem, self._packed(), count_only=self._count_only)
        return replace(answer, work={"iterations": self._iterations}) if work else answer

    def parts(self, max_rows: int) -> Iterator[Packings]:
        """Yield the packings first word by first word, at most `max_rows` at a time."""
        for part in self._packed():
            yield from part.split(max_rows)

    def time_share(self) -> float:
        """Estimate the share of a run's time that has passed, 0 to 1."""
        return float(1 - (1 - self._begun) ** FALL)

    def _packed(self) -> Iterator[Packings]:
        self._iterations = 0
        for found, passes in self._search():
            self._iterations += passes
            if found:
                yield self._pack(found)

    def _search(self) -> Iterator[tuple[list[Found], int]]:
        """Yield the packings found and passes made for each word of the outermost loop."""
        group = self._next_group(0)
        if group is None:
            yield [()], 0
            return
        need, words = self._counts[group], self._lists[group]
        for i in range(len(words) - need + 1):
            self._begun = i / len(words)
            found: list[Found] = []
            passes = 1
            word = words[i]
            if need == 1:
                passes += self._open_group(group + 1, (word,), word, found)
            else:
                later = [other for other in words[i + 1 :] if not other & word]
                if len(later) >= need - 1:
                    passes += self._pick(later, need - 1, (word,), word, group, found)
            yield found, passes

    def _pick(
        self, words: list[int], need: int, chosen: Found, used: int, group: int, found: list[Found]
    ) -> int:
        """Pick `need` more from `words`, all disjoint from the chosen ones; return the passes."""
        passes = len(words) - need + 1
        if need > 1:
            for i in range(passes):
                word = words[i]
                later = [other for other in words[i + 1 :] if not other & word]
                if len(later) >= need - 1:
                    passes += self._pick(
                        later, need - 1, (*chosen, word), used | word, group, found
                    )
        elif self._next_group(group + 1) is None:
            found += [(*chosen, word) for word in words]
        else:
            for word in words:
                passes += self._open_group(group + 1, (*chosen, word), used | word, found)
        return passes

    def _open_group(self, group: int, chosen: Found, used: int, found: list[Found]) -> int:
        following = self._next_group(group)
        if following is None:
            found.append(chosen)
            return 0
        need = self._counts[following]
        words = [word for word in self._lists[following] if not word & used]
        return self._pick(words, need, chosen, used, following, found) if len(words) >= need else 0

    def _next_group(self, group: int) -> int | None:
        return next((g for g in range(group, len(self._counts)) if self._counts[g]), None)

    def _pack(self, found: list[Found]) -> Packings:
        """Turn masks into indices; a repeated mask gives one packing per copy."""
        columns = [g for g, count in enumerate(self._counts) for _ in range(count)]
        choices: list[tuple[int, ...]] = []
        for masks in found:
            places = [self._places[g][mask] for g, mask in zip(columns, masks, strict=True)]
            if prod(map(len, places)) == 1:
                choices.append(tuple([place[0] for place in places]))
            else:
                choices += product(*places)
        table = np.array(choices, np.int32).reshape(len(choices), len(columns))
        return Packings.from_table(self._problem, table)
