"""Packings as index arrays: their canonical order, their digest, and their verifier."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from wordpack.errors import WrongAnswer
from wordpack.packing.ordering import in_order
from wordpack.packing.problem import Problem

Rows = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Counts:
    """The answer of a count-only search: two exact integers."""

    packings: int
    solutions: int
    """The sum over packings of the product of weights."""
    work: dict[str, int] = field(default_factory=dict)
    """The algorithm's own counters, if they were asked for."""

    def counts(self) -> "Counts":
        """Return self, so that every kind of answer has this method."""
        return self


@dataclass(frozen=True, eq=False)
class Packings:
    """The answer of a listing search."""

    problem: Problem
    rows: tuple[Rows, ...]
    """For each group an array (n, count) int32 of indices into the group's masks."""
    n: int
    work: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.n

    @classmethod
    def from_table(cls, problem: Problem, table: Rows) -> "Packings":
        """Return the packings whose indices are in `table` (n, picks), groups side by side."""
        rows, end = [], 0
        for group in problem.groups:
            rows.append(table[:, end : end + group.count])
            end += group.count
        return cls(problem, tuple(rows), len(table))

    def canonical(self) -> "Packings":
        """Return the same packings with indices sorted inside a group, then rows sorted."""
        if not self.rows:
            return self
        indices = [np.arange(len(g.masks), dtype=np.int32) for g in self.problem.groups]
        table = in_order(self.rows, indices, indices)
        return replace(Packings.from_table(self.problem, table), work=self.work)

    def digest(self) -> str:
        """Return the sha256 (hex) of the masks picked, independent of list and row order.

        It covers the groups' counts, then the masks of each packing. Masks ascend inside a group
        and rows ascend. Every number is a little-endian uint64.
        """
        groups = self.problem.groups
        sha = hashlib.sha256(np.array([g.count for g in groups], "<u8").data)
        if groups:
            places = [np.searchsorted(g.distinct, g.masks).astype(np.int32) for g in groups]
            table = in_order(self.rows, places, [g.distinct.astype(np.uint64) for g in groups])
            sha.update(np.ascontiguousarray(table, "<u8").data)
        return sha.hexdigest()

    def solutions(self) -> int:
        """Return the exact number of word-level solutions: products of weights, summed."""
        largest = 1
        product: npt.NDArray[np.int64] | npt.NDArray[np.object_] = np.ones(self.n, dtype=np.int64)
        for group, rows in zip(self.problem.groups, self.rows, strict=True):
            for column in rows.T:
                weights = group.weights[column]
                largest *= int(weights.max(initial=1))
                if largest * max(self.n, 1) >= 2**63:
                    product = product.astype(object)
                product = product * weights
        return int(product.sum())

    def split(self, max_rows: int) -> Iterator["Packings"]:
        """Yield the packings in nonempty runs of at most `max_rows`."""
        for first in range(0, self.n, max_rows):
            yield self.between(first, min(first + max_rows, self.n))

    def between(self, first: int, last: int) -> "Packings":
        """Return packings first to last - 1; 0 <= first <= last <= n."""
        return Packings(self.problem, tuple(rows[first:last] for rows in self.rows), last - first)

    def counts(self) -> Counts:
        """Return the answer that a count-only search would give."""
        return Counts(self.n, self.solutions(), self.work)


Answer = Packings | Counts


def concatenate(problem: Problem, parts: list[Packings]) -> Packings:
    """Return all packings of `parts`, in their order."""
    if len(parts) == 1:
        return parts[0]
    rows = tuple(
        np.concatenate([np.empty((0, group.count), np.int32), *(part.rows[g] for part in parts)])
        for g, group in enumerate(problem.groups)
    )
    return Packings(problem, rows, sum(len(part) for part in parts))


def gather(problem: Problem, parts: Iterable[Packings], *, count_only: bool) -> Answer:
    """Return the packings of all `parts`; with `count_only` their exact numbers, holding none."""
    if not count_only:
        return concatenate(problem, list(parts))
    packings = solutions = 0
    for part in parts:
        packings += len(part)
        solutions += part.solutions()
    return Counts(packings, solutions)


def fingerprints(packings: Packings) -> npt.NDArray[np.uint64]:
    """Return a 64-bit hash of each packing (n,), independent of the order of its indices.

    Hashes can show that streamed rows are all different when there are too many rows to hold.
    """
    marks = np.zeros(packings.n, dtype=np.uint64)
    for rows in packings.rows:
        for column in np.sort(rows, axis=1).T:
            # the finaliser of splitmix64 (Steele, Lea, Flood 2014), after each index
            marks += column.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
            marks = (marks ^ (marks >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            marks = (marks ^ (marks >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            marks ^= marks >> np.uint64(31)
    return marks


class Distinct:
    """Check that packings streamed in parts are all different, with 8 bytes for each."""

    SHARES = 16
    """Fingerprints are split by their highest bits, so that only one share is sorted at a time."""

    def __init__(self) -> None:
        self._shares: list[list[npt.NDArray[np.uint64]]] = [[] for _ in range(self.SHARES)]

    def add(self, packings: Packings) -> None:
        """Record the packings of a part."""
        marks = fingerprints(packings)
        share = marks >> np.uint64(60)
        for place, kept in enumerate(self._shares):
            kept.append(marks[share == place])

    def all_different(self) -> bool:
        """Return whether no packing was added twice; this discards the record."""
        while self._shares:
            marks = np.concatenate([np.empty(0, np.uint64), *self._shares.pop()])
            marks.sort()
            if (marks[1:] == marks[:-1]).any():
                return False
        return True


def verify(packings: Packings) -> None:
    """Raise WrongAnswer unless the rows are well formed, in range, disjoint, and all different.

    This is the verifier: it uses the problem's masks and no backend code. It cannot show that no
    packing is missing.
    """
    problem, n = packings.problem, packings.n
    if len(packings.rows) != len(problem.groups):
        raise WrongAnswer(f"{len(packings.rows)} groups answered of {len(problem.groups)}")
    used = np.zeros(n, dtype=np.uint64)
    for g, (group, rows) in enumerate(zip(problem.groups, packings.rows, strict=True)):
        _check_indices(f"group {g}", rows, (n, group.count), len(group.masks))
        for column in rows.T:
            mask = group.masks[column].astype(np.uint64)
            shared = (used & mask) != 0
            if shared.any():
                raise WrongAnswer(f"packing {np.argmax(shared)} uses a letter twice")
            used |= mask
    marks = np.sort(fingerprints(packings))
    # equal packings have equal marks
    if (marks[1:] == marks[:-1]).any():
        _check_distinct(packings)


def _check_distinct(packings: Packings) -> None:
    ordered = [np.sort(rows, axis=1) for rows in packings.rows]
    columns = [column for rows in ordered for column in rows.T]
    order = np.lexsort(columns) if columns else np.arange(packings.n)
    same = np.ones(packings.n - 1, dtype=bool)
    for column in columns:
        same &= column[order[1:]] == column[order[:-1]]
    if same.any():
        raise WrongAnswer(f"{np.count_nonzero(same)} packings are repeated")


def _check_indices(where: str, rows: Rows, shape: tuple[int, int], size: int) -> None:
    if not isinstance(rows, np.ndarray) or rows.dtype != np.int32:
        raise WrongAnswer(f"{where}: indices are not an int32 array")
    if rows.shape != shape:
        raise WrongAnswer(f"{where}: expected shape {shape}, got {rows.shape}")
    outside = (rows < 0) | (rows >= size)
    if outside.any():
        raise WrongAnswer(f"{where}: index {rows[outside][0]} is out of range")
    ordered = np.sort(rows, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    if twice.any():
        raise WrongAnswer(f"{where}: packing {np.argmax(twice)} picks a mask twice")
