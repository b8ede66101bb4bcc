"""A full disk, mounted for the test: old files stay, and one line reports the error."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from handmade_results import entry, folder, race, row, tree

pytestmark = pytest.mark.slow

Command = Callable[..., Any]

PAGE = 4096
"""Bytes of a tmpfs page, by which files grow."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of 16 MiB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(place)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount")
    if done.returncode:
        pytest.skip(f"no disk can be mounted: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", str(place)], check=True)  # noqa: S607  the system's umount


def leave(disk: Path, room: int) -> None:
    """Fill a disk except for this many bytes."""
    filler = disk / "filler"
    filler.unlink(missing_ok=True)
    free = os.statvfs(disk)
    filler.write_bytes(bytes(max(free.f_bavail * free.f_bsize - room, 0)))


def refused(outcome: Any, *names: str) -> None:
    """Check for status 2 and one line that contains all these texts."""
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert all(name in outcome.err for name in ("No space left on device", *names))


@pytest.mark.parametrize("there", [False, True])
def test_a_report_is_all_three_files_or_none(
    wordpack: Command, disk: Path, tmp_path: Path, there: bool
) -> None:
    """Existing files stay unchanged, however much space is left."""
    backends = [entry(backend=f"b{number}") for number in range(40)]
    results = race(tmp_path / "race.json", *backends)
    command = ("report", results, "--output", disk / "report.html")
    assert wordpack(*command).status == 0
    sizes = {path.suffix: path.stat().st_size for path in disk.iterdir()}
    before = tree(disk) if there else {}
    for path in [] if there else list(disk.iterdir()):
        path.unlink()
    whole = sum(-(-size // PAGE) * PAGE for size in sizes.values())
    page = whole - sum(-(-sizes[kind] // PAGE) * PAGE for kind in (".csv", ".json"))
    for room in (0, page // 2, page, page + PAGE, page + 2 * PAGE, whole - PAGE):
        leave(disk, room)
        refused(wordpack(*command), "report.")
        (disk / "filler").unlink()
        assert tree(disk) == before
    leave(disk, whole + PAGE)
    assert wordpack(*command).status == 0
    assert len(tree(disk)) == 4


def test_a_packed_file_and_a_machines_file(
    wordpack: Command, disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are as they were."""
    monkeypatch.setenv("HOME", str(disk))
    sent = folder(tmp_path / "sent")
    pack = ("results", "pack", "--machine", "m1", "--results", sent, "--output", disk / "m1.zip")
    name = ("machine", "--name", "m1")
    for command in (pack, name):
        assert wordpack(*command).status == 0
    leave(disk, 0)
    before = tree(disk)
    refused(wordpack(*pack), "m1.zip")
    refused(wordpack("machine", "--name", "m2"), ".asv-machine.json")
    assert tree(disk) == before


def test_results_that_do_not_fit_can_be_merged_again(
    wordpack: Command, disk: Path, tmp_path: Path
) -> None:
    """Existing results stay; once there is space the same command adds all, under one name."""
    sent, into = tmp_path / "sent", disk / "into"
    results = {f"new.{n}": row(1.0, 2.0, 3.0, 4.0) for n in range(100)}
    for name in ("m1", "m2"):
        folder(sent, name, results=results)
    command = ("results", "merge", sent, "--results", into)
    assert wordpack(*command).status == 0
    due = tree(into)
    for room in range(0, sum(-(-len(raw) // PAGE) * PAGE for raw in due.values()), PAGE):
        shutil.rmtree(into)
        leave(disk, room)
        refused(wordpack(*command))
        assert tree(into).items() <= due.items()
    (disk / "filler").unlink()
    assert "called" not in wordpack(*command).out
    assert tree(into) == due


def test_a_race_without_a_temporary_folder(
    wordpack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line names the setting to change; it does not blame standard output."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    outcome = wordpack("race", "toy", "--backend", "filtered_lists")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "set TMPDIR" in outcome.err
