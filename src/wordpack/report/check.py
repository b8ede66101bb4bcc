"""`wordpack report --check BASE NEW`: how each line changed between two sets of results.

Two lines are compared if they have the same machine and processor, series, backend, instance,
further parameters and environment. Each side uses one commit per machine: the newest, or the one
that was named.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from wordpack.errors import InputError
from wordpack.report.check_sides import Side, listed, named, read_side
from wordpack.report.regressions import OVERLAP, Change, Method, Rule, Verdict, compare
from wordpack.text.formatting import counted, nearest, shown

if TYPE_CHECKING:
    from wordpack.report.measurements import Key, Point

FAILING = (Verdict.SLOWER, Verdict.LOST)
COMPARED = (Verdict.SLOWER, Verdict.FASTER, Verdict.SAME, Verdict.UNDECIDED)


@dataclass(frozen=True)
class Comparison:
    """The request: two sets of results, the rule, and which part of them to compare."""

    base: str
    new: str
    rule: Rule = Rule()  # noqa: RUF009  frozen
    machine: str | None = None
    base_commit: str | None = None
    new_commit: str | None = None
    series: tuple[str, ...] = ()
    """Names; empty for all."""


@dataclass(frozen=True)
class LinePair:
    """One line, before and after."""

    key: Key
    unit: str
    before: Point | None
    after: Point | None
    change: Change


@dataclass
class Outcome:
    """All that was compared."""

    request: Comparison
    base: Side
    new: Side
    machines: list[str]
    lines: list[LinePair] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What was not compared, and how a machine differs between the two sides."""

    @property
    def totals(self) -> dict[Verdict, int]:
        """How many lines have each verdict."""
        counts = Counter(line.change.verdict for line in self.lines)
        return {verdict: counts[verdict] for verdict in Verdict}

    @property
    def noise(self) -> int:
        """How many lines are beyond the threshold, but the same by their test."""
        rule = self.request.rule
        same = [line.change for line in self.lines if line.change.verdict is Verdict.SAME]
        return sum(change.ratio is not None and rule.beyond(change.ratio) for change in same)

    @property
    def tested(self) -> dict[Method, int]:
        """How many lines each test could decide."""
        counts = Counter(line.change.test for line in self.lines)
        return {test: counts[test] for test in Method}

    @property
    def by_chance(self) -> float:
        """The most lines expected to pass the test without a change, if samples were random."""
        level = {Method.RANKS: self.request.rule.level, Method.INTERVALS: OVERLAP}
        return sum(level[test] * count for test, count in self.tested.items())

    @property
    def status(self) -> int:
        """Return the exit status: 1 if a line is slower or lost, else 0."""
        return int(any(line.change.verdict in FAILING for line in self.lines))


def check(request: Comparison) -> Outcome:
    """Compare two sets of results; InputError if input is bad or nothing can be compared."""
    rule = request.rule
    if not 1 < rule.threshold < inf:
        raise InputError(f"`threshold` {rule.threshold}: give a ratio over 1, such as 1.1")
    if not 0 < rule.level < 1:
        raise InputError(f"`p` {rule.level}: give a probability between 0 and 1, such as 0.002")
    base = read_side("base", request.base, request.base_commit, request.machine)
    new = read_side("new", request.new, request.new_commit, request.machine)
    outcome = Outcome(request, base, new, [name for name in base.moments if name in new.moments])
    if not outcome.machines:
        raise InputError(
            f"nothing to compare: BASE has {listed(base.moments)}, NEW has "
            f"{listed(new.moments)}; if they are the same machine, name race files as "
            "i7-2010=race.json"
        )
    for one, other in ((base, new), (new, base)):
        outcome.notes += [
            f"{name} is not compared: {other.option.upper()} has no results of it"
            for name in one.moments
            if name not in other.moments
        ]
    _check_moments(outcome)
    for name in outcome.machines:
        _check_machine(outcome, name)
    _check_series(outcome)
    _fill(outcome)
    return outcome


def _check_moments(outcome: Outcome) -> None:
    """Leave out machines that would be compared with themselves; InputError if all would be."""
    base, new = outcome.base, outcome.new
    if Path(base.source).resolve() != Path(new.source).resolve():
        return
    same = [name for name in outcome.machines if base.moments[name] == new.moments[name]]
    if same == outcome.machines:
        raise InputError(
            f"{listed(same)} would be compared with itself at {named(base.moments[same[0]])}: name "
            "two commits with `base_commit` and `new_commit`, or two sets of results"
        )
    outcome.notes += [f"{name} is not compared: both sides are the same commit" for name in same]
    outcome.machines = [name for name in outcome.machines if name not in same]


def _check_machine(outcome: Outcome, name: str) -> None:
    """Raise InputError if both sides differ in the processor; note what else differs."""
    base, new = outcome.base, outcome.new
    one, two = base.found.machines[name], new.found.machines[name]
    if one.get("cpu") != two.get("cpu"):
        raise InputError(
            f"{name} is a different machine in NEW, with {shown(two.get('cpu') or 'unknown CPU')} "
            f"and not {shown(one.get('cpu') or 'unknown CPU')}: nothing was compared; choose "
            "another with `machine`"
        )
    outcome.notes += [
        f"{name}: {shown(fact)} was {shown(one.get(fact, 'unknown'))}, "
        f"is {shown(two.get(fact, 'unknown'))}"
        for fact in sorted({*one, *two})
        if one.get(fact) != two.get(fact)
    ]


def _check_series(outcome: Outcome) -> None:
    there = {**outcome.base.found.series, **outcome.new.found.series}
    for name in outcome.request.series:
        if name not in there:
            names = [shown(each) for each in there] or ["none"]
            raise InputError(f"`series` {shown(name)}: no such series{nearest(name, names)}")


def _fill(outcome: Outcome) -> None:
    base, new, series = outcome.base, outcome.new, outcome.request.series
    for key in sorted({**base.found.lines, **new.found.lines}):
        before, after = base.point(key), new.point(key)
        if key.machine in outcome.machines and (before or after):
            kind = new.found.series.get(key.series) or base.found.series[key.series]
            if not series or key.series in series:
                change = compare(before, after, outcome.request.rule)
                outcome.lines.append(LinePair(key, kind.unit, before, after, change))
    environments = [
        {line.key.environment for line in outcome.lines if getattr(line, side)}
        for side in ("before", "after")
    ]
    if environments[0] != environments[1]:
        outcome.notes.append(
            f"environments, matched by name: {listed(sorted(environments[0]))} in BASE, "
            f"{listed(sorted(environments[1]))} in NEW"
        )
    if not any(line.change.verdict in (*COMPARED, Verdict.LOST) for line in outcome.lines):
        notes = "".join(f"; {note}" for note in outcome.notes)
        lines = counted(len(outcome.lines), "line")
        raise InputError(f"nothing to compare: none of {lines} has a time on both sides{notes}")
