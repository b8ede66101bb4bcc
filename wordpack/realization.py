"""From packings back to words: each packing stands for every choice of words with its masks.

The number of choices is the product of the masks' weights, so `Packings.solutions` counts them
without making any. Rows are made in whole-array operations, as ranks: the place of a word among
the words of its group, in the alphabet's order.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from wordpack.packing import Packings
from wordpack.signature import Signatures

Ranks = npt.NDArray[np.int64]
Labels = Sequence[str]
BLOCK = 1 << 16
"""Rows turned into Python strings at a time."""


def solution_ranks(packings: Packings, groups: Sequence[Signatures]) -> Ranks:
    """Return every choice of words, (solutions, picks) int64, sorted as they are printed.

    Groups stand in order, words in the alphabet's order inside a group, rows in order.
    """
    origin = np.arange(packings.n)
    columns: list[Ranks] = []
    for signatures, rows in zip(groups, packings.rows, strict=True):
        for column in rows.T:
            masks = column[origin]
            repeat = signatures.weights[masks]
            step = np.repeat(np.arange(len(origin)), repeat)
            nth = np.arange(len(step)) - (np.cumsum(repeat) - repeat)[step]
            members = signatures.members[signatures.offsets[masks][step] + nth]
            columns = [earlier[step] for earlier in columns] + [signatures.ranks[members]]
            origin = origin[step]
    return _ordered(columns, [rows.shape[1] for rows in packings.rows], len(origin))


def packing_ranks(packings: Packings, groups: Sequence[Signatures]) -> Ranks:
    """Return each packing by the first word of each mask, (packings, picks) int64, sorted alike."""
    columns = []
    for signatures, rows in zip(groups, packings.rows, strict=True):
        if rows.size:
            lead = np.minimum.reduceat(
                signatures.ranks[signatures.members], signatures.offsets[:-1]
            )
            columns += [lead[column] for column in rows.T]
    return _ordered(columns, [rows.shape[1] for rows in packings.rows], packings.n)


def _ordered(columns: list[Ranks], counts: list[int], n: int) -> Ranks:
    table = np.stack(columns, axis=1) if columns else np.empty((n, 0), dtype=np.int64)
    first = 0
    for count in counts:
        table[:, first : first + count].sort(axis=1)
        first += count
    return table[np.lexsort(table.T[::-1])] if columns else table


def solution_labels(packings: Packings, groups: Sequence[Signatures]) -> list[Labels]:
    """Return for each column of `solution_ranks` the words by rank."""
    return [
        signatures.ordered
        for group, signatures in zip(packings.problem.groups, groups, strict=True)
        for _ in range(group.count)
    ]


def packing_labels(packings: Packings, groups: Sequence[Signatures]) -> list[Labels]:
    """Return for each column of `packing_ranks` the words of a mask joined by '/', by rank."""
    labels: list[Labels] = []
    for group, signatures in zip(packings.problem.groups, groups, strict=True):
        names = [""] * len(signatures.words)
        for index in range(len(signatures)):
            words = signatures.ranks[
                signatures.members[signatures.offsets[index] : signatures.offsets[index + 1]]
            ]
            in_order = sorted(words.tolist())
            names[in_order[0]] = "/".join([signatures.ordered[rank] for rank in in_order])
        labels += [names] * group.count
    return labels


def to_words(table: Ranks, labels: Sequence[Labels]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of `table` as words, one tuple a row."""
    for first in range(0, len(table), BLOCK):
        for row in table[first : first + BLOCK].tolist():
            yield tuple([label[rank] for label, rank in zip(labels, row, strict=True)])


def solutions(packings: Packings, groups: Sequence[Signatures]) -> Iterator[tuple[str, ...]]:
    """Yield every solution as a tuple of words, packing by packing, holding few at a time."""
    labels = solution_labels(packings, groups)
    for block in blocks(packings, BLOCK):
        yield from to_words(solution_ranks(block, groups), labels)


def blocks(packings: Packings, limit: int) -> Iterator[Packings]:
    """Yield `packings` in runs of at most `limit` solutions, or one packing where it has more."""
    product = np.ones(packings.n)
    for group, rows in zip(packings.problem.groups, packings.rows, strict=True):
        for column in rows.T:
            product *= group.weights[column]
    total = np.cumsum(product)
    first = 0
    while first < packings.n:
        before = total[first - 1] if first else 0.0
        last = max(first + 1, int(np.searchsorted(total, before + limit, side="right")))
        yield packings.between(first, last)
        first = last
