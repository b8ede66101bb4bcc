"""Tell a regression from noise, between two points of one line.

Two points differ if both a relative threshold and a statistical test say so. The test is the
two-sided Mann-Whitney test if both points have enough samples to pass it. If they have not, asv's
99 % intervals of the medians must not overlap. Without intervals the line is undecided. The level
is asv's own, p < 0.002: lower than the usual 0.05 because hundreds of lines are compared at once,
and high enough for 7 samples against 7 (p = 2/3432 at best).

There is no correction for the number of comparisons, such as Holm's. With 300 lines it would
require p < 0.000007, which seven samples cannot reach, so adding series would hide regressions. Nor
would it help against the worst source of error: samples of one process share its luck. On a busy
machine the same code, built twice, had p = 0.0004 from 60 samples against 60, because the two
processes of a point were as far apart as the points. So the samples of each point are split into
halves: asv's two processes, or a race's first and last turns. The medians of both halves of one
point must lie beyond both of the other's. Of six orders of four processes one still passes as
slower. So the report counts the comparisons and how many of them chance alone would pass. Only a
second run confirms a change.

Cost: some microseconds per pair within the threshold, a millisecond beyond it.
Source: the tests and their level are those of asv's `compare`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import comb, inf
from statistics import median
from typing import TYPE_CHECKING

from wordpack.errors import InputError
from wordpack.report.measurements import State
from wordpack.system.libraries import loaded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wordpack.report.measurements import Point

THRESHOLD, LEVEL = 1.10, 0.002

OVERLAP = 0.01
"""The most that the interval test passes by chance; 0.00027 if noise is normal."""

EXACT, PERMUTED = 10_000, 20_000
"""p is exact up to this many pairs of samples; with ties, up to this many choices of samples."""

RAN = (State.MEASURED, State.UNPROVEN)


class Verdict(StrEnum):
    """How a line changed between two points; for memory or energy, slower means more."""

    SLOWER = "slower"
    LOST = "lost"
    """It ran before and failed or cannot run now, or its answer is wrong now."""
    UNDECIDED = "undecided"
    GONE = "gone"
    """It ran before, but is not among the results now."""
    FASTER = "faster"
    NEW = "new"
    SAME = "same"
    """No change was shown: it is within the threshold or within the noise."""
    NEITHER = "n/a"
    """It did not run before or now."""


class Method(StrEnum):
    """The test that decided."""

    RANKS = "Mann-Whitney"
    INTERVALS = "99 % intervals"


@dataclass(frozen=True)
class Rule:
    """What a change must pass: a ratio of medians over `threshold`, and p under `level`."""

    threshold: float = THRESHOLD
    level: float = LEVEL

    def beyond(self, ratio: float) -> bool:
        """Whether a ratio is beyond the threshold, either way."""
        return not 1 / self.threshold <= ratio <= self.threshold


@dataclass(frozen=True, slots=True)
class Change:
    """A verdict and the evidence for it."""

    verdict: Verdict
    ratio: float | None = None
    """Ratio of the medians, after to before; infinite from 0, None without two proven times."""
    test: Method | None = None
    p: float | None = None
    """p of the rank test; None unless it ran: within the threshold nothing is tested."""
    why: str = ""


def compare(before: Point | None, after: Point | None, rule: Rule = Rule()) -> Change:
    """Return how a line changed; None means that the point is not among the results."""
    was = before.state if before else State.NOT_AVAILABLE
    now = after.state if after else State.NOT_AVAILABLE
    if before and after and was in RAN and now in RAN:
        if State.UNPROVEN in (was, now):
            return Change(Verdict.UNDECIDED, why="an answer may be incomplete")
        return _compared(before, after, rule)
    if now is State.WRONG or (was in RAN and after and now not in RAN):
        return Change(Verdict.LOST, why=f"{now} now")
    if was in RAN:
        return Change(Verdict.GONE, why="no result now")
    if now in RAN:
        return Change(Verdict.NEW, why=f"{was} before" if before else "no result before")
    return Change(Verdict.NEITHER)


def _compared(before: Point, after: Point, rule: Rule) -> Change:
    if before.version and after.version and before.version != after.version:
        return Change(Verdict.UNDECIDED, why="another version of the benchmark")
    one, two = before.value or 0.0, after.value or 0.0
    ratio = two / one if one else inf if two else 1.0
    counts = len(before.samples), len(after.samples)
    if _least(*counts) < rule.level:
        test = Method.RANKS
    elif _has_interval(before) and _has_interval(after):
        test = Method.INTERVALS
    else:
        why = "no interval, n = {}, {}".format(*counts)
        return Change(Verdict.UNDECIDED, ratio, why=why)
    if not rule.beyond(ratio):
        return Change(Verdict.SAME, ratio, test)
    decide = _by_ranks if test is Method.RANKS else _by_intervals
    return decide(before, after, ratio, rule)


def _by_intervals(before: Point, after: Point, ratio: float, _rule: Rule) -> Change:
    lower, upper = (before, after) if ratio > 1 else (after, before)
    apart = (lower.interval or (0, inf))[1] < (upper.interval or (0, inf))[0]
    why = "intervals apart" if apart else "intervals overlap"
    verdict = _moved(ratio) if apart else Verdict.SAME
    return Change(verdict, ratio, Method.INTERVALS, why=why)


def _by_ranks(before: Point, after: Point, ratio: float, rule: Rule) -> Change:
    p, rises = ranks(before.samples, after.samples)
    lower, upper = (before, after) if ratio > 1 else (after, before)
    verdict, why = _moved(ratio), f"p = {p:.2g}, n = {len(before.samples)}, {len(after.samples)}"
    if p >= rule.level:
        verdict = Verdict.SAME
    elif rises != (ratio > 1):
        verdict, why = Verdict.UNDECIDED, "ranks and medians contradict"
    elif max(_halves(lower)) >= min(_halves(upper)):
        verdict, why = Verdict.SAME, "halves of the samples overlap"
    return Change(verdict, ratio, Method.RANKS, p, why)


def _moved(ratio: float) -> Verdict:
    return Verdict.SLOWER if ratio > 1 else Verdict.FASTER


def _least(one: int, two: int) -> float:
    """Return the least p of a two-sided rank test; from 50 samples on it is tiny."""
    one, two = min(one, 50), min(two, 50)
    return 2 / comb(one + two, one)


def _halves(point: Point) -> tuple[float, ...]:
    """Return the medians of the earlier and later half of the samples; one for a single sample."""
    middle = len(point.samples) // 2
    return tuple(median(half) for half in (point.samples[:middle], point.samples[middle:]) if half)


def _has_interval(point: Point) -> bool:
    return point.interval is not None and point.interval[0] <= point.interval[1]


def ranks(before: Sequence[float], after: Sequence[float]) -> tuple[float, bool]:
    """Return p of the two-sided Mann-Whitney test, and whether `after` tends to be greater.

    p is exact for small samples, also with ties; else a normal approximation that allows for ties.
    Raises InputError if SciPy is not installed.
    """
    missing = "comparing samples needs SciPy: pip install 'wordpack[report]'"
    with loaded("SciPy", missing, InputError):
        from scipy.stats import PermutationMethod, mannwhitneyu
    one, two = len(before), len(after)
    ties = len({*before, *after}) < one + two
    method = "asymptotic"
    if not ties and one * two <= EXACT:
        method = "exact"
    elif ties and one + two <= EXACT and comb(one + two, one) <= PERMUTED:
        method = PermutationMethod(n_resamples=PERMUTED)
    found = mannwhitneyu(after, before, alternative="two-sided", method=method)
    return float(found.pvalue), bool(found.statistic > one * two / 2)
