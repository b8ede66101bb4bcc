"""The compiled search: depth-first over bitset rows, 512 words at a time.

The words of a block that still fit are all its words minus the rows of the letters used: a few
vector instructions, and no table that grows with pairs of words. All limits of a plan (the budget
of each cut, the words each group still supplies) lie side by side in one number with a guard bit
above each, so one subtraction charges a word to all and a cleared guard shows a broken limit.
Every thread walks the top of the tree; the thread that draws a subtree's number searches it. A
slice of a search is a range of these numbers. The steps from node to node are in `open_node`.
"""

from typing import NamedTuple

import numpy as np

from wordpack.compiled.instructions import lowest, take
from wordpack.compiled.jit import Int32Table, Int64s
from wordpack.kernels.search.bucket_rows import CHARGE, INDEX, MASK, WEIGHT
from wordpack.kernels.search.filed import Filed
from wordpack.kernels.search.last_word import (
    COLUMN,
    PICK,
    PRODUCT,
    column_of,
    index_of,
    last_words,
    write_row,
)
from wordpack.kernels.search.next_item import next_item
from wordpack.kernels.search.open_node import (
    Here,
    Stack,
    filled,
    opened,
    passed,
    put_aside,
    resumed,
)

# cells of a thread's own state
CELLS = 7
DEPTH, ORDINAL, MINE, DRAWN, MARKS, LEAD, BEGUN = range(CELLS)
"""DEPTH of the node saved last; ORDINAL subtrees met so far; this thread owns those numbered
MINE <= number < DRAWN; MARKS draws are noted; LEAD is 1 for the thread that counts the nodes all
threads meet; BEGUN is the last root word."""

# who searches a subtree
OWN, OTHERS, NOBODY, FULL = range(4)


class Part(NamedTuple):
    """The part of a tree to search, and the shared number of the next subtree to draw."""

    low: int
    """Root words have slots low <= slot < high."""
    high: int
    until: int
    """Subtrees have numbers below this."""
    tasks: Int64s


def descend(  # noqa: C901, PLR0912  one branch per reason not to take a word that fits
    files: Filed, stack: Stack, part: Part, found: Int32Table, stop: Int64s
) -> int:
    """Search this thread's subtrees; return 0 if `found` or the marks are full, else 1.

    After 0 the caller takes the rows found and calls again.
    """
    none, state, d = np.uint64(0), stack.state, stack.state[DEPTH]
    here = resumed(files, stack, d)
    if len(found) and state[MINE] >= 0:
        stack.marks[0, 0], stack.marks[0, 1], state[MARKS] = state[MINE], 0, 1
    while True:
        while here.bits != none:
            word = here.base * 64 + lowest(here.bits)
            rest = here.left - files.cards[word, CHARGE]
            fits = (rest & here.guard) == here.guard
            if not fits or (d == 0 and not part.low <= word < part.high):
                here = passed(here)
                continue
            if d + 1 == stack.depth:
                if not _end(files, stack, d, here, word, found):
                    break
                here = passed(here)
                continue
            owner = _owner(stack, part, len(found)) if d + 1 == stack.split else OWN
            if owner == FULL:
                break
            if owner == OTHERS:
                here = passed(here)
                continue
            if owner == NOBODY or stop[0]:
                return 1
            following = _pick(files, stack, d, here, word, rest)
            if d + 2 == stack.depth and here.position:
                mask = files.cards[word, MASK]
                closed, since = here.closed | mask, here.since | mask
                if not last_words(files, stack, closed, since, rest, following, found):
                    state[ORDINAL] -= d + 1 == stack.split  # this subtree is met again
                    break
                following = len(files.first)
            stack.nodes[d] += state[LEAD] if d + 1 < stack.split else 1
            above, here = here, passed(here)
            if following < len(files.first):
                put_aside(stack, d, here)
                d += 1
                here = opened(files, stack, d, above, word, rest, following)
        if here.bits != none:
            break
        here = filled(files, stack, d, here)
        if here.bits == none:
            d -= 1
            if d < 0:
                return 1
            here = resumed(files, stack, d)
    put_aside(stack, d, here)
    state[DEPTH] = d
    return 0


def _end(files: Filed, stack: Stack, d: int, here: Here, word: int, found: Int32Table) -> int:
    """Add the packing of the `d` picked words and `word`; return 0 if there is no room."""
    totals = stack.totals
    if len(found):
        if totals[0] == len(found):
            return 0
        write_row(files, stack, d, word, here.left, found, totals[0])
    stack.nodes[d] += 1
    totals[0] += 1
    totals[1] += stack.picks[PRODUCT, d] * np.int64(files.cards[word, WEIGHT])
    return 1


def _owner(stack: Stack, part: Part, room: int) -> int:
    """Return who searches the next subtree; draw `grain` more once the drawn ones are done."""
    state, marks = stack.state, stack.marks
    if state[ORDINAL] == state[DRAWN]:
        if room and state[MARKS] == len(marks):
            return FULL
        mine = take(part.tasks, stack.grain)
        if mine >= part.until:
            return NOBODY
        state[MINE], state[DRAWN] = mine, min(mine + stack.grain, part.until)
        if room:
            marks[state[MARKS], 0], marks[state[MARKS], 1] = mine, stack.totals[0]
            state[MARKS] += 1
    state[ORDINAL] += 1
    return OWN if state[ORDINAL] > state[MINE] else OTHERS


def _pick(files: Filed, stack: Stack, d: int, here: Here, word: int, rest: np.uint64) -> int:
    """Pick a word at depth `d`; return the position of the item to cover next."""
    card, picks = files.cards[word, INDEX], stack.picks
    if d == 0:
        stack.state[BEGUN] = word
    picks[PICK, d], picks[COLUMN, d] = index_of(card), column_of(files, card, here.left)
    picks[PRODUCT, d + 1] = picks[PRODUCT, d] * np.int64(files.cards[word, WEIGHT])
    if here.position:
        return next_item(files, here.closed | files.cards[word, MASK], rest)
    return 0
