"""What a race shows and stores: ranks, baseline, table, and the JSON during the race."""

import io
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from rich.console import Console

from tree import TESTS
from wordpack import schemas
from wordpack.backend import registry
from wordpack.racing import leaderboard
from wordpack.racing.entry import Entry, Lineup
from wordpack.racing.race import Race
from wordpack.solving.instances import INSTANCES

Command = Callable[..., Any]

SCHEMA = json.loads((Path(schemas.__file__).parent / "race.json").read_text())
TIME = re.compile(r"\d (µs|ms|s)\b")


@pytest.fixture(autouse=True)
def _racers_find_the_fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)


@pytest.fixture
def backends(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make modules of tests/fakes the only backends."""

    def only(*names: str) -> None:
        rows = tuple(registry.Row(name, f"fakes.{name}:Fake", name, "a fake") for name in names)
        monkeypatch.setattr(registry, "ROWS", rows)

    return only


def entry(name: str, *samples: float, **known: Any) -> Entry:
    """Return an entry as a race would leave it: proven if it has samples."""
    proven: dict[str, Any] = {
        "status": "ok", "verified": "expected", "prepare": 0.5, "first": 1.5, "device": "a device",
        "found": {"packings": 1234, "solutions": 56789}, "samples": list(samples),
    }  # fmt: skip
    row = registry.Row(name, f"fakes.{name}:Fake", name, "a fake")
    return Entry(row, **((proven if samples else {}) | known))


def race_of(*entries: Entry, baseline: str | None = None) -> Race:
    race = Race(Lineup(INSTANCES["toy"], tuple(e.row for e in entries), baseline=baseline))
    race.entries = list(entries)
    return race


def shown(race: Race) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=100).print(leaderboard.table(race))
    return [line.rstrip() for line in file.getvalue().splitlines()]


MIXED = (
    entry(
        "wrong",
        status="wrong",
        reason="it is short",
        prepare=None,
        found={"packings": 4, "solutions": 9},
    ),
    entry("slow", 4.0, 2.0, 3.0),
    entry("valid", 0.5, verified="valid"),
    entry("fast", 0.02, 0.01, 0.05, verified="agreed"),
)


def test_the_proven_are_ranked_by_their_medians() -> None:
    """Then come the unproven, however fast, then backends without a time."""
    order = [each.row.name for each in leaderboard.ranked(race_of(*MIXED))]
    assert order == ["fast", "slow", "valid", "wrong"]


@pytest.mark.parametrize(
    ("named", "due"), [(None, "slow"), ("fast", "fast"), ("valid", "valid"), ("wrong", None)]
)
def test_speed_ups_are_against_the_one_named_or_the_slowest_proven(
    named: str | None, due: str | None
) -> None:
    found = leaderboard.baseline(race_of(*MIXED, baseline=named))
    assert (found.row.name if found else None) == due


def test_the_table_has_what_was_measured() -> None:
    """Rank, prepare, first call, median, spread, runs, speed-up and counts; otherwise a reason."""
    lines = shown(race_of(*MIXED))
    first = next(line for line in lines if " fast " in line)
    assert " ".join(first.split()) == "1 fast 500 ms 1.50 s 20.0 ms 3 150x 1,234 agreed"
    below = lines[lines.index(first) + 1]
    assert below.split() == ["a", "device", "10.0…50.0", "56,789"]
    second = next(line for line in lines if " slow " in line)
    assert " ".join(second.split()) == "2 slow 500 ms 1.50 s 3.00 s 3 1x 1,234 expected"
    unproven = next(line for line in lines if line.strip().startswith("valid "))
    assert " ".join(unproven.split()) == "valid 500 ms 1.50 s 500 ms 1 1,234 valid"
    wrong = next(line for line in lines if line.strip().startswith("wrong "))
    assert wrong.split() == ["wrong", "wrong"]
    assert not any(TIME.search(line) for line in lines if "wrong" in line)
    assert "wrong: wrong: it is short" in lines
    assert "valid: valid, but not ranked: nothing shows that its answer is complete" in lines
    assert "speed-up: against slow" in lines


def test_a_device_with_a_long_name_leaves_the_table_its_width() -> None:
    """Backends' names are never cut, and the table fits 80 columns."""
    lines = shown(race_of(entry("fast", 0.01, device="A Graphics Processor of Many Words (TM)")))
    assert any("A Graphics Processor …" in line for line in lines)
    assert max(map(len, lines)) <= 80
    assert max(len(row.name) for row in registry.ROWS) <= leaderboard.NAMES


def test_the_table_without_a_baseline_has_no_speed_up() -> None:
    lines = shown(race_of(*MIXED, baseline="wrong"))
    assert not any(re.search(r"\dx", line) for line in lines)
    assert not any("against" in line for line in lines)


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        *((0.5, "0.5"), (1.254, "1.25"), (99.94, "99.9"), (680.4, "680"), (9_999, "9,999")),
        *((26_171, "26.2k"), (139_103, "139k"), (999_499, "999k"), (4_000_000, "4,000k")),
    ],
)
def test_speed_ups_are_short(ratio: float, text: str) -> None:
    assert leaderboard._three_digits(ratio) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0.00 µs"), (4.2e-6, "4.20 µs"), (0.000123, "123 µs"), (0.0456, "45.6 ms"),
     (1.0, "1.00 s"), (345.6, "346 s")],
)  # fmt: skip
def test_durations_have_three_digits(seconds: float, text: str) -> None:
    assert leaderboard.duration(seconds) == text


def test_no_run_is_begun_that_the_budget_does_not_hold() -> None:
    """The time used plus the slowest run so far must fit into the 30 seconds."""
    assert race_of()._fits(entry("slow", 7.0, 7.0, prepare=1.0, first=8.0))
    assert not race_of()._fits(entry("slow", 7.0, 7.1, prepare=1.0, first=8.0))
    assert race_of()._fits(entry("once", status="ok", prepare=11.0, first=9.5))
    assert not race_of()._fits(entry("once", status="ok", prepare=11.1, first=9.5))


@pytest.mark.parametrize(
    ("names", "status"),
    [("honest", 0), ("honest liar", 1), ("honest segfault", 1), ("unavailable shapeless", 0)],
)
def test_a_wrong_answer_or_a_crash_is_the_exit_status(
    wordpack: Command, backends: Callable[..., None], tmp_path: Path, names: str, status: int
) -> None:
    """The JSON fits its schema, and has all samples or the reason why there are none."""
    backends(*names.split())
    outcome = wordpack("race", "toy", "--repeat", "2", "--json", str(tmp_path / "race.json"))
    assert outcome.status == status
    assert outcome.err == ""
    assert "\x1b" not in outcome.out
    found = json.loads((tmp_path / "race.json").read_text())
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert found["finished"] is True
    assert {each["backend"] for each in found["backends"]} == set(names.split())
    for each in found["backends"]:
        assert each["backend"] in outcome.out
        assert (each["status"] == "ok") == (len(each["seconds"]["samples"]) == 2)
        assert (each["status"] == "ok") == (each["reason"] == "")
        assert (each["status"] == "ok") == (each["verified"] == "expected")


def test_what_did_not_begin_has_no_rows(wordpack: Command, backends: Callable[..., None]) -> None:
    """Such a backend has one line below the table, with its reason."""
    backends("honest", "unavailable", "shapeless")
    lines = wordpack("race", "toy", "--repeat", "1").out.splitlines()
    for name in ("unavailable", "shapeless"):
        own = [line for line in lines if line.startswith(name)]
        assert len(own) == sum(name in line.split(":")[0] for line in lines) == 1


def test_the_json_is_written_as_results_come_in(
    wordpack: Command,
    backends: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Before each run the file is valid, marked unfinished, and has all earlier runs."""
    backends("honest", "printer")
    target = tmp_path / "race.json"
    seen: list[list[int]] = []
    plain = Race._run

    def look(self: Race, each: Entry) -> None:
        found = json.loads(target.read_text())
        jsonschema.Draft202012Validator(SCHEMA).validate(found)
        assert found["finished"] is False
        by_name = {b["backend"]: b["seconds"] for b in found["backends"]}
        first = (by_name[name]["first"] for name in ("honest", "printer"))
        seen.append([value is not None for value in first])
        plain(self, each)

    monkeypatch.setattr(Race, "_run", look)
    assert wordpack("race", "toy", "--repeat", "1", "--json", str(target)).status == 0
    assert seen == [[False, False], [True, False], [True, True], [True, True]]
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(("glob", "status"), [("costly", "ok"), ("cost*", "refused")])
def test_a_cost_is_overridden_by_the_exact_name_only(
    wordpack: Command, backends: Callable[..., None], tmp_path: Path, glob: str, status: str
) -> None:
    backends("honest", "costly")
    target = tmp_path / "race.json"
    wordpack("race", "toy", "--repeat", "1", "--backend", glob, "--json", str(target))
    found = [(e["backend"], e["status"]) for e in json.loads(target.read_text())["backends"]]
    assert found == [("costly", status)]


def test_a_named_baseline_is_shown_and_stored(
    wordpack: Command, backends: Callable[..., None], tmp_path: Path
) -> None:
    backends("honest", "printer", "liar")
    target = tmp_path / "race.json"
    options = ("--backend", "honest", "--backend", "p*", "--baseline", "printer")
    outcome = wordpack("race", "toy", "--repeat", "1", *options, "--json", str(target))
    assert "speed-up: against printer" in outcome.out
    assert "liar" not in outcome.out
    assert json.loads(target.read_text())["baseline"] == "printer"
