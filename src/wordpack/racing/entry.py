"""The lineup of a race, an entry for each backend, and how strongly each answer is verified."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Any

from wordpack.backend.row import Row
from wordpack.solving.judge import Second, judge
from wordpack.solving.workload import WORKLOADS, Challenge, Workload

REPEAT = 11
"""Timed runs of each backend by default."""

SLOW = 10.0
"""Seconds of a first call above which it is not repeated by default."""


@dataclass(frozen=True)
class Lineup:
    """What to race."""

    instance: Challenge
    rows: tuple[Row, ...]
    by_name: frozenset[str] = frozenset()
    """Backends requested by their full name: these run whatever their cost."""
    budget: float = 30.0
    repeat: int | None = None
    """Timed runs after the first call. None means REPEAT, or no further run if a run is slow."""
    baseline: str | None = None
    threads: int | None = None
    """CPU threads for the backends that can use several."""

    @property
    def workload(self) -> Workload:
        """The kind of problem that the instance is."""
        return WORKLOADS[self.instance.workload]


@dataclass
class Entry:
    """One backend in the race."""

    row: Row
    status: str = "waiting"
    """waiting, running, ok, wrong, out_of_budget, unavailable, refused, crashed, interrupted."""
    reason: str = ""
    device: str = ""
    using: str = ""
    facts: dict[str, Any] | None = None
    """What identifies the device, unless it is the CPU."""
    prepare: float | None = None
    first: float | None = None
    samples: list[float] = field(default_factory=list)
    first_readings: dict[str, Any] = field(default_factory=dict)
    sample_readings: list[dict[str, Any]] = field(default_factory=list)
    found: dict[str, int] = field(default_factory=dict)
    """The numbers of its last answer, by the workload's columns."""
    digest: str | None = None
    verified: str | None = None

    @property
    def spent(self) -> float:
        """Seconds of the budget used."""
        return (self.prepare or 0.0) + (self.first or 0.0) + sum(self.samples)

    @property
    def times(self) -> list[float]:
        """Seconds of the runs that count: all but the first call, unless it is the only run."""
        return self.samples or ([] if self.first is None else [self.first])

    @property
    def readings(self) -> list[dict[str, Any]]:
        """The device driver's readings for each of `times`; empty without a driver."""
        found = self.sample_readings if self.samples else [self.first_readings]
        return found if any(found) else []

    @property
    def median(self) -> float | None:
        """Seconds of the median run; None unless the answer was verified."""
        return median(self.times) if self.times and self.status == "ok" else None

    def stop(self, status: str, reason: str) -> None:
        """Take it out of the race; drop its times unless its answer was right."""
        self.status, self.reason = status, reason
        if status != "ok":
            self.samples, self.prepare, self.first, self.verified = [], None, None, None
            self.first_readings, self.sample_readings = {}, []

    @property
    def numbers(self) -> dict[str, Any]:
        """What its answer is judged by."""
        return self.found | {"digest": self.digest}


def settle(lineup: Lineup, entries: Sequence[Entry]) -> None:
    """Set how strongly each answer is verified so far; mark answers that others prove wrong.

    Two valid answers that differ cannot both be complete. The one with less in the workload's first
    column lacks some. If both have the same number, nothing tells which one is right.
    """
    size = lineup.workload.columns[0]
    found = [entry for entry in entries if entry.status == "ok"]
    most = max((entry.found[size] for entry in found), default=0)
    longest = [entry for entry in found if entry.found[size] == most]
    for entry in found:
        verdict = judge(
            entry.numbers,
            lineup.instance.expected,
            partial(_another, entry, longest),
            valid=True,
        )
        entry.verified = verdict.strength
        if verdict.differs and verdict.differs.what == size:
            had = entry.found[size]
            entry.stop("wrong", f"it found {had:,} {size}; {most:,} valid ones exist")
        elif verdict.differs:
            entry.stop("wrong", lineup.workload.differ)


def _another(entry: Entry, longest: Sequence[Entry]) -> Second | None:
    """Return one of the longest answers to judge `entry` by: a different answer, if there is one.

    Otherwise return the same answer by another algorithm, or None.
    """
    for each in sorted(longest, key=lambda each: each.digest == entry.digest):
        if each.digest != entry.digest or each.row.algorithm != entry.row.algorithm:
            return Second(each.numbers, "agreed", each.row.name)
    return None
