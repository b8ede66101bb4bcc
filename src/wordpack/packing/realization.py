"""From packings back to words: each packing stands for every choice of words with its masks.

The number of choices is the product of the masks' weights, so `Packings.solutions` counts them
without making any. Rows are made in whole-array operations, as ranks: a word's rank is its place
among the words of its group in the alphabet's order.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from wordpack.lexicon.signature import Signatures
from wordpack.packing.answer import Packings, Rows
from wordpack.packing.ordering import in_order

Ranks = npt.NDArray[np.int32]
Labels = Mapping[int, str]
BLOCK = 1 << 16
"""Rows turned into Python strings at a time."""


def solution_ranks(packings: Packings, groups: Sequence[Signatures]) -> Ranks:
    """Return every choice of words, (solutions, picks) int32, sorted as they are printed.

    Groups are in order, words in the alphabet's order within a group, and rows in order.
    """
    choices = _choices(packings)
    packing = np.repeat(np.arange(packings.n), choices.astype(np.int64))
    # A choice of words is a mixed-radix number with one digit per mask. Any run of as many numbers
    # as there are choices has each choice once in its low digits.
    size = np.int32 if len(packing) < 1 << 31 else np.int64
    digits = np.arange(len(packing), dtype=size)
    tables: list[Ranks] = []
    for signatures, rows in zip(groups, packings.rows, strict=True):
        ranks = signatures.ranks[signatures.members]
        offsets = signatures.offsets.astype(np.int32)
        table = np.empty((len(packing), rows.shape[1]), dtype=np.int32)
        for place, column in enumerate(rows.T.astype(np.intp)):
            weights = signatures.weights[column].astype(size)
            digits, digit = np.divmod(digits, weights[packing])
            table[:, place] = ranks[offsets[column][packing] + digit]
        tables.append(table)
    return _ordered(packings, tables, [_every_rank(own) for own in groups], groups)


def packing_ranks(packings: Packings, groups: Sequence[Signatures]) -> Ranks:
    """Return each packing as its masks' first words, (packings, picks) int32, sorted alike."""
    leads = [
        np.minimum.reduceat(own.ranks[own.members], own.offsets[:-1]) if len(own) else own.ranks
        for own in groups
    ]
    return _ordered(packings, packings.rows, leads, groups)


def _ordered(
    packings: Packings,
    tables: Sequence[Ranks],
    places: list[Ranks],
    groups: Sequence[Signatures],
) -> Ranks:
    if not groups:
        return np.empty((packings.n, 0), dtype=np.int32)
    return in_order(tables, places, [_every_rank(own) for own in groups])


def _every_rank(signatures: Signatures) -> Ranks:
    return np.arange(len(signatures.ranks), dtype=np.int32)


def solution_labels(packings: Packings, groups: Sequence[Signatures]) -> list[Labels]:
    """Return, for each column of `solution_ranks`, the words that it needs by rank."""
    labels: list[Labels] = []
    for signatures, rows in zip(groups, packings.rows, strict=True):
        masks = _used(rows, signatures)
        used = np.repeat(masks, signatures.weights)
        ranks = signatures.ranks[signatures.members[used]]
        names = dict(zip(ranks.tolist(), signatures.spell(ranks), strict=True))
        labels += [names] * rows.shape[1]
    return labels


def packing_labels(packings: Packings, groups: Sequence[Signatures]) -> list[Labels]:
    """Return, for each column of `packing_ranks`, a mask's words joined by '/', by rank."""
    labels: list[Labels] = []
    for signatures, rows in zip(groups, packings.rows, strict=True):
        names = {}
        for index in np.flatnonzero(_used(rows, signatures)):
            ranks = _ranks_of(signatures, int(index))
            names[int(ranks[0])] = "/".join(signatures.spell(ranks))
        labels += [names] * rows.shape[1]
    return labels


def signature_labels(signatures: Signatures) -> Iterator[str]:
    """Yield the words of each mask, joined by '/', in the order of the masks."""
    for index in range(len(signatures)):
        yield "/".join(signatures.spell(_ranks_of(signatures, index)))


def _ranks_of(signatures: Signatures, index: int) -> Ranks:
    """Return the ranks of the words of a mask, ascending."""
    first, last = signatures.offsets[index : index + 2]
    return np.sort(signatures.ranks[signatures.members[first:last]])


def _used(rows: Rows, signatures: Signatures) -> npt.NDArray[np.bool_]:
    """Return which masks are picked in `rows`, (masks,) bool."""
    used = np.zeros(len(signatures), dtype=bool)
    used[rows] = True
    return used


def to_words(table: Ranks, labels: Sequence[Labels]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of `table` as words, one tuple per row."""
    for first in range(0, len(table), BLOCK):
        block = table[first : first + BLOCK]
        if not labels:
            yield from [()] * len(block)
            continue
        columns = [column.tolist() for column in block.T]
        words = [map(own.__getitem__, ranks) for own, ranks in zip(labels, columns, strict=True)]
        yield from zip(*words, strict=True)


def solutions(packings: Packings, groups: Sequence[Signatures]) -> Iterator[tuple[str, ...]]:
    """Yield every solution as a tuple of words, packing by packing, holding few at a time."""
    labels = solution_labels(packings, groups)
    for block in blocks(packings, BLOCK):
        yield from to_words(solution_ranks(block, groups), labels)


def blocks(packings: Packings, limit: int) -> Iterator[Packings]:
    """Yield `packings` in runs of at most `limit` solutions, or one packing that has more."""
    total = np.cumsum(_choices(packings))
    first = 0
    while first < packings.n:
        before = total[first - 1] if first else 0.0
        last = max(first + 1, int(np.searchsorted(total, before + limit, side="right")))
        yield packings.between(first, last)
        first = last


def _choices(packings: Packings) -> npt.NDArray[np.float64]:
    """Return how many solutions each packing stands for (n,), exact up to 2**53."""
    product = np.ones(packings.n)
    for group, rows in zip(packings.problem.groups, packings.rows, strict=True):
        for column in rows.T:
            product *= group.weights[column]
    return product
