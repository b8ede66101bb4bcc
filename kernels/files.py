"""File the words of a plan by the item that each is tried under, as rows of bits.

File 0 has the free words; then each letter of the order has the words of which it is the first,
and each gate the words of its group that no earlier letter has. A file fills whole blocks of
512 words, those that cost least first, so that a block's least charges rule it out at once. A
row of bits belongs to a letter; what a packing has used up is struck from a block by the rows of
its letters, and by rows of the words that cost more than is left of a limit.
Memory: for n words and L letters L n/8 bytes of rows, and 40 n for the words, both after each of
L + 1 files is filled up to whole blocks.
"""

import numpy as np
import numpy.typing as npt

from wordpack.instructions import LANES, lowest
from wordpack.jit import Int64s, Int64Table, Uint64s, Uint64Table, kernel
from wordpack.kernels.plan import Ints, Plan

BLOCK = 64 * LANES
"""Words in a block."""

Numbers = npt.NDArray[np.uint64]

CARD, (MASK, CHARGE, INDEX, WEIGHT) = 4, range(4)
"""The columns of the table of filed words; an index has its group in the upper half."""


def widths(plan: Plan) -> list[int]:
    """Return the bits that each limit of a plan needs, with its guard."""
    counts = plan.words.counts.tolist()
    found = [count.bit_length() + 1 for count in counts]
    for cut in plan.cuts:
        steep = max(int(np.abs(cut.excess).max(initial=0)), int(cut.weights.max(initial=0)))
        most = abs(cut.budget) + (sum(counts) + 1) * steep
        found.append(most.bit_length() + 1)
    return found


class Limits:
    """Where in one number of 64 bits each limit of a plan stands, a guard bit on top of each.

    The limits are the words that each group still supplies, then the budget left of each cut.
    """

    def __init__(self, plan: Plan) -> None:
        counts = plan.words.counts.tolist()
        values = counts + [cut.budget for cut in plan.cuts]
        self.widths = widths(plan)
        self.shifts = [sum(self.widths[:i]) for i in range(len(values))]
        guards = [1 << (width - 1 + at) for width, at in zip(self.widths, self.shifts, strict=True)]
        # those of the groups hold from the start, those of the cuts once no free word is to come
        both = [sum(guards[: len(counts)]), sum(guards[len(counts) :])]
        self.guards = np.array(both, np.uint64)
        self.start = sum(both)
        self.start += sum(value << at for value, at in zip(values, self.shifts, strict=True))

    def pack(self, columns: Ints) -> Numbers:
        """Return one number for each column of `columns`, whose rows are the limits."""
        shifts = np.array(self.shifts, np.uint64)[:, None]
        packed: Numbers = (columns.view(np.uint64) << shifts).sum(axis=0, dtype=np.uint64)
        return packed


class Files:
    """The words of a plan as the compiled search reads them."""

    def __init__(self, plan: Plan) -> None:
        words = plan.words
        letters, groups = words.problem.letters, len(words.counts)
        self.picks = words.problem.picks
        self.limits = limits = Limits(plan)
        self._places(plan)
        kept = np.flatnonzero(plan.usable)
        group = words.group[kept]
        columns = np.zeros((groups + len(plan.cuts), len(kept)), np.int64)
        for g in range(groups):
            columns[g] = group == g
        for column, cut in zip(columns[groups:], plan.cuts, strict=True):
            column[:] = cut.excess[kept]
        rank = np.empty(64, np.int64)
        rank[plan.order] = np.arange(letters)
        gate = np.full(groups, 65, np.int64)
        gate[[each.group for each in plan.gates]] = self.gates[:, 0]
        masks, position = np.empty(len(kept), np.uint64), np.empty(len(kept), np.int64)
        free = plan.free[kept].astype(np.int64)
        kernel(_rank)(words.masks[kept], group, free, rank, self.place, gate, masks, position)

        charge = columns[groups:].sum(axis=0)
        charge -= charge.min(initial=0)
        key = (position * (charge.max(initial=0) + 1) + charge) * groups + group
        if len(key) and key.max() < 1 << 16:
            key = key.astype(np.uint16)  # numpy sorts these by radix
        order = np.argsort(key, kind="stable")
        sizes = np.bincount(position, minlength=len(self.letter))
        self.last = np.cumsum(-(-sizes // BLOCK)) * LANES
        self.first = np.concatenate(([0], self.last[:-1]))
        before = np.cumsum(sizes) - sizes
        self.slots = np.arange(len(order)) + (self.first * 64 - before)[position[order]]

        self._strikes(letters, columns.max(axis=1, initial=0).tolist(), groups)
        width = int(self.last[-1])
        self.words = np.zeros(width, np.uint64)
        self.rows = np.zeros((self._rows, width), np.uint64)
        self.cards = np.zeros((width * 64, CARD), np.uint64)
        index = (kept - words.starts[group] | group << 32).view(np.uint64)
        weights = words.weights[kept].view(np.uint64)
        low = np.full((len(columns), width // LANES), MOST)
        kernel(_fill)(
            *(self.slots, order, masks, limits.pack(columns), index, weights, columns),
            *(self._struck, self.words, self.rows, self.cards, low),
        )
        self.least = limits.pack(low)
        masks_of = [(1 << count.bit_length()) - 1 for count in words.counts.tolist()]
        self.groups = np.array(
            [limits.shifts[:groups], masks_of, np.cumsum(words.counts)], np.int64
        )

    def _strikes(self, letters: int, dearest: list[int], groups: int) -> None:
        """Give rows to the words that cost more than 0, 1, ... of a limit.

        A column of `strikes` has the limit's shift and mask, how many such rows, the first of them;
        of `_struck`, for the filing, the number of the limit, and the same two.
        """
        strikes, struck, row = [], [], letters
        for limit, (most, shift, width) in enumerate(
            zip(dearest, self.limits.shifts, self.limits.widths, strict=True)
        ):
            # bits of one number name the rows: where none is left, a word is refused by itself
            levels = min(most, 64 - row)
            if levels > 0:
                strikes.append((shift, (1 << (width - 1)) - 1, levels, row))
                struck.append((limit, levels, row))
                row += levels
        self.strikes = np.array(strikes, np.int64).reshape(-1, 4).T.copy()
        self._struck = np.array(struck, np.int64).reshape(-1, 3)
        self._rows = row
        # those of the groups, which come first, hold from the start
        self.early = sum(limit < groups for limit, _, _ in struck)

    def _places(self, plan: Plan) -> None:
        """Give each item its position, and each position the price of leaving its item out."""
        letters, groups = plan.words.problem.letters, len(plan.words.counts)
        before = np.array([gate.rank for gate in plan.gates], np.int64)
        ranks = np.arange(letters)
        # a gate stands just before the letter of its rank
        letter_at = 1 + ranks + np.searchsorted(before, ranks, side="right")
        gate_at = 1 + before + np.arange(len(before))
        total = 1 + letters + len(before)
        self.place = np.full(65, total, np.int64)
        self.place[:letters] = letter_at
        shifts = [self.limits.shifts[gate.group] for gate in plan.gates]
        self.gates = np.array([gate_at, shifts], np.int64).T.copy()
        self.letter = np.zeros(total, np.int64)
        self.letter[letter_at] = ranks
        prices = np.zeros((groups + len(plan.cuts), total), np.int64)
        for price, cut in zip(prices[groups:], plan.cuts, strict=True):
            price[letter_at] = cut.weights[plan.order]
        # a gate cannot be left out: that breaks its group's limit
        prices[[gate.group for gate in plan.gates], gate_at] = 2
        self.costs = self.limits.pack(prices)


MOST = np.int64(1 << 40)
"""More than any charge."""


def _rank(  # noqa: PLR0913  arrays of words, and where letters and gates stand
    masks: Uint64s,
    group: Int64s,
    free: Int64s,
    rank: Int64s,
    place: Int64s,
    gate: Int64s,
    ranked: Uint64s,
    position: Int64s,
) -> int:
    """Set `ranked` to the masks with bit i for the letter of rank i; find each word's position."""
    one = np.uint64(1)
    for word in range(len(masks)):
        mask, found, first = masks[word], np.uint64(0), 64
        while mask:
            at = rank[lowest(mask)]
            mask &= mask - one
            found |= one << np.uint64(at)
            first = min(first, at)
        ranked[word] = found
        position[word] = 0 if free[word] else min(place[first], gate[group[word]])
    return 0


def _fill(  # noqa: PLR0913  arrays of words, and the tables to fill
    slots: Int64s,
    order: Int64s,
    masks: Uint64s,
    charges: Uint64s,
    index: Uint64s,
    weights: Uint64s,
    columns: Int64Table,
    struck: Int64Table,
    words: Uint64s,
    rows: Uint64Table,
    cards: Uint64Table,
    low: Int64Table,
) -> int:
    """Put each word's card into its slot, its bit into its rows, its charges into its block's."""
    one = np.uint64(1)
    for i in range(len(order)):
        word, slot = order[i], slots[i]
        mask = masks[word]
        cards[slot, MASK], cards[slot, CHARGE] = mask, charges[word]
        cards[slot, INDEX], cards[slot, WEIGHT] = index[word], weights[word]
        number, bit = slot >> 6, one << np.uint64(slot & 63)
        words[number] |= bit
        while mask:
            rows[lowest(mask), number] |= bit
            mask &= mask - one
        for j in range(len(struck)):
            for level in range(min(struck[j, 1], columns[struck[j, 0], word])):
                rows[struck[j, 2] + level, number] |= bit
        for limit in range(len(columns)):
            low[limit, number >> 3] = min(low[limit, number >> 3], columns[limit, word])
    return 0
