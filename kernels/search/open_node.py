"""The current node of a depth-first walk: one tuple of numbers that stays in registers.

Each step takes a `Here` and returns another. Once the steps are inlined, the tuples disappear.
The walk saves the node to a column of the thread's tables only when it goes down, and reads it
again when it comes back up.
Cost: none beyond the steps themselves. Source: ours, a part of `descent`.
"""

from typing import NamedTuple

import numpy as np

from wordpack.compiled.instructions import lowest, without
from wordpack.compiled.jit import Int64s, Int64Table, Uint64s, Uint64Table
from wordpack.kernels.search.bucket_rows import MASK
from wordpack.kernels.search.filed import Filed
from wordpack.kernels.search.next_item import over_budget, skipped

PLACES, SETS = 5, 6
# rows of the table of places, one column per depth
POSITION, BLOCK, END, BASE, LANES = range(PLACES)
# rows of the table of sets and limits, one column per depth
CLOSED, USED, SINCE, LEFT, OFF, BITS = range(SETS)


class Stack(NamedTuple):
    """A thread's own tables: saved nodes, picked words, and results."""

    state: Int64s
    places: Int64Table
    sets: Uint64Table
    picks: Int64Table
    fit: Uint64Table
    staged: Uint64s
    """The words that still fit at depth `stage`; deeper blocks start from these."""
    stage_rows: Uint64Table
    """The same numbers as `staged`, eight per row."""
    marks: Int64Table
    totals: Int64s
    nodes: Int64s
    depth: int
    stage: int
    split: int
    grain: int


class Here(NamedTuple):
    """An open node: what it has used up, its open file, and the words that fit it."""

    closed: np.uint64
    """The letters used or left out."""
    used: np.uint64
    since: np.uint64
    """The letters used that are not struck from this depth's blocks yet."""
    left: np.uint64
    """The limits."""
    off: np.uint64
    """The rows to strike from a block: letters, and words that cost too much."""
    guard: np.uint64
    """The guard bits that must hold."""
    position: int
    """The position of the open file; `block` to `end` is the part still to read."""
    block: int
    end: int
    base: int
    """The number whose `bits` are words that fit; `lanes` are the block's numbers still to read."""
    bits: np.uint64
    lanes: np.uint64


def resumed(files: Filed, stack: Stack, d: int) -> Here:
    """Return the node saved at depth `d`."""
    sets, places = stack.sets, stack.places
    closed, used, since = sets[CLOSED, d], sets[USED, d], sets[SINCE, d]
    left, off, bits = sets[LEFT, d], sets[OFF, d], sets[BITS, d]
    position, block, end = places[POSITION, d], places[BLOCK, d], places[END, d]
    base, lanes = places[BASE, d], np.uint64(places[LANES, d])
    guard = files.guards[1 if position else 0]
    return Here(closed, used, since, left, off, guard, position, block, end, base, bits, lanes)


def put_aside(stack: Stack, d: int, here: Here) -> None:
    """Save the node of depth `d`."""
    sets, places = stack.sets, stack.places
    sets[CLOSED, d], sets[USED, d], sets[SINCE, d] = here.closed, here.used, here.since
    sets[LEFT, d], sets[OFF, d], sets[BITS, d] = here.left, here.off, here.bits
    places[POSITION, d], places[BLOCK, d], places[END, d] = here.position, here.block, here.end
    places[BASE, d], places[LANES, d] = here.base, np.int64(here.lanes)


def passed(here: Here) -> Here:
    """Return the node without its lowest word."""
    closed, used, since, left, off, guard, position, block, end, base, bits, lanes = here
    bits &= bits - np.uint64(1)
    return Here(closed, used, since, left, off, guard, position, block, end, base, bits, lanes)


def opened(
    files: Filed, stack: Stack, d: int, above: Here, word: int, left: np.uint64, position: int
) -> Here:
    """Return the node of depth `d`: `above` and one more word, with all blocks still to read."""
    mask, lanes = files.cards[word, MASK], np.uint64(0)
    bits, base = lanes, above.base
    closed, used, since = above.closed | mask, above.used | mask, above.since | mask
    # a free word is followed only by later free words
    block = files.first[position] if above.position else base & ~7
    if d == stack.stage:
        since = lanes
        for at in range(block, len(files.words), 8):
            without(files.words, files.rows, used, at, stack.stage_rows, at >> 3)
    off, guard = since | over_budget(files, left, position), files.guards[1 if position else 0]
    end = files.last[position]
    return Here(closed, used, since, left, off, guard, position, block, end, base, bits, lanes)


def filled(files: Filed, stack: Stack, d: int, here: Here) -> Here:
    """Return the node with the next words that fit as its bits, or 0 bits if there are none."""
    closed, used, since, left, off, guard, position, block, end, base, bits, lanes = here
    one, none = np.uint64(1), np.uint64(0)
    while position < len(files.first):
        while block < end and lanes == none:
            if ((left - files.least[block >> 3]) & guard) == guard:
                if d < stack.stage:
                    lanes = np.uint64(without(files.words, files.rows, off, block, stack.fit, d))
                else:
                    lanes = np.uint64(without(stack.staged, files.rows, off, block, stack.fit, d))
                base = block
            block += 8
        if lanes != none:
            lane = lowest(lanes)
            lanes &= lanes - one
            base = (base & ~7) | lane
            bits = stack.fit[d, lane]
            if position == 0 and d > 0:
                bits &= _after(stack, d - 1, base)
            if bits != none:
                break
        else:
            # the file is done: leave its item out
            closed, left, position = skipped(files, closed, left, position)
            if position < len(files.first):
                block, end = files.first[position], files.last[position]
                off, guard = since | over_budget(files, left, position), files.guards[1]
    return Here(closed, used, since, left, off, guard, position, block, end, base, bits, lanes)


def _after(stack: Stack, d: int, base: int) -> np.uint64:
    """Return the free words of number `base` that come after the one picked at depth `d`."""
    at, bits = stack.places[BASE, d], np.uint64(stack.sets[BITS, d])
    if base > at:
        bits = ~np.uint64(0)
    elif base < at:
        bits = np.uint64(0)
    return bits
