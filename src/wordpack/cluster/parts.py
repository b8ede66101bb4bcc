"""Sorted files of packings, written where they were found and merged into canonical order.

A part is a .npy table (n, picks) int32 of indices, groups side by side, each part in canonical
order. Merging splits all parts at the same values of their first column, and sorts one block at a
time in memory. If one value has too many rows, they are split by the next column.
"""

import hashlib
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wordpack.errors import InputError, WrongAnswer
from wordpack.packing.answer import Packings, Rows
from wordpack.packing.problem import Problem

ROWS = 1 << 20
"""The most packings in a part."""


def name(task: int, i: int) -> str:
    """Return the beginning of the name of a task's i-th part."""
    return f"part-{task:05}-{i:03}"


def table_of(packings: Packings) -> Rows:
    """Return packings as a table in canonical order."""
    rows = packings.canonical().rows
    return np.hstack(rows) if rows else np.empty((len(packings), 0), np.int32)


def write(folder: Path, name: str, table: npt.NDArray[Any]) -> dict[str, Any]:
    """Write a part atomically; return its record: `name`, `rows` and `sha256`.

    Its name ends with its sha256. A worker that was given up for lost may split the same task
    differently, and must not replace a part that counts.
    """
    unfinished = folder / f".{name}.{os.uname().nodename}.{os.getpid()}.{uuid.uuid4().hex}.part"
    try:
        with unfinished.open("wb") as stream:
            np.save(stream, table)
        with unfinished.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        name = f"{name}-{digest[:16]}.npy"
        unfinished.replace(folder / name)
    finally:
        unfinished.unlink(missing_ok=True)
    return {"name": name, "rows": len(table), "sha256": digest}


def read(file: Path) -> npt.NDArray[Any]:
    """Return a part's table, memory-mapped; InputError if it is missing or damaged."""
    try:
        table: npt.NDArray[Any] = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(f"{file} is missing or damaged ({error})") from None
    return table


@dataclass(frozen=True)
class Piece:
    """Rows first <= row < last of a part; the file is opened only to read it."""

    file: Path
    first: int
    last: int

    @classmethod
    def whole(cls, file: Path) -> "Piece":
        """Return all rows of a part."""
        return cls(file, 0, len(read(file)))

    def __len__(self) -> int:
        return self.last - self.first

    def rows(self) -> Rows:
        """Read the rows."""
        table = read(self.file)
        return np.array(table[self.first : self.last])

    def edges(self, column: int) -> tuple[Rows, npt.NDArray[np.int64]]:
        """Return the distinct values of a sorted column, and the row after each value's last."""
        table = read(self.file)
        values = table[self.first : self.last, column]
        ends = np.append(np.flatnonzero(values[1:] != values[:-1]) + 1, len(values))
        return np.array(values[ends - 1]), ends


def merged(problem: Problem, files: Sequence[Path], max_rows: int) -> Iterator[Packings]:
    """Yield the packings of all parts in canonical order, at most `max_rows` at a time.

    Memory holds little more than that, unless more packings differ only in their last index.
    Raises WrongAnswer if two packings are equal, or a part is out of order. Equal packings would be
    neighbours, so comparing neighbours is enough.
    """
    pieces = [Piece.whole(file) for file in files]
    last = np.empty((0, problem.picks), np.int32)
    for block in _blocks([piece for piece in pieces if len(piece)], problem.picks, max_rows):
        found = Packings.from_table(problem, np.concatenate([each.rows() for each in block]))
        table = table_of(found)
        if not (_ascending(table) and _ascending(np.concatenate([last, table[:1]]))):
            raise WrongAnswer("a packing is in two parts, or a part is out of order")
        last = table[-1:]
        yield from Packings.from_table(problem, table).split(max_rows)


def _ascending(table: Rows) -> bool:
    """Return whether the rows are strictly ascending in lexicographic order."""
    same = np.ones(max(0, len(table) - 1), dtype=bool)
    for column in table.T:
        before, after = column[:-1], column[1:]
        if (same & (after < before)).any():
            return False
        same &= before == after
    return not same.any()


def _blocks(
    pieces: Sequence[Piece], picks: int, max_rows: int, column: int = 0
) -> Iterator[Sequence[Piece]]:
    """Yield, in order, blocks of pieces; all rows are equal in the columns before `column`."""
    if not pieces:
        return
    if sum(map(len, pieces)) <= max_rows or column == picks:
        yield pieces
        return
    own = [piece.edges(column) for piece in pieces]
    values = np.unique(np.concatenate([each for each, _ in own]))
    # rows up to each value, over all pieces: a table with a row per piece could be too large
    totals = np.zeros(len(values), np.int64)
    for its, ends in own:
        totals += _until(its, ends, values)
    begun, first = np.zeros(len(pieces), np.int64), 0
    while first < len(values):
        fit = int(np.searchsorted(totals, int(begun.sum()) + max_rows, side="right"))
        last = max(first + 1, fit)
        until = np.array([int(_until(*each, values[last - 1])) for each in own])
        some = [
            Piece(piece.file, piece.first + low, piece.first + high)
            for piece, low, high in zip(pieces, begun.tolist(), until.tolist(), strict=True)
            if low < high
        ]
        # one value alone may have too many rows
        yield from _blocks(some, picks, max_rows, column + 1) if fit <= first else [some]
        begun, first = until, last


def _until(
    its: Rows, ends: npt.NDArray[np.int64], values: npt.NDArray[Any]
) -> npt.NDArray[np.int64]:
    """Return, for each of `values`, how many rows of a piece with these edges are at most it."""
    until: npt.NDArray[np.int64] = np.append(0, ends)[np.searchsorted(its, values, side="right")]
    return until


def is_whole(folder: Path, part: Mapping[str, Any]) -> bool:
    """Return whether a part's file exists and is unchanged since it was written."""
    try:
        with (folder / str(part["name"])).open("rb") as stream:
            return bool(hashlib.file_digest(stream, "sha256").hexdigest() == part["sha256"])
    except (OSError, KeyError, TypeError, ValueError):
        return False


@contextmanager
def said_failed(folder: Path) -> Iterator[None]:
    """Raise InputError if `folder` cannot be read or written."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror or error}") from None
