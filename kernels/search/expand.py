"""The children of a node: all of them in search order, or one chosen at random.

A node is a row of numbers, so random descents (`probes`) and frontiers (`frontier`) share one walk
over the files. The random child is chosen during the walk, each with equal probability, without
storing the others.
Cost: the files looked into.
Source: reservoir sampling, see Vitter, Random sampling with a reservoir (1985).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wordpack.compiled.instructions import lowest, without
from wordpack.compiled.jit import Uint64s, Uint64Table
from wordpack.kernels.search.bucket_rows import CHARGE, MASK
from wordpack.kernels.search.buckets import Files
from wordpack.kernels.search.filed import Filed
from wordpack.kernels.search.next_item import next_item, over_budget, skipped

NODE, (CLOSED, USED, LEFT, AFTER, POSITION, PARENT) = 6, range(6)
"""The columns of a table of nodes: letters used or left out, letters used, the limits, the slot
after the last word's, the position of the item to cover, the parent's row."""

# Knuth's MMIX linear congruential generator
FACTOR, STEP = 6364136223846793005, 1442695040888963407


def root(files: Files) -> npt.NDArray[np.uint64]:
    """Return the node of no words, as a table of one row (1, NODE)."""
    node = np.zeros((1, NODE), np.uint64)
    node[0, LEFT] = files.limits.start
    return node


class _Child(NamedTuple):
    """A row of a table of nodes."""

    closed: np.uint64
    used: np.uint64
    left: np.uint64
    after: int
    position: int
    parent: int


def children(  # noqa: C901  one walk over the files, like the search's
    files: Filed,
    nodes: Uint64Table,
    parent: int,
    found: Uint64Table,
    to: int,
    random: Uint64s,
    fit: Uint64Table,
) -> int:
    """Write the children of node `parent` to rows `to`, ... of `found`; return their number.

    Children beyond the last row are only counted. If `random` holds a number, it chooses one child,
    which is written to row `to`; that may be the parent's own row.
    """
    one, drawing = np.uint64(1), len(random) > 0
    closed, used, left = nodes[parent, CLOSED], nodes[parent, USED], nodes[parent, LEFT]
    position, after = int(np.int64(nodes[parent, POSITION])), int(np.int64(nodes[parent, AFTER]))
    number = random[0] if drawing else one
    # a free word is followed only by later free words
    block = files.first[position] if 0 < position < len(files.first) else after >> 6 & ~7
    many = 0
    while position < len(files.first):
        guard = files.guards[1 if position else 0]
        off = used | over_budget(files, left, position)
        for base in range(block, files.last[position], 8):
            if ((left - files.least[base >> 3]) & guard) != guard:
                continue
            lanes = np.uint64(without(files.words, files.rows, off, base, fit, 0))
            while lanes:
                lane = lowest(lanes)
                lanes &= lanes - one
                bits = fit[0, lane]
                while bits:
                    word = (base + lane) * 64 + lowest(bits)
                    bits &= bits - one
                    rest = left - files.cards[word, CHARGE]
                    # free words are chosen in slot order, so that no set is met twice
                    if (rest & guard) != guard or (position == 0 and word < after):
                        continue
                    many += 1
                    row = to + many - 1
                    if drawing:
                        number = number * np.uint64(FACTOR) + np.uint64(STEP)
                        if (number >> np.uint64(33)) % np.uint64(many) != np.uint64(0):
                            continue
                        row = to
                    if row < len(found):
                        mask = files.cards[word, MASK]
                        following = next_item(files, closed | mask, rest) if position else 0
                        child = _Child(
                            closed | mask, used | mask, rest, word + 1, following, parent
                        )
                        _write(child, found, row)
        closed, left, position = skipped(files, closed, left, position)
        if position < len(files.first):
            block = files.first[position]
    if drawing:
        random[0] = number
    return many


def _write(child: _Child, found: Uint64Table, row: int) -> None:
    found[row, CLOSED], found[row, USED], found[row, LEFT] = child.closed, child.used, child.left
    found[row, AFTER], found[row, POSITION] = np.uint64(child.after), np.uint64(child.position)
    found[row, PARENT] = np.uint64(child.parent)
