"""Pages for tests: of the three machines in tests/stored, and of measurements with any names.

One machine has a GPU and a race, one failed everything, and one was measured by an old asv.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from wordpack.report import sources
from wordpack.report.latest import Baseline
from wordpack.report.level_shifts import Step
from wordpack.report.measurements import Device, Key, Measurements, Point, Series, State
from wordpack.report.page import About, render
from wordpack.report.regressions import Verdict

RESULTS = Path(__file__).parent / "stored"
RACE = RESULTS / "gpu-race.json"
SOURCES = (
    str(RESULTS / "gpu"),
    f"gpu-server={RACE}",
    str(RESULTS / "broken"),
    str(RESULTS / "old"),
)
BASELINE = Baseline("dancing_links", "gpu-server")
REGRESSED = 2
"""The place of the commit that made bitset_rows 1.6 times slower on gpu-server."""

DAY = 86_400_000
"""Milliseconds per day."""

HOSTILE = (
    "<script>window.hacked=1</script>",
    '"><img src=x onerror=window.hacked=1>',
    "</script><script>window.hacked=1</script><!--",
    "javascript:window.hacked=1",
    "{{ 7 * 7 }} {% raw %} ${7*7} %{x}",
    "\u2028\u202e\ud800\x00\n",
    "]]>&lt;b&gt;</style></textarea>",
)
"""Names that would do harm if they were not escaped."""


def three() -> Measurements:
    return sources.read(SOURCES)


def page_of_three() -> str:
    """Return the page of the three machines, with a regression of bitset_rows on parker."""
    key = Key("gpu-server", "search", "bitset_rows", "parker", "", "virtualenv-py3.11")
    changes = {key: [Step(REGRESSED, Verdict.SLOWER, 0.000912, 0.0014592, seen=5)]}
    about = About(SOURCES, "wordpack report", "0.1.0", "2025-06-01", BASELINE, csv="report.csv")
    return render(three(), about, changes)


class Search(NamedTuple):
    """A search's figure, for an instance that is not a named one."""

    machine: str
    backend: str
    environment: str = "py3.11"
    value: float | None = 1.0
    instance: str = "i"
    runs: int | None = 5
    commits: int = 1
    """How many commits have this figure, one per day."""
    reason: str = ""
    facts: dict[str, str] = {}  # noqa: RUF012  never changed


def searches(*listed: Search, series: str = "search") -> Measurements:
    """Return measurements with one file per search; a search without a value failed."""
    found = Measurements()
    for each in listed:
        found.machine(each.machine, each.facts)
        key = Key(each.machine, series, each.backend, each.instance, "", each.environment)
        state = State.FAILED if each.value is None else State.MEASURED
        low, high = (None, None) if each.value is None else (0.9 * each.value, 1.1 * each.value)
        origin = found.origin(
            f"{each.machine}-{each.environment}.json", "asv run", each.environment
        )
        for place in range(each.commits):
            commit = f"{place + 1:040x}"
            point = Point(
                commit, DAY * place, state, origin, each.value, low, high, each.runs,
                reason=each.reason,
            )  # fmt: skip
            found.add(key, Series(series, series.capitalize(), "seconds"), point)
    return found


def written(folder: Path, found: Measurements, baseline: Baseline = Baseline()) -> Path:  # noqa: B008
    """Write the page of these measurements; return its path."""
    path = folder / "report.html"
    about = About(("made up",), "wordpack report", "0", "2025-06-01", baseline)
    path.write_text(render(found, about), encoding="utf-8")
    return path


def named(*texts: str) -> tuple[Measurements, About, dict[Key, list[Step]]]:
    """Return measurements that use the texts for every name, reason and file."""
    found, changes = Measurements(), {}
    for text in texts:
        machine = _add(found, text)
        changes[Key(machine, "search", text, text, text, text)] = [
            Step(1, Verdict.SLOWER, 1.0, 1.5, seen=1)
        ]
    about = About(texts, texts[0], texts[0], texts[0], Baseline(texts[0], texts[0]), csv=texts[0])
    return found, about, changes


def _add(found: Measurements, text: str) -> str:
    """Add a machine called `text`, measured at two commits; return its name."""
    machine = found.machine(text, {text: text, "cpu": text})
    origin = found.origin(text, text, text)
    for series in (Series("search", text, "seconds"), Series(text, text, text)):
        for backend, state in ((text, State.MEASURED), (text + "2", State.FAILED)):
            key = Key(machine, series.name, backend, text, text, text)
            value = 1.5 if state is State.MEASURED else None
            for commit, date in (("a" * 40, 1_700_000_000_000), ("b" * 40, 1_710_000_000_000)):
                found.add(key, series, Point(commit, date, state, origin, value, reason=text))
    growth = Series("growth", text, "seconds")
    for share in (0.5, 1.0):
        key = Key(machine, "growth", text, "", f"share={share}, {text}", text)
        found.add(key, growth, Point("b" * 40, 1_710_000_000_000, State.MEASURED, origin, share))
    found.devices.append(Device(machine, text, text, {text: text}, (text,), origin))
    return machine
