"""`wordpack solve` with an answer too long to hold, and with a backend that lies."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tree import TESTS
from wordpack import schemas
from wordpack.backend import registry
from wordpack.solving import listing

Command = Callable[..., Any]

SCHEMA = json.loads((Path(schemas.__file__).parent / "solve.json").read_text())


@pytest.fixture
def short_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limits, so that parker's 538 packings are too many to hold, in small parts."""
    monkeypatch.setattr(listing, "LISTED", 100)
    monkeypatch.setattr(listing, "PART", 64)


@pytest.fixture
def backends(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make modules of tests/fakes the only backends: `backends("liar")`."""
    monkeypatch.syspath_prepend(TESTS)

    def only(*names: str) -> None:
        rows = tuple(registry.Row(name, f"fakes.{name}:Fake", name, "a fake") for name in names)
        monkeypatch.setattr(registry, "ROWS", rows)

    return only


def rows_of(text: str, form: str) -> list[tuple[str, ...]]:
    if form == "text":
        return [tuple(line.split(" ")) for line in text.splitlines()]
    if form == "csv":
        return [tuple(row) for row in csv.reader(io.StringIO(text))]
    found = json.loads(text)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert "digest" not in found
    assert (found["packings"], found["solutions"]) == (538, 831)
    assert found["verified"] == "expected"
    return [tuple(row) for row in found["results"]]


@pytest.mark.parametrize("form", ["text", "csv", "json"])
@pytest.mark.parametrize("packings", [(), ("--packings",)])
def test_a_streamed_answer_has_the_same_rows(
    wordpack: Command,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    form: str,
    packings: tuple[str, ...],
) -> None:
    """It has the same rows as the held and sorted answer, in every format; the summary says so."""
    held = wordpack("solve", "parker", *packings).out.splitlines()
    monkeypatch.setattr(listing, "LISTED", 100)
    monkeypatch.setattr(listing, "PART", 64)
    target = tmp_path / "rows"
    options = (*packings, "--format", form, "--output", str(target))
    status, out, err = wordpack("solve", "parker", *options)
    assert (status, out) == (0, "")
    assert form == "json" or "listed in search order" in err
    rows = rows_of(target.read_text(), form)
    if form == "csv":
        assert rows.pop(0) == ("word1", "word2", "word3", "word4", "word5")
    assert sorted(" ".join(row) for row in rows) == sorted(held)


@pytest.mark.usefixtures("short_memory")
def test_without_a_place_for_the_rows_the_counts_are_told(wordpack: Command) -> None:
    """Exit status 2, one line with both counts and what to do, and empty standard output."""
    status, out, err = wordpack("solve", "parker")
    assert (status, out) == (2, "")
    assert err.startswith("wordpack: 538 packings and 831 solutions are more than 100 rows")
    assert "--output FILE" in err
    assert "--count-only" in err
    assert err.count("\n") == 1


@pytest.mark.usefixtures("short_memory")
def test_a_streamed_answer_has_its_work(wordpack: Command, tmp_path: Path) -> None:
    target = tmp_path / "rows"
    options = ("--backend", "rarest_letter", "--format", "json", "--output", str(target))
    wordpack("solve", "parker", "--work", *options)
    work = json.loads(target.read_text())["work"]
    assert (work["nodes_1"], work["nodes_5"]) == (315, 538)


def test_a_row_is_a_row_up_to_the_limit(wordpack: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly as many rows as the limit are listed; with the limit one lower, they are not."""
    monkeypatch.setattr(listing, "LISTED", 10)
    assert wordpack("solve", "toy").status == 0
    monkeypatch.setattr(listing, "LISTED", 9)
    assert wordpack("solve", "toy").status == 2
    assert wordpack("solve", "toy", "--packings").status == 0


def test_a_bare_count_of_an_unknown_problem_has_no_time(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A count that cannot be repeated or listed, with no known answer, is not verified."""
    monkeypatch.setattr(listing, "LISTED", 2)
    rows = tuple(row for row in registry.ROWS if row.name == "rarest_letter")
    monkeypatch.setattr(registry, "ROWS", rows)
    options = ("solve", "3x5@toy", "--count-only")
    found = json.loads(wordpack(*options, "--format", "json").out)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert found["packings"] > 2
    assert found["verified"] is None
    assert found["seconds"]["search"] is None
    err = wordpack(*options).err
    assert "not verified" in err
    assert "search " not in err.replace("search time", "")


LIES = {
    "liar": "found 4 packings",
    "duplicate": "1 packings are repeated",
    "overlapping": "uses a letter twice",
}


@pytest.mark.parametrize("form", ["text", "csv", "json"])
@pytest.mark.parametrize("name", LIES)
def test_a_wrong_answer_is_never_written(
    wordpack: Command, backends: Callable[..., None], tmp_path: Path, name: str, form: str
) -> None:
    """Exit status 1, one line of error, empty standard output, the existing file untouched."""
    backends(name)
    target = tmp_path / "rows"
    target.write_text("precious")
    for place in ((), ("--output", str(target))):
        status, out, err = wordpack("solve", "toy", "--format", form, *place)
        assert (status, out) == (1, "")
        assert err.startswith("wordpack: wrong answer: ")
        assert LIES[name] in err
        assert err.count("\n") == 1
    assert target.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    ("name", "part", "reason"),
    [
        ("duplicate", 2, "listed a packing more than once"),
        ("duplicate", 100, "1 packings are repeated"),
        ("overlapping", 2, "uses a letter twice"),
        ("liar", 2, "found 4 packings and 9 solutions of toy, which has 5 and 10"),
    ],
)
def test_a_wrong_answer_is_seen_in_a_stream(
    wordpack: Command,
    backends: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    *,
    name: str,
    part: int,
    reason: str,
) -> None:
    """A row twice, in one part or two, an overlap, a missing row: the old file is kept."""
    backends(name)
    monkeypatch.setattr(listing, "LISTED", 2)
    monkeypatch.setattr(listing, "PART", part)
    target = tmp_path / "rows"
    target.write_text("precious")
    for place in ((), ("--output", str(target))):
        status, out, err = wordpack("solve", "toy", *place)
        assert (status, out) == (1, "")
        assert reason in err
    assert target.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    ("options", "reason"),
    [("toy", "found 6 packings"), ("toy --max-vowels 4", "counts 6 packings and lists 5")],
)
def test_a_wrong_count_is_found(
    wordpack: Command, backends: Callable[..., None], options: str, reason: str
) -> None:
    """By the known counts or, if there are none, by listing the packings."""
    backends("miscounter")
    status, out, err = wordpack("solve", *options.split(), "--count-only")
    assert (status, out) == (1, "")
    assert reason in err


def test_other_work_than_the_answer_is_found(
    wordpack: Command, backends: Callable[..., None]
) -> None:
    """The run that counts work must find the same packings as the run that is reported."""
    backends("flaky")
    status, out, err = wordpack("solve", "toy", "--work")
    assert (status, out) == (1, "")
    assert "found 4 packings when run again" in err
