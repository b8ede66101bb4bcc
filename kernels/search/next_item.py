"""The steps every walk over filed words repeats: the next item, and the words over a budget."""

import numpy as np

from wordpack.compiled.instructions import lowest
from wordpack.kernels.search.filed import Filed

# rows of the table of struck words, one column per limit that has any
SHIFT, MASK, LEVELS, FIRST_ROW = range(4)


def next_item(files: Filed, closed: np.uint64, left: np.uint64) -> int:
    """Return the position of the first item that is neither covered nor left out; gates first.

    If a limit is broken, return the position after the last item.
    """
    gates, whole = files.gates, files.guards[1]
    position: int = files.place[64]
    if (left & whole) == whole:
        if ~closed != np.uint64(0):
            position = files.place[lowest(~closed)]
        for gate in range(len(gates)):
            # the limit of a group of one word has two bits: its guard, and the word still to come
            if gates[gate, 0] < position and left >> np.uint64(gates[gate, 1]) & np.uint64(1):
                position = gates[gate, 0]
                break
    return position


def skipped(
    files: Filed, closed: np.uint64, left: np.uint64, position: int
) -> tuple[np.uint64, np.uint64, int]:
    """Leave out the item at `position`; return closed letters, limits and the next position."""
    if position:
        left -= files.costs[position]
        closed |= np.uint64(1) << np.uint64(files.letter[position])
    return closed, left, next_item(files, closed, left)


def over_budget(files: Filed, left: np.uint64, position: int) -> np.uint64:
    """Return as bits the rows of words that cost more than a limit has left.

    Only the groups' limits apply while free words may come.
    """
    rows, strikes = np.uint64(0), files.strikes
    for i in range(strikes.shape[1] if position else files.early):
        value = np.int64(left >> np.uint64(strikes[SHIFT, i])) & strikes[MASK, i]
        if value < strikes[LEVELS, i]:
            rows |= np.uint64(1) << np.uint64(strikes[FIRST_ROW, i] + value)
    return rows
