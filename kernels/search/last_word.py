"""The last word of a packing: write every word that fits at once and save no state.

Half of the nodes of a search come just before the last word, so they have a loop of their own.
Cost: the files looked into. Source: ours, a part of `descent`.
"""

import numpy as np

from wordpack.compiled.instructions import lowest, without
from wordpack.compiled.jit import Int32Table
from wordpack.kernels.search.bucket_rows import CHARGE, INDEX, WEIGHT
from wordpack.kernels.search.filed import Filed
from wordpack.kernels.search.next_item import SHIFT, over_budget, skipped
from wordpack.kernels.search.open_node import Stack

# rows of the table of picks, one column per depth
PICKS = 3
PICK, COLUMN, PRODUCT = range(PICKS)
# rows of the table of groups that follow the limit's shift, one column per group
OF, LAST_COLUMN = 1, 2


def index_of(card: np.uint64) -> int:
    """Return the index of a word in its group."""
    return int(card & np.uint64(0xFFFFFFFF))


def column_of(files: Filed, card: np.uint64, left: np.uint64) -> int:
    """Return the column of a group's next word: its last column minus the words still to come."""
    groups, group = files.groups, np.int64(card >> np.uint64(32))
    supplies = np.int64(left >> np.uint64(groups[SHIFT, group])) & groups[OF, group]
    return int(groups[LAST_COLUMN, group] - supplies)


def write_row(
    files: Filed, stack: Stack, d: int, word: int, left: np.uint64, found: Int32Table, at: int
) -> None:
    """Write the `d` picked words and a last one into row `at`."""
    picks, card = stack.picks, files.cards[word, INDEX]
    for e in range(d):
        found[at, picks[COLUMN, e]] = picks[PICK, e]
    found[at, column_of(files, card, left)] = index_of(card)


def last_words(
    files: Filed,
    stack: Stack,
    closed: np.uint64,
    since: np.uint64,
    left: np.uint64,
    position: int,
    found: Int32Table,
) -> int:
    """Add all packings of the picked words and one more; return 0 and add none without room.

    All words but one are picked. `closed` has the letters used or left out, `since` the letters
    used that are not struck from the staged blocks yet.
    """
    one, whole = np.uint64(1), files.guards[1]
    d, totals = stack.depth - 1, stack.totals
    at, solutions = totals[0], 0
    while position < len(files.first):
        off = since | over_budget(files, left, position)
        for block in range(files.first[position], files.last[position], 8):
            if ((left - files.least[block >> 3]) & whole) != whole:
                continue
            lanes = np.uint64(without(stack.staged, files.rows, off, block, stack.fit, d))
            while lanes:
                lane = lowest(lanes)
                lanes &= lanes - one
                bits = stack.fit[d, lane]
                while bits:
                    word = (block + lane) * 64 + lowest(bits)
                    bits &= bits - one
                    if ((left - files.cards[word, CHARGE]) & whole) != whole:
                        continue
                    if len(found):
                        if at == len(found):
                            return 0
                        write_row(files, stack, d, word, left, found, at)
                    at += 1
                    solutions += stack.picks[PRODUCT, d] * np.int64(files.cards[word, WEIGHT])
        closed, left, position = skipped(files, closed, left, position)
    stack.nodes[d] += at - totals[0]
    totals[0] = at
    totals[1] += solutions
    return 1
