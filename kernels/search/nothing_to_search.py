"""The answer without a search: nothing to pick, or too few letters or words."""

from collections.abc import Iterator

import numpy as np

from wordpack.backend.base import Options, Search
from wordpack.packing.answer import Answer, Packings
from wordpack.packing.problem import Problem


class TrivialSearch(Search):
    """One packing if there is nothing to pick, else none."""

    device = "cpu"

    def __init__(self, problem: Problem, options: Options) -> None:
        n = int(problem.picks == 0)
        self._answer = Packings.from_table(problem, np.empty((n, problem.picks), np.int32))
        self._count_only = options.count_only
        self._work = {f"nodes_{depth + 1}": 0 for depth in range(problem.picks)}

    def run(self, *, work: bool = False) -> Answer:
        """Return the answer."""
        answer = Packings(
            self._answer.problem, self._answer.rows, self._answer.n, self._work if work else {}
        )
        return answer.counts() if self._count_only else answer

    def parts(self, max_rows: int) -> Iterator[Packings]:
        """Yield the answer if it has a row."""
        yield from self._answer.split(max_rows)
