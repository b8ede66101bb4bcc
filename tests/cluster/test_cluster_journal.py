"""Damaged journals: only the tasks that they lost are run again."""

import json
from pathlib import Path
from typing import Any

import pytest

from wordpack.backend import cutting
from wordpack.cluster.checkpoint import Checkpoint, asked_before
from wordpack.errors import InputError

COUNTING = {"wordpack": "1", "kind": "search", "listing": False, "tasks": 3, "asked": 3}
COUNTED = {"backend": "b", "packings": 1, "solutions": 2, "seconds": 0.5, "work": {}}
LISTED = {"backend": "b", "packings": 0, "solutions": 0, "seconds": 0.5, "files": []}


def kept_of(folder: Path, journal: bytes, **identity: Any) -> dict[int, Any]:
    """Return the finished tasks that a run reads from this journal."""
    Checkpoint(folder, COUNTING | identity, resume=False).close()
    (folder / "done.jsonl").write_bytes(journal)
    again = Checkpoint(folder, COUNTING | identity, resume=True)
    again.close()
    return again.done


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\x00\x80",
        b"[" * 100_000,
        b"null",
        b'{"task": 1}',
        *(
            json.dumps(COUNTED | changed).encode()
            for changed in (
                {},
                {"task": 3},
                {"task": -1},
                {"task": 1.5},
                {"task": True},
                {"task": float("inf")},
                {"task": "1"},
                {"task": 1, "packings": None},
                {"task": 1, "work": 3},
                {"task": 1, "files": 5},
                {"task": 1, "files": [{"name": "a\0", "sha256": ""}]},
            )
        ),
    ],
)
def test_lines_that_are_of_no_finished_task(tmp_path: Path, line: bytes) -> None:
    """Damaged bytes, values or tasks are ignored; the other lines count."""
    good = [json.dumps({"task": task} | COUNTED).encode() for task in (0, 2)]
    assert sorted(kept_of(tmp_path, b"\n".join([good[0], line, good[1], b""]))) == [0, 2]


def test_a_list_without_its_files_is_not_finished(tmp_path: Path) -> None:
    """It would pass for a slice without packings, and its packings would be missing."""
    short = {name: value for name, value in LISTED.items() if name != "files"}
    for record, tasks in ((LISTED, [1]), (short, [])):
        folder = tmp_path / str(len(record))
        line = json.dumps({"task": 1} | record).encode()
        assert list(kept_of(folder, line, listing=True)) == tasks


@pytest.mark.parametrize("asked", [0, -5, True, 10**30, cutting.MOST + 1, "7", None])
def test_a_run_that_asks_for_what_nobody_may(tmp_path: Path, asked: object) -> None:
    """The number of tasks is chosen anew, as if none had been asked for."""
    (tmp_path / "run.json").write_text(json.dumps({"run": "a", "asked": asked}))
    assert asked_before(str(tmp_path), resume=True) is None


@pytest.mark.parametrize("text", ["{}", '{"run": null}', "[" * 100_000, " " * (1 << 21) + "{}"])
def test_a_run_file_of_no_run(tmp_path: Path, text: str) -> None:
    """One line says so, however long the file is."""
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(InputError, match="is not a wordpack run"):
        Checkpoint(tmp_path, COUNTING, resume=True)
