"""File the words of a plan: choose each word's file, then build the rows of bits.

The masks of 64 words form a square of 64 by 64 bits. Its transpose holds the same bits letter by
letter, which is what a row needs, so rows are built 64 words at a time instead of bit by bit. Each
word's card is written in word order and moved in one piece once the word's slot is known.
Cost: 20 ns per word.
Source: the transposition is from Warren, Hacker's Delight (2002), section 7-3.
"""

import numpy as np

from wordpack.compiled.instructions import LANES, lowest
from wordpack.compiled.jit import Int64s, Uint64s, Uint64Table
from wordpack.kernels.search.filed import Extents, Filled, Items, Prices, Room
from wordpack.kernels.search.plan import Listed

CARD, (MASK, CHARGE, INDEX, WEIGHT) = 4, range(4)
"""The columns of the table of filed words; INDEX holds the group in its upper half."""

DEAREST = 1 << 40
"""More than any word costs."""


def choose_files(
    words: Listed, prices: Prices, items: Items, key: Int64s, loose: Uint64Table, files: Extents
) -> int:
    """Make a card for each word that no cut rules out; return the number of cards.

    A loose card's mask has bit i for the letter of rank i, and the rows that strike the word. The
    word's cost in each cut follows the card. `key` sorts cards by file, then by total cost in all
    cuts (`least` to `least + span`), then by group. The files' sizes must be 0 at first.
    """
    one, groups, many = np.uint64(1), len(words.starts), 0
    excesses, shifts = prices.excesses, prices.shifts
    for word in range(len(words.masks)):
        mask, own = words.masks[word], words.group[word]
        usable, free, costs = True, mask == np.uint64(0), -prices.least
        for cut in range(len(prices.most)):
            excess = excesses[cut, word]
            usable &= excess <= prices.most[cut]
            free |= excess < 0
            costs += excess
        if not usable:
            continue
        found, file, charge = np.uint64(0), 0, one << np.uint64(shifts[own])
        while mask:
            found |= one << np.uint64(items.rank[lowest(mask)])
            mask &= mask - one
        if not free:
            file = min(items.place[lowest(found)], items.gate[own])
        files.sizes[file] += 1
        key[many] = (file * (prices.span + 1) + costs) * groups + own
        for cut in range(len(prices.most)):
            excess = excesses[cut, word]
            charge += np.uint64(excess) << np.uint64(shifts[groups + cut])
            loose[many, CARD + cut] = np.uint64(excess)
        loose[many, MASK] = found | _rows_that_strike(prices, groups, word, own)
        loose[many, CHARGE] = charge
        loose[many, INDEX] = np.uint64(word - words.starts[own] | own << 32)
        loose[many, WEIGHT] = np.uint64(words.weights[word])
        many += 1
    numbers = 0
    for file in range(len(files.sizes)):
        files.first[file] = numbers
        numbers += (files.sizes[file] + 64 * LANES - 1) // (64 * LANES) * LANES
        files.last[file] = numbers
    return many


def _rows_that_strike(prices: Prices, groups: int, word: int, own: int) -> np.uint64:
    """Return as bits the rows of those limit values that exclude a word of group `own`."""
    one, found, struck = np.uint64(1), np.uint64(0), prices.struck
    for j in range(len(struck)):
        limit = struck[j, 0]
        steps = np.int64(limit == own) if limit < groups else prices.excesses[limit - groups, word]
        rows = (one << np.uint64(min(struck[j, 1], max(steps, 0)))) - one
        found |= rows << np.uint64(struck[j, 2])
    return found


def fill(
    order: Int64s,
    loose: Uint64Table,
    prices: Prices,
    files: Extents,
    letters: int,
    room: Room,
    filled: Filled,
) -> int:
    """Put each word's card into its slot and its bits into the rows; find each block's charges.

    `order` lists the loose cards file by file. `filled.least` gets the lowest charge of any word
    of a block to each limit.
    """
    one, i = np.uint64(1), 0
    own_letters = ~np.uint64(0) >> np.uint64(64 - letters)
    cards, square, low = filled.cards, room.square, room.low
    groups = len(prices.shifts) - len(prices.most)
    for file in range(len(files.first)):
        slot = files.first[file] * 64
        end = slot + files.sizes[file]
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
                filled.slots[i] = slot
                slot += 1
                i += 1
            filled.words[number] = bits
            _file_square(square, filled.rows, number)
            charges = np.uint64(0)
            for limit in range(len(low)):
                charges += np.uint64(low[limit]) << np.uint64(prices.shifts[limit])
            filled.least[number >> 3] = charges
    return 0


def _file_square(square: Uint64s, rows: Uint64Table, number: int) -> int:
    """Write bit b of each of 64 masks into number `number` of row b, for every row."""
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
