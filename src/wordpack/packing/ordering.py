"""Sort the rows of an answer: numbers inside a group, then rows over all groups.

Compiled code sorts long tables. It packs each row into two 64-bit words, radix-sorts them a column
at a time from the last, and unpacks them: a dozen passes over 16 bytes per row. Numpy sorts short
tables, rows that need more bits, and every table if nothing can be compiled. The result is the
same.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from wordpack.compiled.jit import Int32s, Int32Table, Int64s, Uint64s, Uint64Table, kernel
from wordpack.errors import Unavailable

Table = npt.NDArray[np.int32]
Number = TypeVar("Number", np.int32, np.uint64)

LONG = 1 << 16
"""The least number of rows for which loading compiled code pays."""

WORD = 64
DIGIT = 14
"""Most bits sorted at a time: their counters fit a core's cache."""

BLOCK = 256
"""Rows whose columns are sorted together."""


def in_order(
    groups: Sequence[Table], places: Sequence[Table], values: Sequence[npt.NDArray[Number]]
) -> npt.NDArray[Number]:
    """Return the rows of `groups`, sorted and side by side, (n, columns).

    There is at least one group; each is a table (n, count) of indices. Indices are sorted by their
    `places` (int32, not negative), first inside each row of a group, then rows over all groups.
    The result holds the entry of `values` (int32 or uint64) for each place.
    """
    shifts = _shifts(groups, places)
    if len(groups[0]) >= LONG and shifts is not None:
        try:
            return _by_radix(groups, places, values, shifts)
        except Unavailable:
            pass
    return _by_comparison(groups, places, values)


def _by_comparison(
    groups: Sequence[Table], places: Sequence[Table], values: Sequence[npt.NDArray[Number]]
) -> npt.NDArray[Number]:
    tables = [np.sort(own[rows], axis=1) for rows, own in zip(groups, places, strict=True)]
    columns = [column for table in tables for column in table.T]
    order = np.lexsort(columns[::-1]) if columns else np.arange(len(groups[0]))
    return np.hstack([own[table[order]] for table, own in zip(tables, values, strict=True)])


def _shifts(groups: Sequence[Table], places: Sequence[Table]) -> list[list[int]] | None:
    """Return the bit offset of each column in two words; None if the columns do not fit.

    A shift of 64 or more lies in the first word, which is compared first.
    """
    free, found = 2 * WORD, []
    for rows, own in zip(groups, places, strict=True):
        bits = _bits(own)
        shifts = []
        for _ in range(rows.shape[1]):
            if free > WORD > free - bits:
                free = WORD
            free -= bits
            shifts.append(free)
        found.append(shifts)
    return found if free >= 0 else None


def _bits(places: Table) -> int:
    return max(1, int(places.max(initial=0)).bit_length())


def _by_radix(
    groups: Sequence[Table],
    places: Sequence[Table],
    values: Sequence[npt.NDArray[Number]],
    shifts: list[list[int]],
) -> npt.NDArray[Number]:
    keys = np.zeros((len(groups[0]), 2), dtype=np.uint64)
    digits = []
    for rows, own, columns in zip(groups, places, shifts, strict=True):
        if not columns:
            continue
        kernel(_pack)(
            np.ascontiguousarray(rows),
            np.ascontiguousarray(own, dtype=np.int32),
            np.array(columns, np.int64),
            np.zeros((len(columns), BLOCK), dtype=np.int32),
            keys,
        )
        bits = _bits(own)
        width = -(-bits // -(-bits // DIGIT))
        for shift in columns:
            parts = [(shift + low, min(width, bits - low)) for low in range(0, bits, width)]
            digits += parts[::-1]
    other = np.empty_like(keys)
    counts = np.empty(1 << DIGIT, dtype=np.int64)
    for shift, width in reversed(digits):
        kernel(_scatter)(keys, other, counts[: 1 << width], shift)
        keys, other = other, keys
    table = np.empty((len(keys), sum(map(len, shifts))), dtype=values[0].dtype)
    instead = {} if table.dtype == np.int32 else {"values": Uint64s, "table": Uint64Table}
    first = 0
    for own, found, columns in zip(places, values, shifts, strict=True):
        kernel(_unpack, **instead)(
            keys, np.array(columns, np.int64), _bits(own), found, table, first
        )
        first += len(columns)
    return table


def _pack(
    rows: Int32Table, places: Int32s, shifts: Int64s, block: Int32Table, keys: Uint64Table
) -> int:
    """Add the columns of a group, ascending in each row, to `keys`."""
    count = rows.shape[1]
    for first in range(0, len(rows), BLOCK):
        size = min(BLOCK, len(rows) - first)
        for row in range(size):
            for column in range(count):
                block[column, row] = places[rows[first + row, column]]
        _sort_columns(block)
        for column in range(count):
            word, shift = 1 - shifts[column] // WORD, np.uint64(shifts[column] % WORD)
            own = block[column]
            for row in range(size):
                keys[first + row, word] |= np.uint64(own[row]) << shift
    return 0


def _sort_columns(block: Int32Table) -> None:
    """Sort along the first axis by odd-even transposition."""
    count = len(block)
    for turn in range(count):
        for column in range(turn & 1, count - 1, 2):
            one, two = block[column], block[column + 1]
            for row in range(BLOCK):
                less, more = min(one[row], two[row]), max(one[row], two[row])
                one[row], two[row] = less, more


def _scatter(source: Uint64Table, target: Uint64Table, counts: Int64s, shift: int) -> int:
    """Move rows to `target`, stably sorted by the digit at `shift`."""
    counts[:] = 0
    word, low = 1 - shift // WORD, np.uint64(shift % WORD)
    mask = np.uint64(len(counts) - 1)
    for row in range(len(source)):
        counts[np.int64(source[row, word] >> low & mask)] += 1
    total = 0
    for value in range(len(counts)):
        count = counts[value]
        counts[value] = total
        total += count
    for row in range(len(source)):
        upper, lower = source[row, 0], source[row, 1]
        digit = np.int64((lower if word else upper) >> low & mask)
        place = counts[digit]
        counts[digit] = place + 1
        target[place, 0], target[place, 1] = upper, lower
    return 0


def _unpack(
    keys: Uint64Table, shifts: Int64s, bits: int, values: Int32s, table: Int32Table, first: int
) -> int:
    """Write the values of a group's columns to `table`, starting at its column `first`."""
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    for row in range(len(keys)):
        for column in range(len(shifts)):
            word = 1 - shifts[column] // WORD
            number = keys[row, word] >> np.uint64(shifts[column] % WORD) & mask
            table[row, first + column] = values[np.int64(number)]
    return 0
