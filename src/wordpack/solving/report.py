"""The request of a solve, its report, and the interface of where its searches run."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from wordpack.backend.base import Options, Search
from wordpack.backend.fallback import Unusable
from wordpack.backend.row import Row
from wordpack.machine.metering import Readings
from wordpack.machine.nvml import Facts
from wordpack.packing.answer import Answer, Counts, Packings
from wordpack.packing.problem import Problem
from wordpack.solving.instances import Instance
from wordpack.solving.loading import Loaded


@dataclass(frozen=True)
class Request:
    """The problem and options of a solve."""

    instance: Instance
    backend: str = "auto"
    options: Options = field(default_factory=Options)
    work: bool = False
    packings: bool = False
    """Write one row per packing, not one per solution."""
    unlimited: bool = False
    """Rows go to a file, so there may be any number of them."""
    progress: bool = False
    """Show a progress bar."""
    in_parts: bool = False
    """Leave the packings where a cluster's workers wrote them."""


@dataclass
class Report:
    """The answer of a solve, and how it was found; `head` and `tail` are its JSON but the rows."""

    request: Request
    row: Row
    loaded: Loaded
    searches: "Searches"
    search: Search
    seconds: dict[str, float | None]
    estimates: dict[str, float]
    """Estimated seconds by backend, if they decided the choice."""
    counts: Counts = field(default_factory=lambda: Counts(0, 0))
    digest: str | None = None
    verified: str | None = None
    agreed_with: str | None = None
    """The backend that counted the same, if the strength is 'agreed'."""
    work: dict[str, int] = field(default_factory=dict)
    streamed: bool = False
    held: Packings | None = None
    """All packings, if there was no writer for their rows and they can be held."""
    facts: Facts | None = None
    """Facts about the device, unless it is the CPU."""
    readings: Readings = field(default_factory=dict)
    cluster: dict[str, Any] = field(default_factory=dict)
    """How a cluster shared the work; empty without one."""
    unusable: Unusable = field(default_factory=dict)
    """Libraries that turned out to be unusable when the backend was chosen, and why."""

    def head(self) -> dict[str, Any]:
        """Return the JSON fields known before the search."""
        known: dict[str, Any] = {
            "schema": 1,
            "instance": self.request.instance.name,
            "backend": self.row.name,
            "device": self.search.device,
            "dropped": self.loaded.dropped.counts(),
        }
        return known | ({"device_facts": self.facts} if self.facts is not None else {})

    def tail(self) -> dict[str, Any]:
        """Return the JSON fields known after the search."""
        found: dict[str, Any] = {
            "packings": self.counts.packings,
            "solutions": self.counts.solutions,
            "work": self.work,
            "seconds": self.seconds,
            "verified": self.verified,
        }
        if self.digest is not None:
            found["digest"] = self.digest
        if self.readings:
            found["readings"] = self.readings
        if self.cluster:
            found["cluster"] = self.cluster
        if self.loaded.problem.impossible:
            found["impossible"] = self.loaded.problem.impossible
        return found


class Searches(Protocol):
    """Where searches run: in this process, or on a cluster."""

    def choose(
        self, request: Request, problem: Problem, unusable: Unusable
    ) -> tuple[Row, dict[str, float]]:
        """Return the backend, and the estimated seconds by name that decided the choice.

        `unusable` has libraries that cannot be used; more are added when they are found.
        """
        ...

    def prepare(self, row: Row, loaded: Loaded, options: Options) -> Search:
        """Return the prepared search."""
        ...

    def listed(self, report: Report) -> Packings | None:
        """Return all packings of a problem that was only counted; None if that takes too long."""
        ...

    def counted_again(self, report: Report) -> Answer:
        """Count again, with counters, after a search whose rows were not held."""
        ...

    def finished(self, report: Report) -> None:
        """Add facts about where it ran, before the numbers are written."""
        ...
