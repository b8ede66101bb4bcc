"""What was measured, whoever measured it: lines of points, by machine, series and parameters.

asv's result files and race files become the same lines; a point without a value says why. Where
two sources have the same point, one that was measured stands before one that was not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from wordpack.errors import InputError


class State(StrEnum):
    """What became of a measurement."""

    MEASURED = "measured"
    NOT_AVAILABLE = "n/a"
    FAILED = "failed"
    WRONG = "wrong"
    UNPROVEN = "unproven"
    """It has a time, and nothing shows that its answer was whole: never ranked or compared."""


@dataclass(frozen=True)
class Series:
    """One kind of figure, smaller being better."""

    name: str
    title: str
    unit: str
    """seconds, bytes, joules, or what a suite calls its own."""


class Key(NamedTuple):
    """What one line shows; an empty text where the series has no such parameter."""

    machine: str
    series: str
    backend: str
    instance: str
    rest: str
    """Further parameters: share=0.25."""
    environment: str
    """asv's environment, or race."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The file that points came from, and the command that makes such a file."""

    file: str
    command: str
    version: str
    """Of Python and, in a race file, of wordpack: empty where it is not said."""


@dataclass(frozen=True, slots=True)
class Point:
    """One measurement; `low` and `high` are the quartiles of its samples."""

    commit: str
    """40 hex digits; empty in a race file."""
    date: int
    """Of the commit, or of the race's start: milliseconds since 1970."""
    state: State
    origin: int
    """Its place in `Measurements.origins`."""
    value: float | None = None
    """The median, in the unit of the series; None unless it was measured, or is unproven."""
    low: float | None = None
    high: float | None = None
    count: int | None = None
    """Samples that the median is of; None where the file does not say."""
    samples: tuple[float, ...] = ()
    interval: tuple[float, float] | None = None
    """Of the median, 99 % sure, as asv has it."""
    reason: str = ""
    version: str = ""
    """Of asv's benchmark: times of two versions do not compare. Empty in a race file."""


@dataclass(frozen=True)
class Device:
    """What a race file says of the device that a backend ran on."""

    machine: str
    backend: str
    instance: str
    facts: dict[str, str | int | float | None]
    throttled: tuple[str, ...]
    """Why clocks were below their maximum before or after a run, each reason once."""
    origin: int


LARGEST, SMALLEST = 1e100, 1e-100
"""No clock, counter or memory has more or less; ratios and sums of such figures are floats too."""


def is_figure(value: float) -> bool:
    """Return whether a number can be a measurement: zero, or between SMALLEST and LARGEST."""
    return value == 0 or SMALLEST <= value <= LARGEST


MOST_LINES, MOST_POINTS = 100_000, 4_000_000
"""Each takes some 7 KB, or 300 bytes, while a page is made, and 8 KB can ask for a million."""


FIRST = (State.WRONG, State.MEASURED, State.UNPROVEN, State.FAILED, State.NOT_AVAILABLE)
"""Which of two points of one commit is shown."""


@dataclass
class Measurements:
    """All points of all sources."""

    machines: dict[str, dict[str, str]] = field(default_factory=dict)
    """What each machine is, with the keys of `wordpack machine`; some may lack."""
    series: dict[str, Series] = field(default_factory=dict)
    lines: dict[Key, dict[tuple[int, str], Point]] = field(default_factory=dict)
    """Points by date and commit."""
    origins: list[Origin] = field(default_factory=list)
    devices: list[Device] = field(default_factory=list)
    size: int = 0
    """Points that were added."""

    def machine(self, name: str, facts: dict[str, str]) -> str:
        """Note a machine; return its name here: another one where `name` has another processor."""
        number, own = 1, name
        while own in self.machines and self.machines[own].get("cpu") != facts.get("cpu"):
            number += 1
            own = f"{name}-{number}"
        self.machines[own] = facts | self.machines.get(own, {})
        return own

    def origin(self, file: str, command: str, version: str) -> int:
        """Note a file; return its place."""
        self.origins.append(Origin(file, command, version))
        return len(self.origins) - 1

    def add(self, key: Key, series: Series, point: Point) -> None:
        """Add a point; of two with one date and commit the first in the order of FIRST stays.

        Of two that were measured the one with more samples stays.
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
        """Return the points of a line in the order of their dates."""
        return [point for _, point in sorted(self.lines[key].items(), key=lambda item: item[0])]

    def newest(self, key: Key) -> Point:
        """Return the point of a line that stands for it: the newest of more than one sample.

        Where a run was once only, the newest one that was measured; but the newest failure, or
        wrong or unproven answer, where nothing was measured after it. What is n/a at a commit, as
        all is that a partial run leaves out, stands for a line only where it has nothing else.
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
