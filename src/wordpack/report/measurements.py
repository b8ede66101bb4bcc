"""Measurements from any source: lines of points, by machine, series and parameters.

asv's result files and race files become the same kind of lines; a point without a value says why.
If two sources have the same point, a measured one takes precedence over one that was not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from wordpack.errors import InputError


class State(StrEnum):
    """The outcome of a measurement."""

    MEASURED = "measured"
    NOT_AVAILABLE = "n/a"
    FAILED = "failed"
    WRONG = "wrong"
    UNPROVEN = "unproven"
    """It has a time, but nothing shows that its answer is complete: never ranked or compared."""


@dataclass(frozen=True)
class Series:
    """One kind of figure; smaller is better."""

    name: str
    title: str
    unit: str
    """seconds, bytes, joules, or a unit of the suite's own."""


class Key(NamedTuple):
    """What one line shows; a text is empty if the series has no such parameter."""

    machine: str
    series: str
    backend: str
    instance: str
    rest: str
    """Further parameters, such as share=0.25."""
    environment: str
    """asv's environment, or "race"."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The file that points came from, and the command that makes such a file."""

    file: str
    command: str
    version: str
    """Versions of Python and, in a race file, of wordpack; empty if unknown."""


@dataclass(frozen=True, slots=True)
class Point:
    """One measurement; `low` and `high` are the quartiles of its samples."""

    commit: str
    """40 hex digits; empty in a race file."""
    date: int
    """Date of the commit, or of the race's start: milliseconds since 1970."""
    state: State
    origin: int
    """Index into `Measurements.origins`."""
    value: float | None = None
    """The median, in the unit of the series; None unless the state is measured or unproven."""
    low: float | None = None
    high: float | None = None
    count: int | None = None
    """Number of samples; None if the file does not say."""
    samples: tuple[float, ...] = ()
    interval: tuple[float, float] | None = None
    """asv's 99 % confidence interval of the median."""
    reason: str = ""
    version: str = ""
    """Version of asv's benchmark: times of two versions do not compare. Empty in a race file."""


@dataclass(frozen=True)
class Device:
    """What a race file says about the device that a backend ran on."""

    machine: str
    backend: str
    instance: str
    facts: dict[str, str | int | float | None]
    throttled: tuple[str, ...]
    """Why clocks were below their maximum before or after a run, each reason once."""
    origin: int


LARGEST, SMALLEST = 1e100, 1e-100
"""Bounds of any clock, counter or memory; ratios and sums of such figures stay finite."""


def is_figure(value: float) -> bool:
    """Return whether a number can be a measurement: zero, or between SMALLEST and LARGEST."""
    return value == 0 or SMALLEST <= value <= LARGEST


MOST_LINES, MOST_POINTS = 100_000, 4_000_000
"""Limits, since making a page takes about 7 KB per line and 300 bytes per point, and a file of 8 KB
can ask for a million points."""


FIRST = (State.WRONG, State.MEASURED, State.UNPROVEN, State.FAILED, State.NOT_AVAILABLE)
"""The state that takes precedence if one commit has two points, strongest first."""


@dataclass
class Measurements:
    """All points of all sources."""

    machines: dict[str, dict[str, str]] = field(default_factory=dict)
    """Each machine's facts, by the keys of `wordpack machine`; some may be missing."""
    series: dict[str, Series] = field(default_factory=dict)
    lines: dict[Key, dict[tuple[int, str], Point]] = field(default_factory=dict)
    """Points by date and commit."""
    origins: list[Origin] = field(default_factory=list)
    devices: list[Device] = field(default_factory=list)
    size: int = 0
    """Number of points added."""

    def machine(self, name: str, facts: dict[str, str]) -> str:
        """Add a machine; return its name here, a new one if `name` has another processor."""
        number, own = 1, name
        while own in self.machines and self.machines[own].get("cpu") != facts.get("cpu"):
            number += 1
            own = f"{name}-{number}"
        self.machines[own] = facts | self.machines.get(own, {})
        return own

    def origin(self, file: str, command: str, version: str) -> int:
        """Add a file; return its index."""
        self.origins.append(Origin(file, command, version))
        return len(self.origins) - 1

    def add(self, key: Key, series: Series, point: Point) -> None:
        """Add a point; of two with the same date and commit, keep the first by FIRST.

        Of two in the same state, keep the one with more samples.
        """
        self.series.setdefault(series.name, series)
        line = self.lines.setdefault(key, {})
        self.size += 1
        if len(self.lines) > MOST_LINES or self.size > MOST_POINTS:
            raise InputError(
                f"the results have more than {MOST_LINES:,} lines or {MOST_POINTS:,} points, too "
                "many for a page: give fewer results"
            )
        other = line.get((point.date, point.commit))
        if other is None or _precedence(point) < _precedence(other):
            line[point.date, point.commit] = point

    def points(self, key: Key) -> list[Point]:
        """Return the points of a line, ordered by date."""
        return [point for _, point in sorted(self.lines[key].items(), key=lambda item: item[0])]

    def newest(self, key: Key) -> Point:
        """Return the point that represents a line: the newest with more than one sample.

        If no point has more than one sample, it is the newest measured one. A newer failure, or a
        newer wrong or unproven answer, takes precedence over both. A point that is n/a, as after a
        partial run, represents a line only if the line has no other points.
        """
        points = self.points(key)
        ran = [point for point in points if point.state is not State.NOT_AVAILABLE] or points[-1:]
        if ran[-1].state is not State.MEASURED:
            return ran[-1]
        measured = [point for point in ran if point.state is State.MEASURED]
        repeated = [point for point in measured if point.count != 1]
        return (repeated or measured)[-1]


def _precedence(point: Point) -> tuple[int, int]:
    return FIRST.index(point.state), -(point.count or 0)
