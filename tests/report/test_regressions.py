"""Comparing two points: the threshold, the tests, and undecided cases."""

import sys
from itertools import combinations, product
from math import inf, nextafter
from statistics import median

import numpy as np
import pytest

from wordpack.errors import InputError
from wordpack.report.measurements import Point, State
from wordpack.report.regressions import Change, Method, Rule, Verdict, compare, ranks

OF = {state: Point("", 0, state, 0) for state in State}


def point(*samples: float, **given: object) -> Point:
    """Return a measured point with these samples."""
    return Point(
        "", 0, State.MEASURED, 0, **({"value": median(samples), "samples": samples} | given)
    )  # type: ignore[arg-type]


def between(low: float, high: float) -> Point:
    """Return a point as asv stores it by default: with an interval, without samples."""
    return Point("", 0, State.MEASURED, 0, value=(low + high) / 2, interval=(low, high))


def scaled(ratio: float, count: int) -> Point:
    """Return a point whose samples lie within 4 % above `ratio`."""
    return point(*(ratio * (1 + 0.04 * place / count) for place in range(count)))


@pytest.mark.parametrize(
    ("one", "two", "p"),
    [
        # separated: the least and the greatest of all C(n + m, n) orders
        (range(5), range(5, 10), 2 / 252),
        (range(7), range(7, 14), 2 / 3432),
        (range(11), range(11, 22), 2 / 705432),
        (range(1), range(1, 30), 2 / 30),
        # one neighbouring pair exchanged: U is 0 or 1, one order each, at both ends
        ([0, 1, 2, 4], [3, 5, 6, 7], 4 / 70),
    ],
)
def test_p_is_the_share_of_orders_as_extreme(one: list[float], two: list[float], p: float) -> None:
    """Without ties p is the share of orders that are as extreme, in both directions."""
    assert ranks(one, two) == (pytest.approx(p), True)
    assert ranks(two, one) == (pytest.approx(p), False)


def test_p_with_ties_is_the_share_of_choices_as_extreme() -> None:
    """Counted over all choices of the first samples, from the definition of U."""
    one, two = [1.0, 2.0, 2.0, 3.0], [2.0, 3.0, 3.0, 4.0, 4.0]
    every = one + two

    def u(first: set[int]) -> float:
        pairs = product(first, set(range(9)) - first)
        return sum((every[a] < every[b]) + (every[a] == every[b]) / 2 for a, b in pairs)

    all_ = [u(set(choice)) for choice in combinations(range(9), 4)]
    least = min(sum(each <= u({0, 1, 2, 3}) for each in all_),
                sum(each >= u({0, 1, 2, 3}) for each in all_))  # fmt: skip
    assert ranks(one, two)[0] == pytest.approx(2 * least / len(all_))
    assert ranks([5.0] * 8, [5.0] * 8)[0] == 1


def test_many_samples_have_a_p_too() -> None:
    """For too many orders to count: samples shifted by a constant, and the same with ties."""
    assert ranks(range(20_000), range(20_000))[0] == pytest.approx(1, abs=0.01)
    assert ranks(range(200), range(150, 350))[0] < 1e-20


BOTH = [
    (1.0, 7, Verdict.SAME, None),
    (1.05, 7, Verdict.SAME, None),
    (1.3, 7, Verdict.SLOWER, 2 / 3432),
    (1 / 1.3, 7, Verdict.FASTER, 2 / 3432),
    (1.3, 11, Verdict.SLOWER, 2 / 705432),
    (1.3, 6, Verdict.UNDECIDED, None),
]


@pytest.mark.parametrize(("ratio", "count", "verdict", "p"), BOTH)
def test_a_change_is_beyond_the_threshold_and_the_noise(
    ratio: float, count: int, verdict: Verdict, p: float | None
) -> None:
    """Separated samples: a small change does not count; six against six cannot reach p < 0.002."""
    change = compare(scaled(1, count), scaled(ratio, count))
    assert (change.verdict, change.ratio) == (verdict, pytest.approx(ratio))
    assert change.p == (p and pytest.approx(p))


def test_a_change_within_the_noise_is_none() -> None:
    """The medians are a third apart, but the samples overlap widely."""
    one = point(*(1 + place % 2 * 0.33 for place in range(11)))
    two = point(*(1.33 - place % 2 * 0.33 for place in range(11)))
    change = compare(one, two)
    assert change.ratio == pytest.approx(1.33)
    assert (change.verdict, change.test) == (Verdict.SAME, Method.RANKS)
    assert change.p is not None
    assert change.p > 0.1


@pytest.mark.parametrize(
    ("one", "two", "verdict"),
    [
        ((1.0, 1.3), (1.2, 1.6), Verdict.SAME),
        ((1.0, 1.3), (1.4, 1.6), Verdict.SLOWER),
        ((1.4, 1.6), (1.0, 1.3), Verdict.FASTER),
        ((1.6, 1.2), (1.3, 1.0), Verdict.SAME),
    ],
)
def test_two_processes_must_agree(
    one: tuple[float, float], two: tuple[float, float], verdict: Verdict
) -> None:
    """Samples of one process share its luck: both processes must lie beyond both others."""
    points = [
        point(*(level * (1 + place / 1000) for level in levels for place in range(30)))
        for levels in (one, two)
    ]
    change = compare(*points)
    assert change.p is not None
    assert change.p < 0.002
    assert change.verdict is verdict


def test_the_threshold_itself_is_no_change() -> None:
    rule = Rule(threshold=1.5)
    for value, verdict in ((1.5, Verdict.SAME), (nextafter(1.5, 2), Verdict.SLOWER)):
        after = Point("", 0, State.MEASURED, 0, value=value, interval=(1.4, 1.6))
        assert compare(between(0.9, 1.1), after, rule).verdict is verdict


def test_the_level_is_a_choice() -> None:
    """Five separated samples have p = 2/252 at best: enough for 0.01, not for 0.002."""
    one, two = scaled(1, 5), scaled(2, 5)
    assert compare(one, two).verdict is Verdict.UNDECIDED
    assert compare(one, two, Rule(level=2 / 252)).verdict is Verdict.UNDECIDED
    change = compare(one, two, Rule(level=0.01))
    assert (change.verdict, change.p) == (Verdict.SLOWER, pytest.approx(2 / 252))


@pytest.mark.parametrize(
    ("one", "two", "verdict"),
    [
        ((0.9, 1.1), (1.9, 2.1), Verdict.SLOWER),
        ((1.9, 2.1), (0.9, 1.1), Verdict.FASTER),
        ((0.9, 1.1), (1.1, 2.9), Verdict.SAME),
        ((0.5, 2.0), (1.9, 2.1), Verdict.SAME),
        ((0.99, 1.01), (1.05, 1.06), Verdict.SAME),
        ((1.1, 0.9), (1.9, 2.1), Verdict.UNDECIDED),
    ],
)
def test_without_samples_intervals_lie_apart(
    one: tuple[float, float], two: tuple[float, float], verdict: Verdict
) -> None:
    """Touching intervals overlap; a small change does not count; reversed ends are invalid."""
    assert compare(between(*one), between(*two)).verdict is verdict


def test_few_samples_have_intervals_to_fall_back_on() -> None:
    """As in asv's own comparison; without an interval on each side it is undecided."""
    one, two = (point(value, interval=(value, value + 0.1)) for value in (1.0, 2.0))
    assert compare(one, two) == Change(
        Verdict.SLOWER, 2.0, Method.INTERVALS, None, "intervals apart"
    )
    assert compare(one, point(2.0)).verdict is Verdict.UNDECIDED


@pytest.mark.parametrize("ratio", [0.1, 1.0, 10.0])
def test_single_samples_decide_nothing(ratio: float) -> None:
    """Not even "same" is decided: the next run may differ."""
    change = compare(point(1.0), point(ratio))
    assert (change.verdict, change.ratio, change.test) == (Verdict.UNDECIDED, ratio, None)
    assert "n = 1, 1" in change.why


def test_ranks_that_contradict_medians_decide_nothing() -> None:
    """The median rises from 1 to 1.2 while three quarters of all pairs fall."""
    one = point(*[1.0] * 51, *[10.0] * 49)
    two = point(*[0.9] * 49, *[1.2] * 51)
    change = compare(one, two)
    assert (change.verdict, change.ratio) == (Verdict.UNDECIDED, pytest.approx(1.2))
    assert change.p is not None
    assert change.p < 0.002


def test_zero_and_the_largest_numbers() -> None:
    """A ratio to zero is infinite, that of two zeros is one, and no number is too large."""
    zero, some = point(*[0.0] * 9), scaled(1, 9)
    assert compare(zero, zero) == Change(Verdict.SAME, 1.0, Method.RANKS)
    assert compare(zero, some).ratio == inf
    assert compare(zero, some).verdict is Verdict.SLOWER
    assert compare(some, zero).verdict is Verdict.FASTER
    tiny, huge = (point(*(value,) * 9) for value in (5e-324, 1.7e308))
    assert compare(tiny, huge).verdict is Verdict.SLOWER
    assert compare(huge, tiny).verdict is Verdict.FASTER


def test_versions_of_a_benchmark_do_not_compare() -> None:
    one, two = (point(*[float(place)] * 9, version=str(place)) for place in (1, 2))
    change = compare(one, two)
    assert (change.verdict, change.ratio) == (Verdict.UNDECIDED, None)
    assert "version" in change.why


EXPECTED = {
    # before: now measured, n/a, failed, wrong, unproven, absent
    State.MEASURED: "same lost lost lost undecided gone",
    State.NOT_AVAILABLE: "new n/a n/a lost new n/a",
    State.FAILED: "new n/a n/a lost new n/a",
    State.WRONG: "new n/a n/a lost new n/a",
    State.UNPROVEN: "undecided lost lost lost undecided gone",
    None: "new n/a n/a lost new n/a",
}


@pytest.mark.parametrize("was", EXPECTED)
def test_what_has_no_time_is_never_the_same(was: State | None) -> None:
    """A wrong answer always counts, failed or n/a only if it ran before, unproven never."""
    points = {**OF, State.MEASURED: scaled(1, 9), None: None}
    found = [compare(points[was], points[now]).verdict for now in (*State, None)]
    assert " ".join(found) == EXPECTED[was]


@pytest.mark.slow
def test_chance_passes_no_more_than_the_level() -> None:
    """Of 2,000 unchanged pairs at most 5 % have p < 0.05: 100, plus 4 standard deviations."""
    drawn = np.random.default_rng(7).lognormal(0, 0.1, (2000, 2, 9))
    passed = sum(ranks(one, two)[0] < 0.05 for one, two in drawn)
    assert passed < 100 + 4 * (2000 * 0.05 * 0.95) ** 0.5


def test_without_scipy_samples_are_an_error_of_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install; comparing intervals does not need SciPy."""
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(InputError, match=r"pip install 'wordpack\[report\]'"):
        compare(scaled(1, 9), scaled(2, 9))
    assert compare(between(0.9, 1.1), between(1.9, 2.1)).verdict is Verdict.SLOWER
