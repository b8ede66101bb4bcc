"""List what has no figure and why: one row for all instances with the same file and reason."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from wordpack.report.latest import ORDER
from wordpack.report.measurements import Measurements, State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wordpack.report.latest import Line

UNTOLD = "the file does not say why"


TWICE = {"num_cpu": "cores", "ram": "memory"}
"""Facts that asv stores too, by asv's name for each."""


class Absence(NamedTuple):
    """Points of one file, commit and environment that have the same state for the same reason."""

    state: State
    machine: str
    series: str
    backend: str
    environment: str
    reason: str
    lines: list[Line]

    @property
    def what(self) -> str:
        """Return the distinct instances, with their further parameters."""
        names = (", ".join(filter(None, (line.key.instance, line.key.rest))) for line in self.lines)
        return "; ".join(dict.fromkeys(filter(None, names)))


def absences(lines: Iterable[Line]) -> list[Absence]:
    """Return what was not measured, wrong answers first."""
    grouped: dict[tuple[State, str, str, str, str, str], dict[tuple[str, int, int], list[Line]]]
    grouped = defaultdict(lambda: defaultdict(list))
    for line in lines:
        key, point = line.key, line.point
        if point.state is not State.MEASURED:
            reason = point.reason or UNTOLD
            name = (point.state, key.machine, key.series, key.backend, key.environment, reason)
            grouped[name][point.commit, point.date, point.origin].append(line)
    found = [Absence(*name, same) for name, files in grouped.items() for same in files.values()]
    alarm = (State.WRONG, State.FAILED, State.UNPROVEN, State.NOT_AVAILABLE)
    return sorted(found, key=lambda each: alarm.index(each.state))


class Card(NamedTuple):
    """A machine: its facts, and how many of its measurements have each state."""

    name: str
    facts: dict[str, str]
    states: dict[State, int]

    @property
    def has_nothing(self) -> bool:
        """Whether none of its measurements has a figure."""
        return not any(self.states.get(each) for each in (State.MEASURED, State.UNPROVEN))


def cards(found: Measurements, lines: Iterable[Line]) -> list[Card]:
    """Return a card for each machine, its newest points counted by state."""
    counts: dict[str, Counter[State]] = {name: Counter() for name in found.machines}
    for line in lines:
        counts[line.key.machine][line.point.state] += 1
    return [
        Card(
            name,
            _each_once(facts),
            {state: counts[name][state] for state in ORDER if counts[name][state]},
        )
        for name, facts in found.machines.items()
    ]


def _each_once(facts: dict[str, str]) -> dict[str, str]:
    """Leave out asv's own cores and memory if `wordpack machine` stored the same values."""
    twice = {own for own, ours in TWICE.items() if facts.get(own) == facts.get(ours)}
    return {name: value for name, value in facts.items() if name not in twice}
