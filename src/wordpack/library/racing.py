"""Run races, and read their leaderboards."""

from __future__ import annotations

import io
import json
import os
from dataclasses import asdict
from fnmatch import fnmatchcase
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from wordpack.backend import registry
from wordpack.compiled.threads import check_threads
from wordpack.errors import InputError
from wordpack.library.others import row_of
from wordpack.library.problems import Rules, Words, problem
from wordpack.library.showing import data_frame, html_table
from wordpack.machine import hardware
from wordpack.racing import leaderboard
from wordpack.racing.entry import Entry, Lineup
from wordpack.solving.judge import PROVEN
from wordpack.solving.workload import WORKLOADS, Challenge, challenge
from wordpack.system.writing import replaced
from wordpack.text.formatting import duration, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wordpack.backend.base import Backend
    from wordpack.racing.race import Race
    from wordpack.solving.instances import Instance


class Result(NamedTuple):
    """The result of one backend in a race."""

    backend: str
    status: str
    """'ok', 'wrong', 'out_of_budget', 'unavailable', 'refused', 'crashed' or 'interrupted'."""
    reason: str
    """Why it has no time; empty if it has one."""
    device: str
    prepare: float | None
    """Seconds to prepare, before the first call."""
    first: float | None
    """Seconds of the first call."""
    median: float | None
    """Seconds of the median run; None if no answer was verified."""
    fastest: float | None
    slowest: float | None
    runs: int
    speedup: float | None
    """Against the baseline; None if it is not ranked."""
    verified: str | None
    """'expected', 'agreed', or 'valid', which is not ranked."""
    numbers: dict[str, int]
    """Numbers of its answer: packings and solutions, or games, guesses and missed."""


COLUMNS = ("backend", "device", "prepare", "first call", "median", "spread", "speed-up", "verified")


class Board:
    """The leaderboard of a race: one Result per backend, the fastest proven one first."""

    def __init__(self, race: Race) -> None:
        """Wrap a finished race."""
        self._race = race
        against = leaderboard.baseline(race)
        self.baseline: str | None = against.row.name if against else None
        """The backend that speed-ups are relative to."""
        self.results: list[Result] = [_result(e, against) for e in leaderboard.ranked(race)]
        self.finished: bool = race.finished
        """False if the race was interrupted."""

    def __iter__(self) -> Iterator[Result]:
        """Yield the results, the fastest proven one first."""
        return iter(self.results)

    def __len__(self) -> int:
        """Return the number of backends in the race."""
        return len(self.results)

    def __getitem__(self, backend: str) -> Result:
        """Return the result of `backend`; raise KeyError if it was not in the race."""
        for each in self.results:
            if each.backend == backend:
                return each
        raise KeyError(backend)

    def to_json(self) -> dict[str, Any]:
        """Return what `wordpack race --json` writes: all samples, statuses and the machine."""
        machine = hardware.describe()
        return leaderboard.document_of(self._race, machine, finished=self.finished)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write `to_json` to a file atomically, for `wordpack report`."""
        with replaced(os.fspath(path)) as stream:
            json.dump(self.to_json(), stream, indent=1, allow_nan=False)
            stream.write("\n")

    def to_pandas(self) -> object:
        """Return a pandas DataFrame with a row per backend; times are in seconds."""
        rows = [each[:-1] + tuple(each.numbers.get(c) for c in self._columns()) for each in self]
        return data_frame(rows, [*Result._fields[:-1], *self._columns()])

    def _columns(self) -> tuple[str, ...]:
        return self._race.lineup.workload.columns

    def __str__(self) -> str:
        """Return the table that `wordpack race` prints."""
        from rich.console import Console

        console = Console(file=io.StringIO(), width=100)
        with console.capture() as shown:
            console.print(leaderboard.table(self._race))
        return shown.get()

    def __repr__(self) -> str:
        """Say in one line what was raced, and which backend was fastest."""
        ranked = [each for each in self if each.speedup is not None]
        fastest = f", fastest {ranked[0].backend} {_shown(ranked[0].median)}" if ranked else ""
        return f"<race of {len(self)} backends on {self._race.lineup.instance.name}{fastest}>"

    def _repr_html_(self) -> str:
        """Show backends with a time in one table, and the others with their reasons below it."""
        rows = [
            (
                *(each.backend, each.device, _shown(each.prepare), _shown(each.first)),
                *(_shown(each.median), f"{_shown(each.fastest)} to {_shown(each.slowest)}"),
                *(f"{each.speedup:.3g}x" if each.speedup else "", each.verified or ""),
            )
            for each in self
            if each.median is not None
        ]
        others = [
            (each.backend, each.status.replace("_", " "), each.reason)
            for each in self
            if each.median is None
        ]
        without = html_table("no time", ("backend", "status", "reason"), others) if others else ""
        return html_table(repr(self)[1:-1], COLUMNS, rows) + without


def race(
    words: Words | Instance | None = None,
    /,
    *,
    backends: Sequence[str | type[Backend]] = (),
    budget: float = 30.0,
    repeat: int | None = None,
    baseline: str | None = None,
    threads: int | None = None,
    progress: bool = False,
    **rules: Unpack[Rules],
) -> Board:
    """Race backends on a problem, each in its own process; every answer is verified.

    `words` and `rules` are those of `problem`; `words` may also name an instance of whole games.
    `backends` are names, patterns ('filtered_*') or subclasses of Backend (default: every backend).
    `budget` is in seconds per backend. Speed-ups are relative to `baseline` (default: the slowest).
    A keyboard interrupt ends the race, and the board has what was measured until then. Raises
    InputError for bad input.
    """
    chosen: Challenge
    chosen = challenge(words) if isinstance(words, str) and not rules else problem(words, **rules)
    lineup = lineup_of(
        chosen, backends, budget=budget, repeat=repeat, baseline=baseline, threads=threads
    )
    return Board(leaderboard.raced(lineup, None, live=progress))


def lineup_of(
    chosen: Challenge,
    backends: Sequence[str | type[Backend]],
    *,
    budget: float,
    repeat: int | None,
    baseline: str | None,
    threads: int | None,
) -> Lineup:
    """Return the problem and backends of a race; raise InputError for bad input."""
    check_threads(threads)
    if not isfinite(budget) or budget <= 0:
        raise InputError(f"`budget` {budget}: it must be a number of seconds over 0")
    # report an empty list once here, not in every backend's process
    WORKLOADS[chosen.workload].problem(asdict(chosen.spec))
    own = [row_of(each) for each in backends if not isinstance(each, str)]
    globs = [each for each in backends if isinstance(each, str)] + [row.name for row in own]
    rows = registry.of_workload(chosen.workload)
    if set(globs or ["*"]) - {row.name for row in [*registry.ROWS, *own]}:
        from wordpack.racing import plugins

        others = [each.row for each in plugins.found()]
        rows += [row for row in others if row.workload == chosen.workload]
    rows += [row for row in own if row.workload == chosen.workload]
    names = [row.name for row in rows]
    wanted = [row for row in rows if any(fnmatchcase(row.name, glob) for glob in globs or ["*"])]
    for glob in globs:
        if not any(fnmatchcase(name, glob) for name in names):
            raise InputError(f"`backend` {glob} matches no backend{nearest(glob, names)}")
    if baseline is not None and baseline not in {row.name for row in wanted}:
        if baseline not in names:
            registry.row(baseline)
        raise InputError(f"`baseline` {baseline} is not in this race: add `backend` {baseline}")
    return Lineup(
        chosen,
        tuple(wanted),
        by_name=frozenset(globs) & frozenset(names),
        budget=budget,
        repeat=repeat,
        baseline=baseline,
        threads=threads,
    )


def _result(entry: Entry, against: Entry | None) -> Result:
    middle, times = entry.median, entry.times if entry.median is not None else []
    speedup = None
    if middle and against and against.median and entry.verified in PROVEN:
        speedup = against.median / middle
    return Result(
        *(entry.row.name, entry.status, entry.reason, entry.device, entry.prepare, entry.first),
        *(middle, min(times, default=None), max(times, default=None), len(times), speedup),
        *(entry.verified, dict(entry.found)),
    )


def _shown(seconds: float | None) -> str:
    return "" if seconds is None else duration(seconds)
