"""Packings in files: how many slices they are cut into, and how parts come together again."""

from pathlib import Path

import numpy as np
import pytest

from handmade import problem as made
from wordpack.backend import Options
from wordpack.cluster import parts
from wordpack.cluster.searching import MOST, PACKINGS, WAVES, how_many, slices_for
from wordpack.errors import WrongAnswer
from wordpack.instances import instance
from wordpack.loading import load
from wordpack.registry import row


def slices(name: str, *, listing: bool, threads: int = 1) -> int:
    """Return how many slices an instance is cut into."""
    problem = load(instance(name).spec).problem
    return slices_for(row("bitset_rows"), problem, Options(count_only=not listing), threads)


def test_a_slice_that_lists_has_no_more_packings_than_a_part() -> None:
    """6x4 has 41,658,816, which are 40 parts; where they are counted its slices are as ever."""
    assert 41_658_816 / parts.ROWS < slices("6x4", listing=True) < MOST
    assert slices("6x4", listing=False) == WAVES


def test_listing_is_work_too() -> None:
    """wrong-wordle is found in 30 ms, and its half a million packings are written in 200 more."""
    assert slices("wrong-wordle", listing=False, threads=3) == 1
    assert slices("wrong-wordle", listing=True, threads=3) > 1


def test_what_is_short_is_not_cut() -> None:
    """A search of milliseconds is one slice, whatever the workers."""
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
    """Slices are of a second, of less where workers would have none, of one part's packings."""
    assert how_many(seconds, packings, threads) == slices


PAIRS = made(([1, 2, 4, 8, 16], 2))
"""Any two of five letters."""


def merged(folder: Path, *tables: list[list[int]], max_rows: int) -> list[list[int]]:
    """Write parts, and return the rows of all of them."""
    names = [parts.name(i, 0) for i in range(len(tables))]
    for name, table in zip(names, tables, strict=True):
        parts.write(folder, name, np.array(table, np.int32))
    blocks = list(parts.merged(PAIRS, [folder / name for name in names], max_rows))
    assert all(len(block) <= max_rows for block in blocks)
    return [row for block in blocks for row in block.rows[0].tolist()]


@pytest.mark.parametrize("max_rows", [1, 2, 100])
def test_parts_come_together_in_order(tmp_path: Path, max_rows: int) -> None:
    """Whatever fits into memory, the rows of all parts are sorted as one table."""
    one, other = [[0, 1], [0, 4], [3, 4]], [[0, 2], [0, 3], [1, 2]]
    assert merged(tmp_path, one, other, max_rows=max_rows) == sorted(one + other)


@pytest.mark.parametrize("max_rows", [1, 2, 100])
def test_a_packing_in_two_parts_is_a_wrong_answer(tmp_path: Path, max_rows: int) -> None:
    """Two slices that overlap are noticed, though each is right by itself."""
    with pytest.raises(WrongAnswer, match="stands in two parts"):
        merged(tmp_path, [[0, 1], [0, 4]], [[0, 3], [0, 4]], max_rows=max_rows)
