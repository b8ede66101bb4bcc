"""The compiled search: depth-first over bitset rows, eight numbers of 64 words at a time.

Words lie in files, one for each item of the plan, a file in whole blocks of 512 words. A block's
words that still fit are all words less the rows of the letters used: a few vector instructions,
and no table that grows with pairs of words. All limits of a plan (the budget of each cut, how
many words each group still supplies) lie side by side in one number, a guard bit above each:
one subtraction charges a word to all of them, and a guard bit that went out says that one broke.
All threads walk the top of the tree; whoever draws a number owns that subtree. A slice of a search
is a range of these numbers.
"""

import numpy as np

from wordpack.instructions import lowest, take, without
from wordpack.jit import Int32Table, Int64s, Int64Table, Uint64s, Uint64Table
from wordpack.kernels.filing import CHARGE, INDEX, MASK, WEIGHT
from wordpack.kernels.last_word import COLUMN, PICK, PRODUCT, column_of, index_of, last_words
from wordpack.kernels.steps import next_item, struck

PICKS, PLACES, SETS, CELLS = 3, 5, 4, 6
# rows of the table of places, one column for each depth
POSITION, BLOCK, END, BASE, LANES = range(PLACES)
# rows of the table of sets and limits, one column for each depth
CLOSED, USED, LEFT, BITS = range(SETS)
# cells of a thread's own state
DEPTH, ORDINAL, MINE, MARKS, LEAD, BEGUN = range(CELLS)


def descend(  # noqa: C901, PLR0912, PLR0913, PLR0915  one loop, its state in registers
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
    guards: Uint64s,
    early: int,
    depth: int,
    stage: int,
    split: int,
    grain: int,
    state: Int64s,
    places: Int64Table,
    sets: Uint64Table,
    picks: Int64Table,
    fit: Uint64Table,
    staged: Uint64s,
    stage_rows: Uint64Table,
    marks: Int64Table,
    totals: Int64s,
    nodes: Int64s,
    low: int,
    high: int,
    until: int,
    tasks: Int64s,
    found: Int32Table,
    stop: Int64s,
) -> int:
    """Search this thread's subtrees; return 0 where `found` or `marks` is full, else 1.

    After 0 the caller takes what was found and calls again. Root words are those of slots
    low..high, subtrees those numbered below `until`. At each depth: POSITION the open file, BLOCK
    to END what is left of it, BASE the number whose BITS are words that fit, LANES the other
    numbers of its block that are not done; CLOSED the letters used or left out, USED those used,
    LEFT the limits.
    """
    one, none = np.uint64(1), np.uint64(0)
    whole = guards[0] | guards[1]
    d = state[DEPTH]
    ordinal, mine = state[ORDINAL], state[MINE]
    grain = min(grain, until - mine)
    if len(found) and mine >= 0:
        marks[0, 0], marks[0, 1], state[MARKS] = mine, 0, 1
    closed, used, left, bits = sets[CLOSED, d], sets[USED, d], sets[LEFT, d], sets[BITS, d]
    position, block, end = places[POSITION, d], places[BLOCK, d], places[END, d]
    base, lanes = places[BASE, d], np.uint64(places[LANES, d])
    guard = whole if position else guards[0]
    before = none if d < stage else used if d == stage else sets[USED, stage]
    off = used & ~before | struck(left, strikes, strikes.shape[1] if position else early)
    while True:
        while bits != none:
            word = base * 64 + lowest(bits)
            rest = left - cards[word, CHARGE]
            if (rest & guard) != guard or (d == 0 and (word < low or word >= high)):
                bits &= bits - one
                continue
            card = cards[word, INDEX]
            if d + 1 == depth:
                # the last word, beside free ones only or alone
                if len(found):
                    at = totals[0]
                    if at == len(found):
                        break
                    for e in range(d):
                        found[at, picks[COLUMN, e]] = picks[PICK, e]
                    found[at, column_of(card, left, groups)] = index_of(card)
                bits &= bits - one
                nodes[d] += 1
                totals[0] += 1
                totals[1] += picks[PRODUCT, d] * np.int64(cards[word, WEIGHT])
                continue
            if d + 1 == split:
                if ordinal == mine + grain:
                    if len(found) and state[MARKS] == len(marks):
                        break
                    mine = take(tasks, grain)
                    if mine >= until:
                        return 1
                    grain = min(grain, until - mine)
                    if len(found):
                        marks[state[MARKS], 0], marks[state[MARKS], 1] = mine, totals[0]
                        state[MARKS] += 1
                ordinal += 1
                if ordinal <= mine:
                    bits &= bits - one
                    continue
            if stop[0]:
                return 1
            if d == 0:
                state[BEGUN] = word
            following = 0
            if position:
                following = next_item(closed | cards[word, MASK], rest, whole, place, gates)
            picks[PICK, d], picks[COLUMN, d] = index_of(card), column_of(card, left, groups)
            picks[PRODUCT, d + 1] = picks[PRODUCT, d] * np.int64(cards[word, WEIGHT])
            # fmt: off
            if d + 2 == depth and position and not last_words(
                cards, staged, rows, least, first, last, costs, letter, place, gates, groups,
                strikes, whole, d + 1, closed | cards[word, MASK],
                (used | cards[word, MASK]) & ~before, rest,
                following, fit, picks, found, totals, nodes,
            ):
                ordinal -= d + 1 == split  # it comes again
                break
            # fmt: on
            bits &= bits - one
            nodes[d] += state[LEAD] if d + 1 < split else 1
            if following == len(first) or (d + 2 == depth and position):
                continue
            sets[CLOSED, d], sets[USED, d], sets[LEFT, d], sets[BITS, d] = closed, used, left, bits
            places[POSITION, d], places[BLOCK, d], places[END, d] = position, block, end
            places[BASE, d], places[LANES, d] = base, np.int64(lanes)
            d += 1
            closed |= cards[word, MASK]
            used |= cards[word, MASK]
            left, bits, lanes = rest, none, none
            # a free word may be followed by those after it
            block = first[following] if position else base & ~7
            position, end = following, last[following]
            guard = whole if position else guards[0]
            if d == stage:
                before = used
                for at in range(block & ~7, len(words), 8):
                    without(words, rows, used, at, stage_rows, at >> 3)
            off = used & ~before | struck(left, strikes, strikes.shape[1] if position else early)
        if bits != none:
            break
        if lanes != none:
            lane = lowest(lanes)
            lanes &= lanes - one
            base = (base & ~7) | lane
            bits = fit[d, lane]
            if position == 0 and d > 0:
                # free words exclude each other by their order only
                if base == places[BASE, d - 1]:
                    bits &= sets[BITS, d - 1]
                elif base < places[BASE, d - 1]:
                    bits = none
            continue
        while block < end and lanes == none:
            if ((left - least[block >> 3]) & guard) == guard:
                if d < stage:
                    lanes = np.uint64(without(words, rows, off, block, fit, d))
                else:
                    lanes = np.uint64(without(staged, rows, off, block, fit, d))
                base = block
            block += 8
        if lanes != none:
            continue
        # the file is done: its letter stays unused
        if position:
            left -= costs[position]
            closed |= one << np.uint64(letter[position])
        position = next_item(closed, left, whole, place, gates)
        if position < len(first):
            block, end, guard = first[position], last[position], whole
            off = used & ~before | struck(left, strikes, strikes.shape[1])
            continue
        d -= 1
        if d < 0:
            return 1
        if d < stage:
            before = none
        closed, used, left, bits = sets[CLOSED, d], sets[USED, d], sets[LEFT, d], sets[BITS, d]
        position, block, end = places[POSITION, d], places[BLOCK, d], places[END, d]
        base, lanes = places[BASE, d], np.uint64(places[LANES, d])
        guard = whole if position else guards[0]
        off = used & ~before | struck(left, strikes, strikes.shape[1] if position else early)
    state[DEPTH], state[ORDINAL], state[MINE] = d, ordinal, mine
    sets[CLOSED, d], sets[USED, d], sets[LEFT, d], sets[BITS, d] = closed, used, left, bits
    places[POSITION, d], places[BLOCK, d], places[END, d] = position, block, end
    places[BASE, d], places[LANES, d] = base, np.int64(lanes)
    return 0
