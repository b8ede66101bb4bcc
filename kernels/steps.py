"""The two steps that a walk over filed words repeats: to the next item, and what is struck."""

import numpy as np

from wordpack.instructions import lowest
from wordpack.jit import Int64s, Int64Table

# rows of the table of struck words, one column for each limit that has any
SHIFT, MASK, LEVELS, FIRST_ROW = range(4)


def next_item(
    closed: np.uint64, left: np.uint64, whole: np.uint64, place: Int64s, gates: Int64Table
) -> int:
    """Return the position of the first item that is neither covered nor left out; a gate first.

    That of no item where a limit is broken.
    """
    position: int = place[64]
    if (left & whole) == whole:
        if ~closed != np.uint64(0):
            position = place[lowest(~closed)]
        for gate in range(len(gates)):
            # a group of one word has two bits: its guard, and whether the word is still to come
            if gates[gate, 0] < position and left >> np.uint64(gates[gate, 1]) & np.uint64(1):
                position = gates[gate, 0]
                break
    return position


def struck(left: np.uint64, strikes: Int64Table, limits: int) -> np.uint64:
    """Return the rows of words that cost more than is left of the first limits, as bits."""
    rows = np.uint64(0)
    for i in range(limits):
        value = np.int64(left >> np.uint64(strikes[SHIFT, i])) & strikes[MASK, i]
        if value < strikes[LEVELS, i]:
            rows |= np.uint64(1) << np.uint64(strikes[FIRST_ROW, i] + value)
    return rows
