"""The children of a node, as the compiled search meets them: all in order, or one by even chance.

A node is a row of numbers, so that random descents (`probes`) and frontiers (`frontier`) take the
same walk over the files. The one child is drawn while all are seen, so none is kept.
Cost: that of the files looked into.
Source: the draw is reservoir sampling, see Vitter, Random sampling with a reservoir (1985).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from wordpack.instructions import lowest, without
from wordpack.jit import Int64s, Int64Table, Uint64s, Uint64Table
from wordpack.kernels.files import Files
from wordpack.kernels.filing import CHARGE, MASK
from wordpack.kernels.steps import next_item, struck

NODE, (CLOSED, USED, LEFT, AFTER, POSITION, PARENT) = 6, range(6)
"""The columns of a table of nodes: the letters used or left out, those used, the limits, the slot
after the last word's, the position of the item to cover, the row of the parent."""

# linear congruential, Knuth's MMIX
FACTOR, STEP = 6364136223846793005, 1442695040888963407


def walked(files: Files) -> tuple[Any, ...]:
    """Return what `children` reads of the files, its first arguments."""
    return (
        *(files.cards, files.words, files.rows, files.least, files.first),
        *(files.last, files.costs, files.letter, files.place, files.gates, files.strikes),
        *(files.limits.guards, files.early),
    )


def root(files: Files) -> npt.NDArray[np.uint64]:
    """Return the node of no words, as a table of one row (1, NODE)."""
    node = np.zeros((1, NODE), np.uint64)
    node[0, LEFT] = files.limits.start
    return node


def children(  # noqa: C901, PLR0912, PLR0913  one walk over the files, as the search's
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
    strikes: Int64Table,
    guards: Uint64s,
    early: int,
    nodes: Uint64Table,
    parent: int,
    found: Uint64Table,
    to: int,
    random: Uint64s,
    fit: Uint64Table,
) -> int:
    """Write the children of node `parent` of `nodes` to rows `to`, ... of `found`; return how many.

    Those for which there is no row are counted. Where `random` has a number, one of them, drawn
    with it, is written to row `to`, which may be the parent's own.
    """
    one, whole, drawing = np.uint64(1), guards[0] | guards[1], len(random) > 0
    closed, used, left = nodes[parent, CLOSED], nodes[parent, USED], nodes[parent, LEFT]
    position, after = int(np.int64(nodes[parent, POSITION])), int(np.int64(nodes[parent, AFTER]))
    number = random[0] if drawing else one
    block = after >> 6 & ~7
    if 0 < position < len(first):
        block = first[position]
    many = 0
    while position < len(first):
        guard = whole if position else guards[0]
        off = used | struck(left, strikes, strikes.shape[1] if position else early)
        for base in range(block, last[position], 8):
            if ((left - least[base >> 3]) & guard) != guard:
                continue
            lanes = np.uint64(without(words, rows, off, base, fit, 0))
            while lanes:
                lane = lowest(lanes)
                lanes &= lanes - one
                bits = fit[0, lane]
                while bits:
                    word = (base + lane) * 64 + lowest(bits)
                    bits &= bits - one
                    # free words exclude each other by their order only
                    if position == 0 and word < after:
                        continue
                    rest = left - cards[word, CHARGE]
                    if (rest & guard) != guard:
                        continue
                    many += 1
                    row = to + many - 1
                    if drawing:
                        number = number * np.uint64(FACTOR) + np.uint64(STEP)
                        if (number >> np.uint64(33)) % np.uint64(many) != np.uint64(0):
                            continue
                        row = to
                    if row >= len(found):
                        continue
                    covered, following = closed | cards[word, MASK], 0
                    if position:
                        following = next_item(covered, rest, whole, place, gates)
                    found[row, CLOSED], found[row, USED] = covered, used | cards[word, MASK]
                    found[row, LEFT], found[row, AFTER] = rest, np.uint64(word + 1)
                    found[row, POSITION], found[row, PARENT] = (
                        np.uint64(following),
                        np.uint64(parent),
                    )
        if position:
            left -= costs[position]
            closed |= one << np.uint64(letter[position])
        position = next_item(closed, left, whole, place, gates)
        if position < len(first):
            block = first[position]
    if drawing:
        random[0] = number
    return many
