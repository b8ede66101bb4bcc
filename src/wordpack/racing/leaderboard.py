"""What a race shows and stores: the table, the live display, and the JSON file."""

import json
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from time import monotonic
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from wordpack.errors import InputError
from wordpack.machine import hardware
from wordpack.racing.entry import Entry, Lineup, settle
from wordpack.racing.race import Race
from wordpack.racing.race_file import as_json
from wordpack.solving.judge import PROVEN
from wordpack.system.writing import replaced, writes_whole
from wordpack.text.formatting import duration, spread
from wordpack.text.output import tell
from wordpack.text.tables import printing

NAMES = 22
"""Columns for the name of a backend or a device; longer names are cut, but not in the JSON."""


def run(lineup: Lineup, json_file: str | None) -> int:
    """Run, show and store a race; return 0, or 1 for a wrong answer or a crash, 130 for Ctrl-C."""
    with _ended_by_sigterm():
        race = raced(lineup, json_file, live=True)
    with printing() as console:
        console.print(table(race))
    if race.fault:
        raise race.fault
    if not race.finished:
        return 130
    return 1 if any(entry.status in ("wrong", "crashed") for entry in race.entries) else 0


def raced(lineup: Lineup, json_file: str | None, *, live: bool) -> Race:
    """Run a race and store it; Ctrl-C ends it and keeps what was measured.

    With `live`, show it on standard error while it runs, in a terminal or a notebook.
    """
    with _live(lineup) if live else nullcontext(lambda _race: None) as show:
        race = Race(lineup)
        file = _File(race, json_file)
        known: list[tuple[str, int]] = []

        def changed() -> None:
            news = [(entry.status, len(entry.samples)) for entry in race.entries]
            if news != known:
                settle(race.lineup, race.entries)
                known[:] = [(entry.status, len(entry.samples)) for entry in race.entries]
                file.write(finished=False)
            show(race)

        race.changed = changed
        if live and sys.stderr.isatty():
            race.say = tell
        try:
            race.run()
            race.finished = True
        except KeyboardInterrupt:
            pass
    settle(race.lineup, race.entries)
    file.write(finished=race.finished)
    race.fault = file.fault
    return race


class _File:
    """The JSON file, rewritten as results come in; a failed write does not end the race."""

    def __init__(self, race: Race, path: str | None) -> None:
        self._race, self._path = race, path
        self._machine = hardware.describe() if path else {}
        self.fault: InputError | None = None
        self.write(finished=False)
        if self.fault:
            raise self.fault  # nothing has been measured yet

    def write(self, *, finished: bool) -> None:
        """Write everything known so far; write to a pipe or a device only once, at the end."""
        if self._path is None or not (finished or writes_whole(self._path)):
            return
        document = document_of(self._race, self._machine, finished=finished)
        self.fault = None
        try:
            with replaced(self._path) as stream:
                json.dump(document, stream, indent=1, allow_nan=False)
                stream.write("\n")
        except InputError as fault:
            self.fault = fault


def document_of(race: Race, machine: dict[str, Any], *, finished: bool) -> dict[str, Any]:
    """Return the JSON document of a race; `machine` is what `hardware.describe` returns."""
    return as_json(
        race.lineup,
        ranked(race),
        baseline(race),
        started=race.started,
        machine=machine,
        finished=finished,
    )


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Make SIGTERM end a race as Ctrl-C does: end children, restore the terminal, show results."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def ranked(race: Race) -> list[Entry]:
    """Return the entries: proven ones by speed, then unproven ones, then the rest."""

    def key(entry: Entry) -> tuple[int, float]:
        proven = entry.verified in PROVEN
        return (0 if proven else 1 if entry.median else 2, entry.median or 0.0)

    return sorted(race.entries, key=key)


def baseline(race: Race) -> Entry | None:
    """Return the baseline of speed-ups: the entry that was named, else the slowest proven one."""
    if race.lineup.baseline:
        named = [entry for entry in race.entries if entry.row.name == race.lineup.baseline]
        return named[0] if named and named[0].median else None
    proven = [entry for entry in race.entries if entry.verified in PROVEN]
    return max(proven, key=lambda entry: entry.median or 0.0, default=None)


def table(race: Race) -> Group:
    """Return the leaderboard: two lines per backend that began, and why others have no time."""
    against, columns = baseline(race), race.lineup.workload.columns[:2]
    instance = race.lineup.instance
    shown = Table(title=Text(f"{instance.name}: {instance.title}"), box=SIMPLE_HEAD)
    shown.title_justify = "left"
    # the box already has a blank between columns: without padding the table fits 80 columns
    shown.padding, shown.pad_edge, shown.show_edge = (0, 0, 0, 0), False, False
    shown.add_column("#", justify="right", no_wrap=True, min_width=1)
    shown.add_column("backend\ndevice", no_wrap=True, max_width=NAMES)
    for heading in ("prepare", "first\ncall", "search\nspread", "n", "speed-\nup",
                    "\n".join(columns)):  # fmt: skip
        shown.add_column(heading, justify="right")
    shown.add_column("verified", no_wrap=True, min_width=len("expected"))
    notes = []
    for place, entry in enumerate(ranked(race), start=1):
        proven = entry.verified in PROVEN
        if entry.status not in ("refused", "unavailable"):  # nothing to show
            cells = [str(place) if proven else "", *_cells(entry, against, columns)]
            shown.add_row(*map(Text, cells))
        if entry.median is None:
            notes.append(f"{entry.row.name}: {entry.status.replace('_', ' ')}: {entry.reason}")
        elif entry.reason:
            notes.append(f"{entry.row.name}: {entry.reason}")
        if entry.median is not None and not proven:
            notes.append(
                f"{entry.row.name}: valid, but not ranked: nothing shows that its answer is "
                "complete"
            )
    notes.append("search: the median of n runs; spread: the fastest and the slowest of them")
    if any(entry.status == "out_of_budget" for entry in race.entries):
        notes.append("a larger budget lets the others finish: --budget 900, make race BUDGET=900")
    if against:
        notes.append(f"speed-up: against {against.row.name}")
    return Group(shown, *(Text(note) for note in notes))


def _cells(entry: Entry, against: Entry | None, columns: Sequence[str]) -> list[str]:
    middle = entry.median
    if middle is None:
        return [f"{entry.row.name}\n{entry.device}", *[""] * 6, entry.status.replace("_", "\n")]
    between = spread(min(entry.times), max(entry.times), middle) if len(entry.times) > 1 else ""
    speedup = ""
    if against and against.median and entry.verified in PROVEN:
        ratio = against.median / middle
        speedup = _three_digits(ratio) + "x"
    return [
        f"{entry.row.name}\n{entry.device}",
        duration(entry.prepare or 0.0),
        duration(entry.first or 0.0),
        f"{duration(middle)}\n{between}",
        str(len(entry.times)),
        speedup,
        "\n".join(f"{entry.found[column]:,}" for column in columns),
        entry.verified or "",
    ]


def _three_digits(ratio: float) -> str:
    """Return a ratio in few characters, thousands as k: 1.25, 42, 680, 26.2k, 139k."""
    if ratio >= 10_000:  # noqa: PLR2004  five digits are wider than the column
        return f"{ratio / 1000:.3g}k" if ratio < 999_500 else f"{ratio / 1000:,.0f}k"  # noqa: PLR2004
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"  # noqa: PLR2004  3 digits


@contextmanager
def _live(lineup: Lineup) -> Iterator[Callable[[Race], None]]:
    """Yield a function that draws the race on standard error, or does nothing without a terminal.

    It draws between timed regions, and once a second inside regions that last longer.
    """
    console = Console(stderr=True)
    if not (console.is_terminal or console.is_jupyter):
        yield lambda _race: None
        return
    began = monotonic()

    def draw(race: Race) -> Table:
        shown = Table(
            title=Text(f"racing on {lineup.instance.name}, {monotonic() - began:.0f} s"), box=None
        )
        shown.add_column("backend", no_wrap=True)
        shown.add_column("runs", justify="right")
        shown.add_column("used", justify="right")
        shown.add_column("state")
        for entry in race.entries:
            runs = len(entry.samples) + (entry.first is not None)
            used = f"{duration(entry.spent)} of {lineup.budget:g} s" if entry.spent else ""
            state = entry.status.replace("_", " ") + (f": {entry.reason}" if entry.reason else "")
            shown.add_row(*map(Text, (entry.row.name, str(runs), used, state)))
        return shown

    with Live(console=console, auto_refresh=False, transient=True) as live:
        yield lambda race: live.update(draw(race), refresh=True)
