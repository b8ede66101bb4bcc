"""Rank the newest point of each line, and compare it with a baseline that the reader can choose.

A baseline is a backend and a machine. An empty name means the row's own: an empty machine compares
backends on each machine, an empty backend compares machines backend by backend.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import geometric_mean
from typing import TYPE_CHECKING, NamedTuple

from wordpack.report.measurements import Key, Measurements, Point, State
from wordpack.solving.workload import WORKLOADS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

INSTANCES = {name: each for work in WORKLOADS.values() for name, each in work.instances.items()}
"""The named problems of all workloads."""

OWN = ""
"""A baseline's backend or machine that means the row's own."""

ORDER = {
    State.MEASURED: 0,
    State.UNPROVEN: 1,
    State.WRONG: 2,
    State.FAILED: 3,
    State.NOT_AVAILABLE: 4,
}


class Line(NamedTuple):
    """A line's newest point."""

    place: int
    """Its index among all lines, also in the page's data."""
    key: Key
    point: Point


class RankedLine(NamedTuple):
    """A line as a row of a table."""

    line: Line
    rank: int | None
    """Its rank among the measured rows of its table; None for other rows."""
    speedup: float | None
    """Against the baseline; None if there is nothing to compare."""
    why_not: str
    """Why there is no speed-up."""
    against: Line | None
    """The baseline's line, perhaps from another environment; None without a speed-up."""

    @property
    def said(self) -> str:
        """A note on `against`: that it is this line, or which other environment it is from."""
        if self.against is None:
            return ""
        if self.against == self.line:
            return "baseline"
        environment = self.against.key.environment
        return "" if environment == self.line.key.environment else f"vs {environment}"


class Baseline(NamedTuple):
    """What speed-ups are against."""

    backend: str = OWN
    machine: str = OWN


def latest(found: Measurements) -> list[Line]:
    """Return all lines, ordered by series, instance, further parameters, machine and backend."""
    machines = {name: place for place, name in enumerate(found.machines)}
    series = {name: place for place, name in enumerate(found.series)}
    known = {name: place for place, name in enumerate(INSTANCES)}

    def order(key: Key) -> tuple[object, ...]:
        instance = (known.get(key.instance, len(known)), key.instance)
        return series[key.series], instance, key.rest, machines[key.machine], key[2:]

    return [
        Line(place, key, found.newest(key))
        for place, key in enumerate(sorted(found.lines, key=order))
    ]


class Compared:
    """Find the line that another line is compared with."""

    def __init__(self, lines: Iterable[Line], baseline: Baseline) -> None:
        self.baseline = baseline
        self._measured: dict[tuple[str, ...], list[Line]] = defaultdict(list)
        for line in lines:
            if line.point.state is State.MEASURED:
                self._measured[line.key[:5]].append(line)
        for same in self._measured.values():
            same.sort(key=lambda line: line.point.date)

    def speedup(self, line: Line) -> tuple[float | None, str, Line | None]:
        """Return a line's speed-up over the baseline, or None; why not; and the baseline's line.

        A series without backends is compared by machine only. The baseline's figure comes from the
        line's own environment; if it has none there, its newest from another environment is used,
        and the table's row says so. Figures of zero, which no clock gives, are not compared.
        """
        if line.point.state is not State.MEASURED:
            return None, "not compared", None
        machine = self.baseline.machine or line.key.machine
        backend = line.key.backend and (self.baseline.backend or line.key.backend)
        others = self._measured.get(
            (machine, line.key.series, backend, line.key.instance, line.key.rest), []
        )
        own = [each for each in others if each.key.environment == line.key.environment]
        against = (own or others)[-1] if others else None
        if against is None or not against.point.value or not line.point.value:
            return None, "no baseline", None
        return against.point.value / line.point.value, "", against


def rows(lines: Sequence[Line], compared: Compared) -> list[RankedLine]:
    """Return a table's rows: measured lines by figure, then unproven, wrong, failed and n/a."""
    ordered = sorted(
        lines, key=lambda line: (ORDER[line.point.state], line.point.value or 0.0, line.place)
    )
    found = []
    for place, line in enumerate(ordered, start=1):
        measured = line.point.state is State.MEASURED
        found.append(RankedLine(line, place if measured else None, *compared.speedup(line)))
    return found


def headline(listed: Sequence[RankedLine]) -> RankedLine | None:
    """Return the best ranked row of a table, or None.

    A single run counts only if its machine and backend have no repeated runs in any environment.
    """
    ranked = [row for row in listed if row.rank]
    several = {_who(row) for row in ranked if row.line.point.count != 1}
    return next(
        (row for row in ranked if row.line.point.count != 1 or _who(row) not in several), None
    )


def _who(row: RankedLine) -> tuple[str, str]:
    return row.line.key.machine, row.line.key.backend


USUAL = "filtered_arrays"
"""The default baseline's backend, if it has enough times: it needs only numpy, so runs anywhere."""


def usual(lines: Iterable[Line], series: str = "search") -> Baseline:
    """Return the default baseline.

    The machine is the one whose measured instances other machines share most, then the one with
    most instances. Only its shared instances count, if there are any. The backend is USUAL if it
    has a time for more than half of them, else the slowest backend that has. If no backend has, it
    is chosen likewise among the backends with times for most instances. Slowness is the geometric
    mean of a backend's times, each divided by the fastest time of its instance.
    """
    times: dict[str, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for line in lines:
        key, value = line.key, line.point.value
        if key.series == series and line.point.state is State.MEASURED and value:
            times[key.machine][key.instance].setdefault(key.backend, value)
    machines = Counter(instance for own in times.values() for instance in own)

    def width(machine: str) -> tuple[int, int]:
        return sum(machines[each] - 1 for each in times[machine]), len(times[machine])

    machine = max(times, key=width, default=None)
    if machine is None:
        return Baseline()
    every = times[machine]
    wanted = [name for name in every if machines[name] > 1] or list(every)
    over: dict[str, list[float]] = defaultdict(list)
    for name in wanted:
        least = min(every[name].values())
        for backend, value in every[name].items():
            over[backend].append(value / least)
    most = max(map(len, over.values()))
    enough = [each for each in over if len(over[each]) >= min(most, len(wanted) // 2 + 1)]
    slowest = max(enough, key=lambda each: geometric_mean(over[each]))
    return Baseline(USUAL if USUAL in enough else slowest, machine)
