"""One test body for every backend: the shapes of the differential run, drawn by Hypothesis."""

from functools import partial

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from differential_checks import TESTS, Check, built, too_large
from generators.problems import SMALL, Case, case
from generators.strategies import strategy
from plain_packings import PlainGroup, PlainProblem, solve
from wordpack import registry
from wordpack.backend import Options
from wordpack.packing import Packings, verify
from wordpack.problem import Group, Problem
from wordpack.registry import Row

# the fixture `backend` is a constant row of the registry, so examples may share it
shared = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
cases = strategy(partial(case, shapes=SMALL))
problems = cases.map(lambda case: built(case.problem))
SLICING = [row for row in registry.of_workload("packing") if "slice" in row.options]


def check(row: Row, given: Case, **asked: object) -> None:
    """Compare all answers with plain Python's, if the problem is small for the algorithm."""
    if not too_large(row, built(given.problem)):
        whole = given._replace(asked=given.asked._replace(**asked))
        Check(row, whole, solve(given.problem, TESTS)).run()


@shared
@given(case=cases)
def test_every_answer_is_that_of_plain_python(backend: Row, case: Case) -> None:
    """Counted, listed, again, and in parts of bounded size; counters of no options' making."""
    check(backend, case, again=True, parted=True, cuts=[])


@pytest.mark.parametrize("row", SLICING, ids=[row.name for row in SLICING])
@shared
@given(case=cases, cuts=st.lists(st.integers(0, 14), min_size=1, max_size=3))
def test_slices_together_are_the_whole(row: Row, case: Case, cuts: list[int]) -> None:
    """Wherever the root's branches are cut, each packing is in one slice."""
    check(row, case, cuts=sorted(cuts))


def oracle(problem: Problem) -> Packings:
    return listing(registry.row("combinations").load().prepare(problem, Options()).run())


def listing(found: object) -> Packings:
    assert isinstance(found, Packings)
    verify(found)
    return found


def plain(problem: Problem) -> list[list[int]]:
    """Return the rows of all packings, in order, as plain Python finds them."""
    groups = [
        PlainGroup(group.masks.tolist(), group.count, group.weights.tolist())
        for group in problem.groups
    ]
    return [list(row) for row in solve(PlainProblem(problem.letters, 64, groups), 1 << 40).rows]


def table(packings: Packings) -> list[list[int]]:
    """Return the canonical rows, all groups side by side."""
    rows = packings.canonical().rows
    return np.hstack(rows).tolist() if rows else [[]] * len(packings)


def regular(seed: int, letters: int, size: int, *groups: tuple[int, int]) -> Problem:
    """Make groups of n masks of `size` letters each, of which `count` are to be picked."""
    random = np.random.default_rng(seed)
    dtype = np.uint32 if letters <= 32 else np.uint64
    made = []
    for n, count in groups:
        masks = [
            sum(1 << int(b) for b in random.choice(letters, size, replace=False)) for _ in range(n)
        ]
        made.append(Group(np.array(masks, dtype), count, random.integers(1, 4, n)))
    return Problem(tuple(made), letters)


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
    """The problem of the published programs: none may refuse it, so nothing above is vacuous."""
    check_regular(row, letters, size, (25, 3))


@pytest.mark.parametrize(("letters", "size"), [(12, 1), (26, 2), (32, 2), (33, 2), (64, 3)])
def test_one_and_six_of_equal_sizes(letters: int, size: int) -> None:
    """The shape that partitioned triples are for."""
    check_regular(registry.row(SIXES_ONLY), letters, size, (5, 1), (14, 6))
