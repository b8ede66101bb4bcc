"""After a process is killed, the old or the new file is whole, and nothing piles up."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tree import TESTS
from wordpack.backend.row import Row
from wordpack.compiled import code_cache
from wordpack.kernels.device import pocl_cache
from wordpack.racing import racer_process
from wordpack.racing.entry import Lineup
from wordpack.racing.race import Race
from wordpack.solving.instances import INSTANCES
from wordpack.system import leftovers
from wordpack.system.writing import replaced

WRITES = """
import sys, time
from wordpack.system.writing import replaced
with replaced(sys.argv[1]) as stream:
    stream.write("half")
    stream.flush()
    print("ready", flush=True)
    time.sleep(600)
"""

KILLED = """
import sys
from wordpack.commands.main import main
sys.exit(main(sys.argv[1:]))
"""


def aged(path: Path) -> None:
    """Make a file so old that no process can be about to lock it."""
    old = time.time() - 10 * leftovers.FRESH
    os.utime(path, (old, old))


def part(folder: Path, number: int) -> Path:
    """Write an unfinished file, as a killed or running process has it."""
    path = folder / f".rows.{number}.part"
    path.write_text("half")
    aged(path)
    return path


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path) -> None:
    """Files that are locked, new or for another target are kept."""
    target = tmp_path / "rows"
    target.write_text("old")
    with subprocess.Popen(
        [sys.executable, "-c", WRITES, str(target)], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        (left,) = tmp_path.glob(".rows.*.part")
        aged(left)
        with replaced(str(target)) as stream:
            stream.write("new")
        assert left.exists(), "its process is at work"
        process.kill()
    assert target.read_text() == "new"
    fresh = tmp_path / ".rows.1.part"
    fresh.write_text("half")
    other = tmp_path / ".rowsrows.2.part"
    other.write_text("half")
    aged(other)
    with replaced(str(target)) as stream:
        stream.write("newer")
    assert set(tmp_path.iterdir()) == {target, fresh, other}


def test_odd_things_in_a_leftovers_place_are_let_be(tmp_path: Path) -> None:
    """A pipe does not block, a link is not followed, a name with stars means itself."""
    target = tmp_path / "r*[s"
    (tmp_path / "precious").write_text("kept")
    os.mkfifo(tmp_path / ".r*[s.1.part")
    (tmp_path / ".r*[s.2.part").symlink_to("precious")
    (tmp_path / ".rows.3.part").write_text("another's")
    for path in tmp_path.iterdir():
        os.utime(path, (1, 1), follow_symlinks=False)
    with replaced(str(target)) as stream:
        stream.write("new")
    assert target.read_text() == "new"
    assert len(list(tmp_path.iterdir())) == 5
    assert (tmp_path / "precious").read_text() == "kept"


def test_caches_are_swept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leftovers of a kernel, of PoCL's folder and of its replacement are removed."""
    monkeypatch.setenv(code_cache.CACHE, str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in pocl_cache.USERS:
        monkeypatch.delenv(name, raising=False)
    for name in (".scan-1.kernel.7", ".pocl.7/AB/x.so", f"{pocl_cache.BESIDE}7/AB/x.so"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"half")
    for path in [*tmp_path.iterdir()]:
        aged(path)
    code_cache.keep("scan-1.kernel", b"code")
    cache = pocl_cache.PoclCache(tmp_path / "pocl")
    with cache.in_use():
        mine = Path(os.environ["POCL_CACHE_DIR"])
    aged(mine)
    leftovers.sweep(tmp_path, pocl_cache.BESIDE)
    cache.seal()
    assert {path.name for path in tmp_path.iterdir()} == {"scan-1.kernel", "pocl", mine.name}


def test_a_sound_cache_is_swept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PoCL's forgotten files, one per process, and an earlier replacement folder are removed."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in pocl_cache.USERS:
        monkeypatch.delenv(name, raising=False)
    kept = tmp_path / "pocl"
    first = pocl_cache.PoclCache(kept)
    with first.in_use():
        beside = Path(os.environ["POCL_CACHE_DIR"])
    first.seal()
    killed = tmp_path / f"{pocl_cache.BESIDE}killed"
    killed.mkdir()
    for name in ("tempfile_aaaaaa", "tempfile_bbbbbb"):
        (kept / name).write_bytes(b"")
    aged(killed)
    aged(kept / "tempfile_aaaaaa")
    cache = pocl_cache.PoclCache(kept)
    with cache.in_use():
        assert os.environ["POCL_CACHE_DIR"] == str(kept)
    cache.seal()
    assert set(tmp_path.iterdir()) == {kept, beside}
    assert {path.name for path in kept.iterdir()} == {pocl_cache.SEAL, "tempfile_bbbbbb"}


def test_what_racers_leave_in_the_temporary_folder_goes_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Racers are killed at the end; the next race removes what a killed race left."""
    monkeypatch.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = tmp_path / f"{racer_process.BESIDE}killed"
    (left / "deep").mkdir(parents=True)
    aged(left)
    row = Row("littering", "fakes.littering:Fake", "littering", "a fake")
    race = Race(Lineup(INSTANCES["toy"], (row,), repeat=1))
    race.run()
    assert race.entries[0].status == "ok"
    assert list(tmp_path.iterdir()) == []


def test_a_full_cache_keeps_nothing_unfinished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the disk is full while a kernel and PoCL's folder are saved, nothing is left behind."""

    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setenv(code_cache.CACHE, str(tmp_path))
    for name in pocl_cache.USERS:
        monkeypatch.delenv(name, raising=False)
    cache = pocl_cache.PoclCache(tmp_path / "pocl")
    with cache.in_use():
        (Path(os.environ["POCL_CACHE_DIR"]) / "x.so").write_bytes(b"code")
    monkeypatch.setattr(Path, "replace", full)
    code_cache.keep("scan-1.kernel", b"code")
    cache.seal()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["solve parker --format json --output", "race toy --json"])
def test_kill_9_leaves_the_old_file_or_the_new_one(command: str, tmp_path: Path) -> None:
    """Whenever the process is killed, the file ends as a whole file does."""
    target = tmp_path / "rows"
    options = ["--backend", "filtered_arrays"] if command.startswith("race") else []
    arguments = [sys.executable, "-c", KILLED, *command.split(), str(target), *options]
    for wait in (0.15, 0.25, 0.3, 0.35, 0.4, 0.6):
        target.write_text("old\n}\n")
        with subprocess.Popen(
            arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            time.sleep(wait)
            process.send_signal(signal.SIGKILL)
        assert target.read_text().endswith("}\n")
        for left in tmp_path.glob(".rows.*"):
            aged(left)
    with replaced(str(target)) as stream:
        stream.write("new")
    assert list(tmp_path.iterdir()) == [target]
