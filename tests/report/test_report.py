"""`wordpack report RESULTS... --output FILE`: page and figures are written all or not at all."""

import csv
import json
import os
import sys
from pathlib import Path

import pytest
from conftest import Command

from handmade_results import entry, folder, race, row, tree
from wordpack.report import tables

SEARCH = "search.Search.time_run"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Write a folder of one machine's results."""
    return folder(tmp_path / "r", results={SEARCH: row(1.0, 2.0, 3.0, 4.0)}, benchmarks=())


def test_a_page_has_its_figures_beside_it(wordpack: Command, results: Path, tmp_path: Path) -> None:
    """CSV and JSON have the page's name and the page links to them; no partial file is left."""
    page = tmp_path / "out" / "page.html"
    page.parent.mkdir()
    outcome = wordpack("report", str(results), "--output", str(page))
    assert (outcome.status, outcome.err) == (0, "")
    assert "has 4 points of 1 machine, from 1 file\n" in outcome.out
    assert sorted(path.name for path in page.parent.iterdir()) == [
        "page.csv", "page.html", "page.json",
    ]  # fmt: skip
    text = page.read_text(encoding="utf-8")
    assert 'href="page.csv"' in text
    assert 'href="page.json"' in text
    with page.with_suffix(".csv").open(newline="") as stream:
        assert [each["value"] for each in csv.DictReader(stream)] == ["1.0", "2.0", "3.0", "4.0"]
    whole = json.loads(page.with_suffix(".json").read_text())
    assert whole["command"] == f"wordpack report {results} --output {page}"


def test_folders_packed_files_and_races_go_together(
    wordpack: Command, results: Path, tmp_path: Path
) -> None:
    packed = str(tmp_path / "m1.zip")
    pack = ("results", "pack", "--machine", "m1", "--results", str(results), "--output", packed)
    assert wordpack(*pack).status == 0
    file = race(tmp_path / "gpu.json", entry())
    page = str(tmp_path / "page.html")
    outcome = wordpack("report", str(results), packed, f"gpu-server={file}", "--output", page)
    assert outcome.status == 0
    whole = json.loads((tmp_path / "page.json").read_text())
    assert set(whole["machines"]) == {"m1", "gpu-server"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--baseline", "a"), ""),
        (("--baseline-machine", "m1"), ""),
        (("--baseline", "c"), "not in the results"),
        (("--baseline-machine", "m2"), "not in the results"),
        (("--threshold", "1.2"), "--threshold belongs to --check"),
        (("--p", "0.01"), "--p belongs to --check"),
        (("--format", "json"), "--format belongs to --check"),
        (("--series", "search"), "--series belongs to --check"),
        (("--check",), "--output belongs to the page, not to --check"),
    ],
)
def test_options_of_the_page(
    wordpack: Command, results: Path, tmp_path: Path, given: tuple[str, ...], said: str
) -> None:
    """Unknown names and options of the other mode are refused in one line."""
    page = tmp_path / "page.html"
    outcome = wordpack("report", str(results), "--output", str(page), *given)
    assert outcome.status == (2 if said else 0)
    assert said in outcome.err
    assert page.exists() == (not said)


@pytest.mark.parametrize("output", ["i7.html", "r/m1.html", "./r/../i7.htm"])
def test_results_are_never_written_over(
    wordpack: Command, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    """A race file may have the name of the page's JSON; a results folder must not get a page."""
    monkeypatch.chdir(tmp_path)
    race(tmp_path / "i7.json", entry())
    before = tree(tmp_path)
    outcome = wordpack("report", str(results), "i7.json", "--output", output)
    assert outcome.status == 2
    assert "name another place" in outcome.err
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    "name", ["-", "/dev/stdout", "page.csv", "page.json", "", ".", "no/such/folder/page.html"]
)
def test_a_place_that_cannot_be_written_is_refused(
    wordpack: Command, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = wordpack("report", str(results), "--output", name)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r"]


def test_without_output_or_check_it_says_what_to_give(wordpack: Command, results: Path) -> None:
    outcome = wordpack("report", str(results))
    assert outcome.status == 2
    assert "give --output FILE for the page, or --check BASE NEW" in outcome.err


def test_a_bad_source_leaves_the_page_that_was_there(
    wordpack: Command, results: Path, tmp_path: Path
) -> None:
    """All sources are read before anything is written."""
    page = tmp_path / "page.html"
    page.write_text("what was there")
    (tmp_path / "bad.json").write_text('{"schema": 1')
    outcome = wordpack("report", str(results), str(tmp_path / "bad.json"), "--output", str(page))
    assert outcome.status == 2
    assert "bad.json is not the JSON of a result" in outcome.err
    assert page.read_text() == "what was there"
    assert not page.with_suffix(".csv").exists()


@pytest.mark.parametrize("written", ["write_csv", "write_json"])
def test_a_page_that_fails_half_way_leaves_the_one_before(
    wordpack: Command,
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    written: str,
) -> None:
    """On a full disk, for instance: all three files stay unchanged, and no partial file is left."""
    page = tmp_path / "page.html"
    assert wordpack("report", str(results), "--output", str(page)).status == 0
    before = tree(tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(tables, written, full)
    outcome = wordpack("report", str(results), "--output", str(page))
    assert outcome.status == 2
    assert "No space left on device" in outcome.err
    assert tree(tmp_path) == before


def test_an_empty_folder_is_no_result(wordpack: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    page = str(tmp_path / "page.html")
    outcome = wordpack("report", str(tmp_path / "empty"), "--output", page)
    assert outcome.status == 2
    assert "has no asv results" in outcome.err


def test_a_machine_without_a_result_is_said(wordpack: Command, tmp_path: Path) -> None:
    place = folder(tmp_path / "r", results={}, benchmarks=())
    outcome = wordpack("report", str(place), "--output", str(tmp_path / "page.html"))
    assert outcome.status == 2
    assert "no results found" in outcome.err


@pytest.mark.parametrize("missing", ["jinja2", "plotly.offline"])
def test_what_is_not_installed_is_named(
    wordpack: Command,
    results: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    missing: str,
) -> None:
    """The error names the extra to install; nothing is written."""
    monkeypatch.setitem(sys.modules, missing, None)
    outcome = wordpack("report", str(results), "--output", str(tmp_path / "page.html"))
    assert outcome.status == 2
    assert "pip install 'wordpack[report]'" in outcome.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r"]
