"""The last word of a packing: whatever fits is written at once, and nothing is kept to come back.

Half of the nodes of a search are those before the last word, so they have a loop of their own.
Cost: that of the files looked into. Source: ours, a part of `descent`.
"""

import numpy as np

from wordpack.instructions import lowest, without
from wordpack.jit import Int32Table, Int64s, Int64Table, Uint64s, Uint64Table
from wordpack.kernels.filing import CHARGE, INDEX, WEIGHT
from wordpack.kernels.steps import SHIFT, next_item, struck

# rows of the table of picks, one column for each depth
PICK, COLUMN, PRODUCT = range(3)
# rows of the table of groups after the shift of their limit, one column for each
OF, LAST_COLUMN = 1, 2


def index_of(card: np.uint64) -> int:
    """Return the index of a word in its group."""
    return int(card & np.uint64(0xFFFFFFFF))


def column_of(card: np.uint64, left: np.uint64, groups: Int64Table) -> int:
    """Return the column of the next word of a group: its last one less those still to come."""
    group = np.int64(card >> np.uint64(32))
    supplies = np.int64(left >> np.uint64(groups[SHIFT, group])) & groups[OF, group]
    return int(groups[LAST_COLUMN, group] - supplies)


def last_words(  # noqa: PLR0913  a node and the files
    cards: Uint64Table,
    words: Uint64s,
    rows: Uint64Table,
    least: Uint64s,
    first: Int64s,
    last: Int64s,
    costs: Uint64s,
    letter: Int64s,
    place: Int64s,
    gates: Int64Table,
    groups: Int64Table,
    strikes: Int64Table,
    whole: np.uint64,
    d: int,
    closed: np.uint64,
    used: np.uint64,
    left: np.uint64,
    position: int,
    fit: Uint64Table,
    picks: Int64Table,
    found: Int32Table,
    totals: Int64s,
    nodes: Int64s,
) -> int:
    """Add all packings of the `d` words picked and one more; 0, and none, where they do not fit."""
    one = np.uint64(1)
    at, solutions = totals[0], 0
    while position < len(first):
        off = used | struck(left, strikes, strikes.shape[1])
        for block in range(first[position], last[position], 8):
            if ((left - least[block >> 3]) & whole) != whole:
                continue
            lanes = np.uint64(without(words, rows, off, block, fit, d))
            while lanes:
                lane = lowest(lanes)
                lanes &= lanes - one
                bits = fit[d, lane]
                while bits:
                    word = (block + lane) * 64 + lowest(bits)
                    bits &= bits - one
                    if ((left - cards[word, CHARGE]) & whole) != whole:
                        continue
                    if len(found):
                        if at == len(found):
                            return 0
                        for e in range(d):
                            found[at, picks[COLUMN, e]] = picks[PICK, e]
                        card = cards[word, INDEX]
                        found[at, column_of(card, left, groups)] = index_of(card)
                    at += 1
                    solutions += picks[PRODUCT, d] * np.int64(cards[word, WEIGHT])
        left -= costs[position]
        closed |= one << np.uint64(letter[position])
        position = next_item(closed, left, whole, place, gates)
    nodes[d] += at - totals[0]
    totals[0] = at
    totals[1] += solutions
    return 1
