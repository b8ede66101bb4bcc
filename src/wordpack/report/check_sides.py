"""One side of a check: a set of results, and the commit to compare on each machine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wordpack.errors import InputError
from wordpack.report import sources
from wordpack.text.formatting import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wordpack.report.measurements import Key, Measurements, Point

PREFIX = re.compile(r"[0-9a-f]{8,40}")

Moment = tuple[int, str]
"""Date (ms since 1970) and commit of points measured together; a race has no commit."""


@dataclass(frozen=True)
class Side:
    """One set of results, and the moment to compare on each machine."""

    option: str
    """base or new."""
    source: str
    found: Measurements
    moments: dict[str, Moment]

    def point(self, key: Key) -> Point | None:
        """Return the point of a line at the compared moment, or None."""
        moment = self.moments.get(key.machine)
        return self.found.lines.get(key, {}).get(moment) if moment else None


def read_side(option: str, source: str, commit: str | None, machine: str | None) -> Side:
    """Read a source; choose each machine's newest commit, or the one that begins with `commit`.

    Raises InputError if the machine or commit does not exist, or several commits match.
    """
    found = sources.read((source,))
    if machine is not None and machine not in found.machines:
        raise InputError(
            f"`machine` {shown(machine)}: {shown(source)} has {listed(found.machines)}"
        )
    moments: dict[str, set[Moment]] = {
        name: set() for name in found.machines if machine in (None, name)
    }
    for key, points in found.lines.items():
        if key.machine in moments:
            moments[key.machine] |= set(points)
    if commit is not None:
        where = f"--{option}-commit {shown(commit)}"
        moments = _narrowed(moments, commit.lower(), where, shown(source))
    return Side(option, source, found, {name: max(own) for name, own in moments.items() if own})


def _narrowed(
    moments: dict[str, set[Moment]], prefix: str, where: str, source: str
) -> dict[str, set[Moment]]:
    """Return the moments whose commit begins with `prefix`; InputError unless exactly one does."""
    if not PREFIX.fullmatch(prefix):
        raise InputError(f"{where}: give 8 to 40 hexadecimal digits of a commit")
    kept = {
        name: {moment for moment in own if moment[1].startswith(prefix)}
        for name, own in moments.items()
    }
    commits = {commit for own in kept.values() for _, commit in own}
    if len(commits) != 1:
        wrong = "several commits begin with it" if commits else f"{source} has no such commit"
        there = sorted(set().union(*moments.values()), reverse=True)
        raise InputError(f"{where}: {wrong}; it has {listed(named(each) for each in there)}")
    return kept


def named(moment: Moment) -> str:
    """Return a readable name of a moment: a commit and its day, or a race and its minute."""
    return (
        f"{moment[1][:8]} of {started(moment)[:10]}"
        if moment[1]
        else f"a race of {started(moment)[:16]}"
    )


def started(moment: Moment) -> str:
    """Return the date and time of a moment in ISO format, UTC."""
    return datetime.fromtimestamp(moment[0] / 1000, UTC).isoformat(timespec="seconds")


def listed(names: Iterable[str], most: int = 5) -> str:
    """Return the first few names, safe to print, and how many more there are."""
    every = list(names)
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(shown(name) for name in every[:most]) + more if every else "nothing"
