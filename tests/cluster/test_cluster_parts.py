"""Packings in files: how many slices a search is cut into, and how its parts are merged."""

import tracemalloc
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from handmade import problem as made
from wordpack.backend.base import Options
from wordpack.backend.registry import row
from wordpack.cluster import parts, running
from wordpack.cluster.checkpoint import Checkpoint
from wordpack.cluster.running import Task
from wordpack.cluster.sharing import MOST, PACKINGS, WAVES, how_many, slices_for
from wordpack.errors import InputError, WrongAnswer
from wordpack.solving.instances import instance
from wordpack.solving.loading import load


def slices(name: str, *, listing: bool, threads: int = 1) -> int:
    """Return how many slices an instance is cut into."""
    problem = load(instance(name).spec).problem
    return slices_for(row("bitset_rows"), problem, Options(count_only=not listing), threads)


def test_a_slice_that_lists_has_no_more_packings_than_a_part() -> None:
    """6x4 lists 41,658,816 packings, which are 40 parts; counting keeps its usual slices."""
    assert 41_658_816 / parts.ROWS < slices("6x4", listing=True) < MOST
    assert slices("6x4", listing=False) == WAVES


def test_listing_is_work_too() -> None:
    """wrong-wordle's search takes 30 ms, and writing its half a million packings 200 ms more."""
    assert slices("wrong-wordle", listing=False, threads=3) == 1
    assert slices("wrong-wordle", listing=True, threads=3) > 1


def test_what_is_short_is_not_cut() -> None:
    """A search of milliseconds is one slice, however many workers there are."""
    assert slices("parker", listing=True, threads=100) == 1


@pytest.mark.parametrize(
    ("seconds", "packings", "threads", "slices"),
    [
        (0.04, 0, 100, 1),
        (100.0, 0, 2, 100),  # a second each
        (6.4, 0, 4, 32),  # eight for each thread
        (0.8, 0, 1000, 8),  # a tenth of a second each
        (0.8, 20 * PACKINGS, 1, 20),
        (1e9, 0, 1, MOST),
    ],
)
def test_slices_follow_time_workers_and_packings(
    seconds: float, packings: float, threads: int, slices: int
) -> None:
    """Slices take a second, less if workers would be idle, and hold one part's packings."""
    assert how_many(seconds, packings, threads) == slices


PAIRS = made(([1, 2, 4, 8, 16], 2))
"""Any two of five letters."""


def merged(folder: Path, *tables: list[list[int]], max_rows: int) -> list[list[int]]:
    """Write parts, and return the rows of all of them."""
    names = [
        parts.write(folder, parts.name(i, 0), np.array(table, np.int32))["name"]
        for i, table in enumerate(tables)
    ]
    blocks = list(parts.merged(PAIRS, [folder / name for name in names], max_rows))
    assert all(len(block) <= max_rows for block in blocks)
    return [row for block in blocks for row in block.rows[0].tolist()]


@pytest.mark.parametrize("max_rows", [1, 2, 100])
def test_parts_come_together_in_order(tmp_path: Path, max_rows: int) -> None:
    """Whatever the limit on rows, the rows of all parts are sorted as one table."""
    one, other = [[0, 1], [0, 4], [3, 4]], [[0, 2], [0, 3], [1, 2]]
    assert merged(tmp_path, one, other, max_rows=max_rows) == sorted(one + other)


@pytest.mark.parametrize("max_rows", [1, 2, 100])
def test_a_packing_in_two_parts_is_a_wrong_answer(tmp_path: Path, max_rows: int) -> None:
    """Overlapping slices are detected, though each slice is right by itself."""
    with pytest.raises(WrongAnswer, match="is in two parts"):
        merged(tmp_path, [[0, 1], [0, 4]], [[0, 3], [0, 4]], max_rows=max_rows)


def test_a_worker_that_was_given_up_replaces_no_part(tmp_path: Path) -> None:
    """A GPU may split the same slice differently, so its first part has another name."""
    one, late = np.array([[0, 1], [0, 2]], np.int32), np.array([[0, 1]], np.int32)
    counts = parts.write(tmp_path, parts.name(0, 0), one)
    parts.write(tmp_path, parts.name(0, 0), late)
    assert parts.is_whole(tmp_path, counts)
    assert parts.write(tmp_path, parts.name(0, 0), one) == counts
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("left", [None, b"", b"\x93NUMPY\x01\x00v", slice(-4)])
def test_a_part_that_is_gone_is_named(tmp_path: Path, left: bytes | slice | None) -> None:
    """If parts are removed or truncated during a run, one line names the part."""
    kept = parts.write(tmp_path, parts.name(0, 0), np.array([[0, 1], [0, 2]], np.int32))
    file = tmp_path / kept["name"]
    whole = file.read_bytes()
    file.unlink()
    if left is not None:
        file.write_bytes(whole[left] if isinstance(left, slice) else left)
    with pytest.raises(InputError, match=f"{kept['name']} is missing or damaged"):
        list(parts.merged(PAIRS, [file], 100))


def test_a_full_disk_of_the_client_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed write of a worker's part names the folder, not standard output."""
    full = OSError(28, "No space left on device")
    answers = [(Task(0, "a task", 1.0), {"tables": [np.zeros((1, 2), np.int32)]})]
    monkeypatch.setattr(running, "run", lambda *_: iter(answers))
    monkeypatch.setattr(parts, "write", Mock(side_effect=full))
    identity = {"wordpack": "1", "kind": "search", "tasks": 1}
    kept = Checkpoint(tmp_path, identity, resume=False)
    with pytest.raises(InputError, match=r"cannot write to .*: No space left on device"):
        running.finish(Mock(), Mock(), [answers[0][0]], kept)
    assert not kept.done
    kept.close()


def test_many_parts_need_no_table_of_all_their_words(tmp_path: Path) -> None:
    """100 parts share 3,000 first words: a table of parts by words would take 2.4 MB."""
    problem = made((list(range(1, 3002)), 2), letters=12)
    files = []
    for i in range(100):
        own = np.arange(i, 3000, 100, dtype=np.int32)
        kept = parts.write(tmp_path, parts.name(i, 0), np.stack([own, own + 1], axis=1))
        files.append(tmp_path / kept["name"])
    tracemalloc.start()
    rows = sum(len(block) for block in parts.merged(problem, files, 1000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert rows == 3000
    assert peak < 1_500_000
