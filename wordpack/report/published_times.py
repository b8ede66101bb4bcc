"""The times that authors published for their own programs, as numbers beside what they wrote.

They are shown as a series of their own: another machine, another year, often another compiler, so
no rank and no speed-up has anything to do with them.
"""

from __future__ import annotations

from dataclasses import dataclass

from wordpack.published import SYSTEMS


@dataclass(frozen=True)
class Reference:
    """One published run."""

    system: str
    author: str
    year: int
    language: str
    machine: str
    backend: str
    """Ours that carries the same algorithm."""
    instance: str
    """Of ours, where it is the same problem; else empty."""
    time: str
    """As its author put it."""
    seconds: tuple[float, ...]
    """The numbers in `time`."""
    original: str
    """The author's command line, where it was published."""


def references() -> tuple[Reference, ...]:
    """Return all published runs that have a time."""
    return tuple(
        Reference(
            system.name,
            system.author,
            system.year,
            system.language,
            system.machine,
            system.backend,
            run.instance,
            run.time,
            run.seconds,
            run.original,
        )
        for system in SYSTEMS
        for run in system.runs
    )
