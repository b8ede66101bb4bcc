"""Machines and environments with others' names are read, packed and merged, and stay inside."""

import csv
import json
import zipfile
from pathlib import Path

import pytest
from conftest import Command

from handmade_results import COMMIT, FILE, document, folder, row, tree
from wordpack.results.machine_names import is_folder_name

MACHINES = [
    "ip-172-31-44-191.eu-central-1.compute.intern",
    "Håkan's MacBook Pro",
    ".hidden",
    "-rf",
    'a=b; c & d, "e" $(f)',
    "ü" * 100,
]

ENVIRONMENTS = [
    "virtualenv-py3.12-numpy[extra]~=1.26, !important",
    "existing-py_home_o'neil_my venv_bin_python",
    "conda-py3.12-matplotlib@main#egg",
]

PARAMETERS = {"search.time": row(1.0, 2.0, 3.0, 4.0)}


@pytest.mark.parametrize("name", MACHINES)
def test_machines_that_others_named(wordpack: Command, tmp_path: Path, name: str) -> None:
    """Every command reads them, and packing and merging leave them unchanged."""
    sent = folder(tmp_path / "sent", name, results=PARAMETERS)
    packed, into = tmp_path / "packed.zip", tmp_path / "into"
    made = wordpack("results", "pack", f"--machine={name}", "--results", sent, "--output", packed)
    assert made.status == 0, made.err
    merged = wordpack("results", "merge", packed, "--results", into)
    assert merged.status == 0, merged.err
    assert set(tree(into)) == {f"{name}/{FILE}", f"{name}/machine.json", "benchmarks.json"}
    for source in (sent, packed, sent / name):
        assert wordpack("report", source, "--output", tmp_path / "page.html").status == 0
        with (tmp_path / "page.csv").open(newline="") as stream:
            machines = {each["machine"] for each in csv.DictReader(stream)}
        # a spreadsheet must not read a name as a formula
        assert machines == {f"'{name}" if name.startswith("-") else name}


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_environments_that_others_named(
    wordpack: Command, tmp_path: Path, environment: str
) -> None:
    """Every file name that asv can write is read."""
    sent = folder(tmp_path / "sent", results=PARAMETERS)
    found = document("m1", PARAMETERS) | {"env_name": environment}
    (sent / "m1" / FILE).unlink()
    (sent / "m1" / f"{COMMIT[:8]}-{environment}.json").write_text(json.dumps(found))
    into = tmp_path / "into"
    assert wordpack("results", "merge", sent, "--results", into).status == 0
    assert f"m1/{COMMIT[:8]}-{environment}.json" in tree(into)
    assert wordpack("report", into, "--output", tmp_path / "page.html").status == 0
    assert environment in (tmp_path / "page.csv").read_text().replace('""', '"')


def test_a_long_name_stays_apart_from_another_machines(wordpack: Command, tmp_path: Path) -> None:
    """The name is shortened to make room for the number."""
    name, into = "ü" * 100, tmp_path / "into"
    for place, cpu in enumerate("CD"):
        sent = folder(tmp_path / str(place), name, cpu=cpu, results=PARAMETERS)
        assert wordpack("results", "merge", sent, "--results", into).status == 0
    folders = sorted(path.name for path in into.iterdir() if path.is_dir())
    assert folders == sorted([name, "ü" * 99 + "-2"])


BAD = ["", ".", "..", "a/b", "a\\b", "a\nb", "\x1b[2J", "a\u202eb", "\ud800", "x" * 201, "version"]


@pytest.mark.parametrize("name", BAD)
def test_names_that_could_lead_elsewhere_are_none(name: str) -> None:
    """No separators, no names of dots, no control characters, nothing that a system forbids."""
    assert not is_folder_name(name)


@pytest.mark.parametrize("name", ["..", "a\\b", "a\u202eb", "x" * 201])
def test_such_names_in_a_packed_file_end_it(wordpack: Command, tmp_path: Path, name: str) -> None:
    """Nothing is written, and the line is printable."""
    packed = tmp_path / "sent.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(f"{name}/machine.json", json.dumps({"machine": name, "version": 1}))
    outcome = wordpack("results", "merge", packed, "--results", tmp_path / "into")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert outcome.err.rstrip("\n").isprintable()
    assert {path.name for path in tmp_path.iterdir()} == {"sent.zip"}


def test_a_refused_folder_name_says_the_rule(wordpack: Command, tmp_path: Path) -> None:
    sent = folder(tmp_path / "sent", "x" * 201)
    outcome = wordpack("results", "merge", sent, "--results", tmp_path / "into")
    assert outcome.status == 2
    assert "must be 1 to 200 bytes" in outcome.err


def test_errors_name_the_file_where_it_lies(wordpack: Command, tmp_path: Path) -> None:
    """In the folder of all machines, in one machine's, in a packed file, and on the page."""
    sent = folder(tmp_path / "sent", results=PARAMETERS)
    page = tmp_path / "page.html"
    assert wordpack("report", sent / "m1", "--output", page).status == 0
    files = json.loads((tmp_path / "page.json").read_text())["files"]
    assert [each["file"] for each in files] == [str(sent / "m1" / FILE)]
    packed = tmp_path / "packed.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("benchmarks.json", '{"version": 1}')
    assert (
        f"{packed}: benchmarks.json: its format" in wordpack("report", packed, "--output", page).err
    )
    (sent / "m1" / "machine.json").write_text('{"version": 7}')
    for source in (sent, sent / "m1"):
        refused = wordpack("report", source, "--output", page).err
        assert f"{sent / 'm1' / 'machine.json'}: its format" in refused
    old = tmp_path / "old"
    old.mkdir()
    (old / "benchmarks.json").write_text('{"version": 1}')
    assert f"{old / 'benchmarks.json'}: its format" in wordpack("report", old, "--output", page).err


def test_a_command_to_copy_quotes_the_name(wordpack: Command, tmp_path: Path) -> None:
    """A shell reads it as one word."""
    sent = folder(tmp_path / "sent", "a b'c", results=PARAMETERS)
    wordpack("report", sent, "--output", tmp_path / "page.html")
    (file,) = json.loads((tmp_path / "page.json").read_text())["files"]
    assert file["command"].startswith("asv run --machine 'a b'\"'\"'c' ")
