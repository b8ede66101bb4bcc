"""One test body for every backend: the shapes of the differential run, drawn by Hypothesis."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sample_problems import cases, regular, shared
from search_answers import listing, table
from wordpack.backend import registry
from wordpack.backend.base import Options
from wordpack.backend.registry import Row
from wordpack.packing.problem import Problem
from wordpack.testing.checks import TESTS, Check, built, too_large
from wordpack.testing.plain_packings import PlainGroup, PlainProblem, solve
from wordpack.testing.problems import Case

SLICING = [row for row in registry.of_workload("packing") if row.slices]


def check(row: Row, given: Case, **asked: object) -> None:
    """Compare all answers with plain Python's, unless the problem is too large for `row`."""
    if not too_large(row, built(given.problem)):
        whole = given._replace(asked=given.asked._replace(**asked))
        Check(row, whole, solve(given.problem, TESTS)).run()


@shared
@given(case=cases)
def test_every_answer_is_that_of_plain_python(backend: Row, case: Case) -> None:
    """Counted, listed, run again, in bounded parts; counters do not depend on options."""
    check(backend, case, again=True, parted=True, cuts=[])


@pytest.mark.parametrize("row", SLICING, ids=[row.name for row in SLICING])
@shared
@given(case=cases, cuts=st.lists(st.integers(1, 14), min_size=1, max_size=2))
def test_slices_together_are_the_whole(row: Row, case: Case, cuts: list[int]) -> None:
    """Each packing is in exactly one slice, for any number of slices."""
    check(row, case, cuts=cuts)


def plain(problem: Problem) -> list[list[int]]:
    """Return the rows of all packings, in the order of plain Python."""
    groups = [
        PlainGroup(group.masks.tolist(), group.count, group.weights.tolist())
        for group in problem.groups
    ]
    return [list(row) for row in solve(PlainProblem(problem.letters, 64, groups), 1 << 40).rows]


SIXES_ONLY = "partitioned_triples"
ONE_GROUP = [
    row for row in registry.of_workload("packing") if row.name != SIXES_ONLY and not row.counts_only
]


def check_regular(row: Row, letters: int, size: int, *groups: tuple[int, int]) -> None:
    """Assert that the backend accepts five such problems and finds what the oracle finds."""
    some = 0
    for seed in range(5):
        problem = regular(seed, letters, size, *groups)
        assert row.load().accepts(problem, Options()) is None
        found = listing(row.load().prepare(problem, Options()).run())
        assert table(found) == plain(problem)
        some += len(found)
    assert some > 20


@pytest.mark.parametrize("row", ONE_GROUP, ids=[row.name for row in ONE_GROUP])
@pytest.mark.parametrize(("letters", "size"), [(5, 1), (8, 2), (26, 5), (32, 6), (33, 7), (64, 9)])
def test_all_others_take_one_group_of_equal_sizes(row: Row, letters: int, size: int) -> None:
    """No backend may refuse the published programs' problem, so no test above is vacuous."""
    check_regular(row, letters, size, (25, 3))


@pytest.mark.parametrize(("letters", "size"), [(12, 1), (26, 2), (32, 2), (33, 2), (64, 3)])
def test_one_and_six_of_equal_sizes(letters: int, size: int) -> None:
    """Partitioned triples are made for this shape."""
    check_regular(registry.row(SIXES_ONLY), letters, size, (5, 1), (14, 6))
