"""Many searches at once: their levels stand side by side, so that small problems fill a device.

A node knows which search it is of, and with it its tables; searches of equally many words share
each launch. What a thousand searches cost is then a few launches, not some thousand.
Cost: that of the nodes of all; 0.5 MB of tables for each list of some thousand words.
Source: ours.
"""

from collections.abc import Callable, Sequence

import numpy as np

from wordpack.backend.base import Options
from wordpack.kernels.device.device import Device
from wordpack.kernels.device.device_search import refused, said_in_a_line
from wordpack.kernels.device.levels import Levels
from wordpack.kernels.search.planner import Planned, choose, nothing_to_plan
from wordpack.packing.answer import Answer, Packings, Rows
from wordpack.packing.problem import Problem


class BatchSearch:
    """The prepared searches of several problems."""

    def __init__(
        self,
        problems: Sequence[Problem],
        options: Options,
        device: Callable[[], Device],
        widest: int | None = None,
    ) -> None:
        """Plan each, and make room for all on the device that `device` opens.

        Of the options, count_only and max_buffer are honoured. ValueError for another one, and
        for a problem that no device takes.
        """
        if set(options.given()) - {"max_buffer"}:
            raise ValueError(f"a batch has no use for {options.given()}")
        self._problems, self._count_only = problems, options.count_only
        alike: dict[int, list[tuple[int, Planned]]] = {}
        for i, problem in enumerate(problems):
            refusal = refused(problem)
            if refusal and refusal.kind == "shape":
                raise ValueError(f"problem {i} cannot be searched: {refusal.reason}")
            planned = None if nothing_to_plan(problem) else choose(problem)
            if planned and not planned.plan.proves_empty and len(planned.files.slots):
                alike.setdefault(problem.picks, []).append((i, planned))
        self.together: list[tuple[list[int], Levels]] = []
        """The problems, by number, whose levels are searched at once."""
        for some in alike.values():
            numbers, searches = [i for i, _ in some], [planned for _, planned in some]
            with said_in_a_line(device()):
                levels = Levels(searches, device(), options, widest, listing=True)
            self.together.append((numbers, levels))

    def run(self) -> list[Answer]:
        """Return the answers, in the order of the problems. May be called again."""
        found: list[list[Rows]] = [[] for _ in self._problems]
        for numbers, levels in self.together:
            with levels.device.alone, said_in_a_line(levels.device):
                for table in levels.tables([0] * levels.picks, counting=False, keep=False):
                    for number, rows in zip(numbers, _apart(table, len(numbers)), strict=True):
                        found[number].append(rows)
        return [self._answer(*each) for each in zip(self._problems, found, strict=True)]

    def _answer(self, problem: Problem, tables: list[Rows]) -> Answer:
        # where nothing is to be picked, there is one way to do so
        none = np.empty((int(problem.picks == 0), problem.picks), np.int32)
        packings = Packings.from_table(problem, np.concatenate([none, *tables]))
        return packings.counts() if self._count_only else packings


def _apart(table: Rows, searches: int) -> list[Rows]:
    """Return the rows of each search; where there are several, the last column says whose."""
    if searches == 1:
        return [table]
    whose = table[:, -1]
    order = np.argsort(whose, kind="stable")
    edges = np.searchsorted(whose[order], np.arange(1, searches))
    return np.split(table[order, :-1], edges)
