"""Packings in files: written by whoever found them, sorted; merged to one canonical order.

A part is a .npy table (n, picks) int32 of indices, groups side by side, in canonical order by
itself. Merging splits all parts at the same values of their first column, the next one where a
value alone is too long, so that a block at a time is sorted in memory.
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
"""Packings in a part, at most."""


def name(task: int, i: int) -> str:
    """Return how the name of the i-th part of a task begins."""
    return f"part-{task:05}-{i:03}"


def table_of(packings: Packings) -> Rows:
    """Return packings as a table in canonical order."""
    rows = packings.canonical().rows
    return np.hstack(rows) if rows else np.empty((len(packings), 0), np.int32)


def write(folder: Path, name: str, table: npt.NDArray[Any]) -> dict[str, Any]:
    """Write a part, whole or not at all; return what is kept of it.

    Its name ends with its sha256, so that a worker that was given up, and divides the same task
    otherwise, replaces no part that counts.
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
    """Return a part's table, mapped; InputError where it is not as it was written."""
    try:
        table: npt.NDArray[Any] = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(f"{file} is gone or not as it was written ({error})") from None
    return table


@dataclass(frozen=True)
class Piece:
    """Rows first..last of a part, which is opened only where it is read."""

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
        """Return the rows, read."""
        table = read(self.file)
        return np.array(table[self.first : self.last])

    def edges(self, column: int) -> tuple[Rows, npt.NDArray[np.int64]]:
        """Return the values of a column in which the rows are sorted, and where each ends."""
        table = read(self.file)
        values = table[self.first : self.last, column]
        ends = np.append(np.flatnonzero(values[1:] != values[:-1]) + 1, len(values))
        return np.array(values[ends - 1]), ends


def merged(problem: Problem, files: Sequence[Path], max_rows: int) -> Iterator[Packings]:
    """Yield the packings of all parts in canonical order, at most `max_rows` at a time.

    Little more than that is held, unless more packings differ in nothing but their last index.
    Raises WrongAnswer where they are not all different, or not in order: equal ones would be
    neighbours, so that nothing need be remembered of the others.
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
    """Return whether each row is after the one before it, by its first index that differs."""
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
    """Yield pieces of sorted tables, which are equal in the columns before `column`, in order."""
    if not pieces:
        return
    if sum(map(len, pieces)) <= max_rows or column == picks:
        yield pieces
        return
    own = [piece.edges(column) for piece in pieces]
    values = np.unique(np.concatenate([each for each, _ in own]))
    # how many rows have each value or one before it; a table of them by piece could be too large
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
    """Return how many rows of a piece with these edges have each of `values` or one before it."""
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
    """Raise InputError where `folder` cannot be read or written."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror or error}") from None
