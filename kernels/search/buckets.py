"""File each word under the item it is tried for, as rows of bits.

File 0 holds the free words. A letter's file holds the words for which it comes first in the plan's
order; a gate's file holds the words of its group without an earlier letter. Words are sorted by
cost and padded to whole blocks of 512, so a block's lowest charges can rule it out at once. The
rows of a packing's letters, and of words that cost more than a limit has left, strike everything
that no longer fits from a block.
Memory: L n/8 bytes of rows and 40 n bytes of words, for n words and L letters, after padding each
of the L + 1 files to whole blocks.
"""

import numpy as np

from wordpack.compiled.instructions import LANES
from wordpack.compiled.jit import kernel
from wordpack.kernels.search.bucket_rows import CARD, choose_files, fill
from wordpack.kernels.search.filed import Extents, Filed, Filled, Items, Prices, Room
from wordpack.kernels.search.plan import Plan


def widths(plan: Plan) -> list[int]:
    """Return how many bits each limit of a plan needs, including its guard."""
    counts = plan.words.counts.tolist()
    found = [count.bit_length() + 1 for count in counts]
    for cut in plan.cuts:
        most = abs(cut.budget) + (sum(counts) + 1) * cut.steep
        found.append(most.bit_length() + 1)
    return found


class Limits:
    """The place of each limit of a plan in one 64-bit number, with a guard bit above each.

    The limits are the words that each group still supplies, then what is left of each cut's budget.
    """

    def __init__(self, plan: Plan) -> None:
        counts = plan.words.counts.tolist()
        values = counts + [cut.budget for cut in plan.cuts]
        self.widths = widths(plan)
        self.shifts = [sum(self.widths[:i]) for i in range(len(values))]
        guards = [1 << (width - 1 + at) for width, at in zip(self.widths, self.shifts, strict=True)]
        # groups' guards apply from the start, cuts' guards only after the last free word
        both = [sum(guards[: len(counts)]), sum(guards[len(counts) :])]
        self.guards = np.array(both, np.uint64)
        self.start = sum(both)
        self.start += sum(value << at for value, at in zip(values, self.shifts, strict=True))


class Files:
    """The words of a plan as the compiled search reads them."""

    def __init__(self, plan: Plan) -> None:
        words = plan.words
        letters, groups, n = words.problem.letters, len(words.counts), len(words.masks)
        self.picks = words.problem.picks
        self.limits = limits = Limits(plan)
        self._places(plan)
        rank, gate = np.empty(64, np.int64), np.full(groups, len(self.letter), np.int64)
        rank[plan.order] = np.arange(letters)
        for own, (at, _) in zip(plan.gates, self.gates, strict=True):
            gate[own.group] = at
        shifts, most = np.array(limits.shifts, np.int64), sum(cut.steep for cut in plan.cuts)
        dearest = [min(cut.dearest, cut.budget + cut.gain) for cut in plan.cuts]
        self._strikes(letters, [1] * groups + dearest, groups)
        key, loose = np.empty(n, np.int64), np.empty((n, CARD + len(plan.cuts)), np.uint64)
        extents = Extents(*np.zeros((3, len(self.letter)), np.int64))
        self.first, self.last, _ = extents
        prices = Prices(plan.excesses, plan.most, shifts, self._struck, -most, 2 * most)
        items = Items(rank, self.place, gate)
        many = kernel(choose_files)(words.listed, prices, items, key, loose, extents)
        if len(self.letter) * (2 * most + 1) * groups <= 1 << 16:
            key = key.astype(np.uint16)  # numpy sorts these by radix
        order = np.argsort(key[:many], kind="stable")

        width = int(self.last[-1])
        self.words = np.zeros(width, np.uint64)
        self.rows = np.zeros((self._rows, width), np.uint64)
        self.cards = np.empty((width * 64, CARD), np.uint64)
        self.slots = np.empty(many, np.int64)
        low = np.empty(groups + len(plan.cuts), np.int64)
        self.least = np.empty(width // LANES, np.uint64)
        filled = Filled(self.slots, self.words, self.rows, self.cards, self.least)
        room = Room(np.empty(64, np.uint64), low)
        kernel(fill)(order, loose, prices, extents, letters, room, filled)
        masks_of = [(1 << count.bit_length()) - 1 for count in words.counts.tolist()]
        self.groups = np.array(
            [limits.shifts[:groups], masks_of, np.cumsum(words.counts)], np.int64
        )

    @property
    def filed(self) -> Filed:
        """Everything a walk reads."""
        groups, cuts = self.limits.guards
        return Filed(
            *(self.cards, self.words, self.rows, self.least, self.first, self.last, self.costs),
            *(self.letter, self.place, self.gates, self.groups, self.strikes),
            *(np.array([groups, groups | cuts], np.uint64), self.early),
        )

    def _strikes(self, letters: int, dearest: list[int], groups: int) -> None:
        """Give each limit rows for the words that cost more than 0, 1, ... of it.

        A column of `strikes` holds the limit's shift and mask, its number of rows and its first
        row. A row of `_struck`, used for filing, holds the limit's number and the last two.
        """
        strikes, struck, row = [], [], letters
        for limit, (most, shift, width) in enumerate(
            zip(dearest, self.limits.shifts, self.limits.widths, strict=True)
        ):
            # rows are named by the bits of one number; beyond 64, words are checked one by one
            levels = min(most, 64 - row)
            if levels > 0:
                strikes.append((shift, (1 << (width - 1)) - 1, levels, row))
                struck.append((limit, levels, row))
                row += levels
        self.strikes = np.array(strikes, np.int64).reshape(-1, 4).T.copy()
        self._struck = np.array(struck, np.int64).reshape(-1, 3)
        self._rows = row
        # groups come first, and their limits apply from the start
        self.early = sum(limit < groups for limit, _, _ in struck)

    def _places(self, plan: Plan) -> None:
        """Give each item its position, and each position the cost of leaving its item out."""
        letters, shifts = plan.words.problem.letters, self.limits.shifts
        prices = np.zeros(letters, np.int64)
        for cut, shift in zip(plan.cuts, shifts[len(plan.words.counts) :], strict=True):
            prices += cut.weights[plan.order] << shift
        place, letter = list(range(1, letters + 1)), [0, *range(letters)]
        costs, gates = [0, *prices.tolist()], []
        for before, gate in enumerate(plan.gates):
            # a gate comes just before the letter of its rank; leaving it out breaks its limit
            at, shift = 1 + gate.rank + before, shifts[gate.group]
            gates.append((at, shift))
            letter.insert(at, 0)
            costs.insert(at, 2 << shift)
            place[gate.rank :] = [after + 1 for after in place[gate.rank :]]
        place += [len(costs)] * (65 - letters)
        self.place, self.letter = np.array(place, np.int64), np.array(letter, np.int64)
        self.gates = np.array(gates, np.int64).reshape(-1, 2)
        self.costs = np.array(costs, np.uint64)
