"""The folder of a run: which run it belongs to, what survives, and who may use it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from wordpack.cluster.checkpoint import Checkpoint, asked_before, kept, said_kept
from wordpack.errors import InputError

IDENTITY: dict[str, Any] = {"wordpack": "1", "kind": "sweep", "points": "abc", "tasks": 3}


def test_what_is_finished_is_there_again(tmp_path: Path) -> None:
    """Records keep their plain values, by task; a line that was cut off is dropped."""
    folder = tmp_path / "deep" / "run"
    first = Checkpoint(folder, {**IDENTITY, "asked": 5}, resume=False)
    first.add(2, {"found": [1, None, 2**70]})
    first.add(0, {"found": []})
    first.close()
    with (folder / "done.jsonl").open("a") as journal:
        journal.write('{"task": 1, "found": [')
    again = Checkpoint(folder, IDENTITY, resume=True)
    found = {number: record["found"] for number, record in again.done.items()}
    assert found == {2: [1, None, 2**70], 0: []}
    assert again.run == first.run
    again.close()
    assert len((folder / "done.jsonl").read_text().splitlines()) == 2
    assert asked_before(str(folder), resume=True) == 5
    assert asked_before(str(folder), resume=False) is None
    assert asked_before(None, resume=True) is None


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("wordpack", "2", "started by wordpack 1, and this is 2"),
        ("kind", "play", "another kind of work (sweep, not play)"),
        ("points", "abd", "its points differ"),
        ("tasks", 4, "cut into 3 tasks, not 4"),
        ("plan", "xyz", "its tasks were cut differently"),
    ],
)
def test_another_run_is_refused(tmp_path: Path, name: str, value: object, said: str) -> None:
    Checkpoint(tmp_path, IDENTITY, resume=False).close()
    with pytest.raises(InputError) as refused:
        Checkpoint(tmp_path, {**IDENTITY, name: value}, resume=True)
    assert said in str(refused.value)
    Checkpoint(tmp_path, IDENTITY, resume=True).close()


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    """The refused folder is left unchanged."""
    (tmp_path / "letter.txt").write_text("dear")
    for resume in (False, True):
        with pytest.raises(InputError, match="is not empty"):
            Checkpoint(tmp_path, IDENTITY, resume=resume)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_process_killed_while_it_began_leaves_a_folder_to_begin_in(tmp_path: Path) -> None:
    """A killed process may leave its lock and its unfinished run file."""
    (tmp_path / "lock").touch()
    (tmp_path / ".run.json.123.part").write_text('{"schema": 1, "ru')
    Checkpoint(tmp_path, IDENTITY, resume=False).close()
    assert json.loads((tmp_path / "run.json").read_text())["kind"] == "sweep"


def test_one_process_works_in_a_folder(tmp_path: Path) -> None:
    """One process at a time may begin or resume a run; the next may once it has ended."""
    begin = (
        "import sys; from pathlib import Path\n"
        "from wordpack.cluster.checkpoint import Checkpoint\n"
        f"held = Checkpoint(Path(sys.argv[1]), {IDENTITY!r}, resume=False)\n"
        "print('at work', flush=True); sys.stdin.read()"
    )
    folder = tmp_path / "run"
    with subprocess.Popen(
        [sys.executable, "-c", begin, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"at work\n"
        for resume in (True, False):
            with pytest.raises(InputError, match="another process is using"):
                Checkpoint(folder, IDENTITY, resume=resume)
        # as if it had got no further: it locks the folder before it writes the run file
        (folder / "run.json").unlink()
        (folder / "done.jsonl").unlink()
        with pytest.raises(InputError, match="another process is using"):
            Checkpoint(folder, IDENTITY, resume=False)
        other.kill()
    Checkpoint(folder, IDENTITY, resume=False).close()


def test_what_is_kept_is_said_where_it_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that ends early says what is kept; a temporary folder is deleted silently."""
    used: list[Path] = []

    def interrupted(folder: str | None) -> None:
        with (
            kept(folder, IDENTITY, resume=False) as checkpoint,
            said_kept(checkpoint, 3, "groups of points"),
        ):
            used.append(checkpoint.folder)
            checkpoint.add(1, {})
            raise KeyboardInterrupt

    for folder in (str(tmp_path / "run"), None):
        with pytest.raises(KeyboardInterrupt):
            interrupted(folder)
        err = capsys.readouterr().err
        assert ("1 of 3 groups of points are kept in" in err) == (folder is not None)
        assert used[-1].exists() == (folder is not None)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """One line says why, also if a file is in the way."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write to"):
        Checkpoint(tmp_path / "file" / "run", IDENTITY, resume=False)
    if os.geteuid():
        (tmp_path / "closed").mkdir(mode=0o500)
        with pytest.raises(InputError, match="cannot write to"):
            Checkpoint(tmp_path / "closed" / "run", IDENTITY, resume=False)
