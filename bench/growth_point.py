"""Measure one point of `bench/growth.py` in this process, which should be a fresh one.

Its argument is a JSON object with a Point and whether to search it. It prints the result as JSON.
"""

import json
import resource
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from time import perf_counter

import numpy as np

from wordpack.backend.base import Options
from wordpack.kernels.counting.subset_sums import SubsetSums
from wordpack.kernels.search.bitset_rows import BitsetRows
from wordpack.packing.answer import Answer, Counts, Packings, verify
from wordpack.packing.problem import Group, Problem
from wordpack.solving.instances import instance
from wordpack.solving.loading import load

SEED = 2022
LONG = 2.0
"""A search longer than this, in seconds, is run once."""
ENOUGH, MOST = 0.3, 25
"""The seconds and the calls after which the median is taken."""
BYTES = 1 if sys.platform == "darwin" else 1024
"""The unit of ru_maxrss in bytes."""


@dataclass(frozen=True)
class Point:
    """A problem to measure: `count` words of a length, from a share of words_alpha."""

    count: int
    length: int
    share: float = 1.0

    @property
    def name(self) -> str:
        """The family's name."""
        return f"{self.count}x{self.length}"

    @property
    def listed(self) -> bool:
        """Whether packings are listed, not only counted; there are a few thousand at most."""
        return self.count * self.length > 20  # noqa: PLR2004

    def problem(self) -> Problem:
        """Load the problem."""
        whole = load(instance(self.name).spec).problem
        if self.share == 1:
            return whole
        (group,) = whole.groups
        order = np.random.default_rng(SEED).permutation(len(group.masks))
        kept = np.sort(order[: round(self.share * len(order))])
        return Problem((Group(group.masks[kept], group.count, group.weights[kept]),), whole.letters)


@dataclass(frozen=True)
class Row:
    """The measurements of a point."""

    signatures: int
    packings: int
    nodes: int
    prepare: float
    search: float
    memory: float
    """Peak bytes of the whole process, or what the point adds to them."""


def peak() -> int:
    """Return this process's peak memory in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES


def middle(run: Callable[[], object]) -> float:
    """Return the median seconds of several calls."""
    times: list[float] = []
    while len(times) < MOST and sum(times) < ENOUGH:
        started = perf_counter()
        run()
        times.append(perf_counter() - started)
    return median(times)


def check(point: Point, answer: Answer, known: Counts) -> None:
    """Exit unless `answer` has the known counts and any rows in it are valid."""
    if isinstance(answer, Packings):
        verify(answer)
    found = answer.counts() if isinstance(answer, Packings) else answer
    if (found.packings, found.solutions) != (known.packings, known.solutions):
        sys.exit(
            f"{point.name}, {point.share:.0%} of the list, was wrong: {found.packings:,} packings "
            f"and {found.solutions:,} solutions where subset_sums counts {known.packings:,} and "
            f"{known.solutions:,}; nothing is shown"
        )


def child(point: Point, *, searching: bool) -> Row:
    """Measure a point in this process, or only the loading of its words and the code."""
    problem, options = point.problem(), Options(threads=1, count_only=not point.listed)
    # loads the compiled code, which does not count towards any point
    BitsetRows().prepare(load(instance("toy").spec).problem, options).run()
    signatures = len(problem.groups[0].masks)
    if not searching:
        return Row(signatures, 0, 0, 0, 0, peak())
    search = BitsetRows().prepare(problem, options)
    started = perf_counter()
    answer = search.run(work=True)
    first = perf_counter() - started
    memory = peak()
    known = SubsetSums().prepare(problem, Options(count_only=True)).run()
    check(point, answer, known)
    prepare = middle(lambda: BitsetRows().prepare(problem, options))
    seconds = first if first > LONG else middle(search.run)
    check(point, answer if first > LONG else search.run(), known)
    return Row(signatures, known.packings, sum(answer.work.values()), prepare, seconds, memory)


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    print(json.dumps(asdict(child(Point(**given["point"]), searching=given["searching"]))))
