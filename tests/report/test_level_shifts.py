"""Steps in a line of commits, in noise with fixed seeds."""

import math
from collections.abc import Iterable
from itertools import combinations

import numpy as np
import pytest

from wordpack.report.level_shifts import Step, steps
from wordpack.report.measurements import Point, State
from wordpack.report.regressions import Verdict

LENGTH = 200


def line(values: Iterable[float]) -> list[Point]:
    return [
        Point(f"{place:040x}", place, State.MEASURED, 0, value=float(value))
        for place, value in enumerate(values)
    ]


def noise(seed: int, size: float, shape: tuple[int, ...] | int = LENGTH) -> np.ndarray:
    """Return factors whose logarithms are normally distributed."""
    made: np.ndarray = np.random.default_rng(seed).lognormal(0, size, shape)
    return made


def certain(values: Iterable[float]) -> list[Step]:
    return [step for step in steps(line(values)) if step.certain]


def test_a_step_without_noise_is_one_mark_with_its_figures() -> None:
    """Slower by half, then faster than ever: each mark has its place and both medians."""
    found = steps(line([2.0] * 10 + [3.0] * 10 + [1.5] * 10))
    assert found == [
        Step(10, Verdict.SLOWER, pytest.approx(2), pytest.approx(3), 5),
        Step(20, Verdict.FASTER, pytest.approx(3), pytest.approx(1.5), 5),
    ]


@pytest.mark.parametrize("size", [0.05, 0.1, 0.2])
def test_normal_noise_is_seldom_marked(size: float) -> None:
    """Expect fewer than 0.031 marks per line of 200 commits; the bound is derived, not tried out.

    The median of five normal values has a variance of 0.287, so the difference of two medians has a
    standard deviation of 0.757 of the noise. Neighbours usually differ by 0.6745 * sqrt(2) = 0.954
    of the noise. Three times that is 3.78 deviations, which a normal value exceeds 1.6 times in
    10,000, at 197 commits. The required order of ten commits makes it rarer. The test allows three
    deviations of a Poisson number.
    """
    lines = noise(1, size, (300, LENGTH))
    marks = sum(len(certain(values)) for values in lines)
    expected = 300 * 197 * math.erfc(3.78 / math.sqrt(2))
    assert marks <= expected + 3 * math.sqrt(expected)


def test_any_noise_is_marked_no_oftener_than_orders_allow() -> None:
    """Ten commits are in such an order in 6 of 252 cases each way; this test counts them.

    The noise is the worst case for the rule: two speeds that hardly vary, one a third slower, at
    every fourth commit.
    """
    orders = list(combinations(range(10), 5))
    fit = sum(
        sorted(set(range(10)) - set(after))[-2] < min(after)
        for after in orders
    )  # fmt: skip
    assert (fit, len(orders)) == (6, 252)
    rng = np.random.default_rng(2)
    lines = np.where(rng.random((200, LENGTH)) < 0.25, 1.33, 1) * noise(3, 0.01, (200, LENGTH))
    marks = sum(len(certain(values)) for values in lines)
    assert marks <= 200 * 197 * 2 * fit / len(orders)


@pytest.mark.parametrize(("ratio", "verdict"), [(1.5, "slower"), (1 / 1.5, "faster")])
def test_a_true_step_is_found_where_it_is(ratio: float, verdict: str) -> None:
    """At 5 % noise 1.5 is eight deviations, too many for the order or median of five to hide."""
    found = 0
    for values in noise(4, 0.05, (200, LENGTH)):
        values[120:] *= ratio
        marks = [(step.place, step.verdict) for step in certain(values)]
        found += (120, verdict) in marks
    assert found >= 198


def test_noise_as_large_as_a_step_hides_it() -> None:
    """At 20 % noise 1.5 is two deviations, fewer than a mark needs: it is usually missed."""
    lines = noise(5, 0.2, (200, LENGTH))
    lines[:, 120:] *= 1.5
    found = sum(any(abs(step.place - 120) < 3 for step in certain(each)) for each in lines)
    assert found < 100


@pytest.mark.parametrize("seen", range(1, 5))
def test_the_last_commits_can_be_marked(seen: int) -> None:
    """A step is marked from its first commit on, and is certain once three commits show it."""
    values = noise(6, 0.02)
    values[LENGTH - seen :] *= 1.5
    last = steps(line(values))[-1]
    assert (last.place, last.seen, last.certain) == (LENGTH - seen, seen, seen >= 3)


@pytest.mark.parametrize("factor", [3.0, 1 / 3])
def test_a_single_outlier_is_not_marked(factor: float) -> None:
    """Slow or fast, at any place but the last, where it may still be a step."""
    values = noise(7, 0.02, 40)
    for place in range(40):
        changed = values.copy()
        changed[place] *= factor
        assert certain(changed) == []
        if place < 38:
            assert steps(line(changed)) == []
    assert [step.place for step in steps(line(changed))] == [39]


@pytest.mark.parametrize("place", [15, 18, 19, 20, 24])
def test_a_step_beside_an_outlier_is_found(place: int) -> None:
    """One slow run among the ten does not hide a step; just before it, it starts the step."""
    values = noise(8, 0.02, 40)
    values[20:] *= 1.5
    values[place] *= 3
    first = 19 if place == 19 else 20
    assert [(step.place, step.verdict) for step in steps(line(values))] == [(first, "slower")]
    assert [step.verdict for step in steps(line(values[::-1]))] == ["faster"]


def test_a_slow_drift_is_not_marked() -> None:
    """1 % per commit is 5 % in five, under the threshold, though it doubles in 70 commits."""
    drift = 1.01 ** np.arange(LENGTH)
    assert certain(drift) == []
    assert certain(drift * noise(9, 0.005)) == []


def test_a_quick_drift_is_marked_once_where_it_is_even() -> None:
    """3 % per commit is 16 % in five: over the threshold and five times neighbours' difference."""
    assert len(certain(1.03 ** np.arange(60))) == 1


def test_a_step_that_is_undone_at_once_is_missed() -> None:
    """Undone after four commits: not all five are slower. After five there are two marks."""
    for long, due in ((4, []), (5, ["slower", "faster"])):
        values = [1.0] * 20 + [2.0] * long + [1.0] * 20
        assert [step.verdict for step in steps(line(values))] == due


def test_only_measured_commits_count() -> None:
    """Failed, left-out and unproven points are skipped; places still count all points."""
    points = line([1.0] * 8 + [2.0] * 8)
    for place, state in ((7, State.FAILED), (8, State.UNPROVEN), (10, State.NOT_AVAILABLE)):
        points[place] = Point("", place, state, 0, value=9.0 if place == 8 else None)
    assert [(step.place, step.seen) for step in steps(points)] == [(9, 5)]


def test_a_mark_needs_three_commits_before_it() -> None:
    for count in range(6):
        found = steps(line([1.0] * count + [2.0] * 5))
        assert [step.place for step in found] == ([count] if count >= 3 else [])


@pytest.mark.filterwarnings("error")
def test_lines_of_any_length_and_size() -> None:
    """Empty lines, equal values, zeros, and the least and largest numbers: no warning or error."""
    for values in ([], [1.0], [1.0] * 4, [0.0] * 20, [5e-324] * 10, [1.7e308] * 10):
        assert steps(line(values)) == []
    assert [step.place for step in steps(line([5e-324] * 10 + [1.7e308] * 10))] == [10]
    assert [step.place for step in steps(line([0.0, 1.0] * 8 + [2.0] * 8))] == [16]
    assert len(steps(line([1.0] * 500 + [2.0] * 500))) == 1


def test_the_threshold_is_a_choice() -> None:
    values = [1.0] * 10 + [1.2] * 10
    assert len(steps(line(values))) == 1
    assert steps(line(values), threshold=1.25) == []
