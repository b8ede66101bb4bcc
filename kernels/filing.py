"""File the words of a plan: which file each belongs in, and the rows of bits that say where.

The bits of 64 words one after the other are 64 rows of 64 bits; turned about the diagonal they
are the same words' bits in the row of each letter, so rows are made 64 words at a time, not bit
by bit. A word's card is written in the order of words and moved whole, once its slot is known.
Cost: 20 ns a word.
Source: the transposition is the one of Warren, Hacker's Delight (2002), section 7-3.
"""

import numpy as np

from wordpack.instructions import LANES, lowest
from wordpack.jit import Int64s, Int64Table, Uint64s, Uint64Table

CARD, (MASK, CHARGE, INDEX, WEIGHT) = 4, range(4)
"""The columns of the table of filed words; an index has its group in the upper half."""

DEAREST = 1 << 40
"""More than any word costs."""


def choose_files(  # noqa: PLR0913  the words, the plan, and what is found of each word
    masks: Uint64s,
    group: Int64s,
    weights: Int64s,
    starts: Int64s,
    excesses: Int64Table,
    most: Int64s,
    shifts: Int64s,
    struck: Int64Table,
    rank: Int64s,
    place: Int64s,
    gate: Int64s,
    least: int,
    span: int,
    key: Int64s,
    loose: Uint64Table,
    first: Int64s,
    last: Int64s,
    sizes: Int64s,
) -> int:
    """Make a card of each word that no cut rules out, and return how many those are.

    A loose card's mask has bit i for the letter of rank i and the rows that strike the word; what
    the word costs in each cut stands behind the card. `key` sorts cards by file, then by what
    they cost in all cuts together (`least` to `least + span`), then by group. `sizes`, 0 at first,
    get how many words each file has, `first` and `last` its first number and that after its last.
    """
    one, groups, many = np.uint64(1), len(starts), 0
    for word in range(len(masks)):
        mask, own = masks[word], group[word]
        usable, free, costs = True, mask == np.uint64(0), -least
        for cut in range(len(most)):
            excess = excesses[cut, word]
            usable &= excess <= most[cut]
            free |= excess < 0
            costs += excess
        if not usable:
            continue
        found, file, charge = np.uint64(0), 0, one << np.uint64(shifts[own])
        while mask:
            found |= one << np.uint64(rank[lowest(mask)])
            mask &= mask - one
        if not free:
            file = min(place[lowest(found)], gate[own])
        sizes[file] += 1
        key[many] = (file * (span + 1) + costs) * groups + own
        for cut in range(len(most)):
            excess = excesses[cut, word]
            charge += np.uint64(excess) << np.uint64(shifts[groups + cut])
            loose[many, CARD + cut] = np.uint64(excess)
        for j in range(len(struck)):
            limit = struck[j, 0]
            steps = np.int64(limit == own) if limit < groups else excesses[limit - groups, word]
            rows = (one << np.uint64(min(struck[j, 1], max(steps, 0)))) - one
            found |= rows << np.uint64(struck[j, 2])
        loose[many, MASK], loose[many, CHARGE] = found, charge
        loose[many, INDEX] = np.uint64(word - starts[own] | own << 32)
        loose[many, WEIGHT] = np.uint64(weights[word])
        many += 1
    numbers = 0
    for file in range(len(sizes)):
        first[file] = numbers
        numbers += (sizes[file] + 64 * LANES - 1) // (64 * LANES) * LANES
        last[file] = numbers
    return many


def fill(  # noqa: PLR0913  loose cards, and the tables to fill
    order: Int64s,
    loose: Uint64Table,
    first: Int64s,
    sizes: Int64s,
    shifts: Int64s,
    groups: int,
    letters: int,
    slots: Int64s,
    square: Uint64s,
    low: Int64s,
    words: Uint64s,
    rows: Uint64Table,
    cards: Uint64Table,
    least: Uint64s,
) -> int:
    """Put each word's card into its slot and its bit into its rows; find each block's charges.

    `order` are the loose cards file by file, `slots` becomes their slots; `least` gets the least
    that any word of a block charges to each limit.
    """
    one, i = np.uint64(1), 0
    own_letters = ~np.uint64(0) >> np.uint64(64 - letters)
    for file in range(len(first)):
        slot, end = first[file] * 64, first[file] * 64 + sizes[file]
        while slot < end:
            number, bits = slot >> 6, np.uint64(0)
            square[:] = np.uint64(0)
            if number & (LANES - 1) == 0:
                low[:] = DEAREST
            for place in range(min(64, end - slot)):
                own = order[i]
                square[place] = loose[own, MASK]
                bits |= one << np.uint64(place)
                cards[slot, MASK] = loose[own, MASK] & own_letters
                cards[slot, CHARGE] = loose[own, CHARGE]
                cards[slot, INDEX] = loose[own, INDEX]
                cards[slot, WEIGHT] = loose[own, WEIGHT]
                for limit in range(groups):
                    of = loose[own, INDEX] >> np.uint64(32) == np.uint64(limit)
                    low[limit] = min(low[limit], np.int64(of))
                for limit in range(groups, len(low)):
                    low[limit] = min(low[limit], np.int64(loose[own, CARD + limit - groups]))
                slots[i] = slot
                slot += 1
                i += 1
            words[number] = bits
            _file_square(square, rows, number)
            least[number >> 3] = np.uint64(0)
            for limit in range(len(low)):
                least[number >> 3] += np.uint64(low[limit]) << np.uint64(shifts[limit])
    return 0


def _file_square(square: Uint64s, rows: Uint64Table, number: int) -> int:
    """Write bit b of 64 masks into number `number` of row b, for each row."""
    width, low = 32, np.uint64(0xFFFFFFFF)
    while width:
        at = 0
        while at < 64:  # noqa: PLR2004  numbers of 64 bits
            swapped = (square[at] >> np.uint64(width) ^ square[at | width]) & low
            square[at] ^= swapped << np.uint64(width)
            square[at | width] ^= swapped
            at = (at + width + 1) & ~width
        width >>= 1
        low ^= low << np.uint64(width)
    for row in range(len(rows)):
        rows[row, number] = square[row]
    return 0
