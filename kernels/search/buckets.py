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

from wordpack.compiled.instructions import LANES
from wordpack.compiled.jit import kernel
from wordpack.kernels.search.bucket_rows import CARD, choose_files, fill
from wordpack.kernels.search.filed import Extents, Filed, Filled, Items, Prices, Room
from wordpack.kernels.search.plan import Plan


def widths(plan: Plan) -> list[int]:
    """Return the bits that each limit of a plan needs, with its guard."""
    counts = plan.words.counts.tolist()
    found = [count.bit_length() + 1 for count in counts]
    for cut in plan.cuts:
        most = abs(cut.budget) + (sum(counts) + 1) * cut.steep
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
        """All that a walk reads."""
        groups, cuts = self.limits.guards
        return Filed(
            *(self.cards, self.words, self.rows, self.least, self.first, self.last, self.costs),
            *(self.letter, self.place, self.gates, self.groups, self.strikes),
            *(np.array([groups, groups | cuts], np.uint64), self.early),
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
        letters, shifts = plan.words.problem.letters, self.limits.shifts
        prices = np.zeros(letters, np.int64)
        for cut, shift in zip(plan.cuts, shifts[len(plan.words.counts) :], strict=True):
            prices += cut.weights[plan.order] << shift
        place, letter = list(range(1, letters + 1)), [0, *range(letters)]
        costs, gates = [0, *prices.tolist()], []
        for before, gate in enumerate(plan.gates):
            # it stands just before the letter of its rank, and cannot be left out: that breaks
            # its group's limit
            at, shift = 1 + gate.rank + before, shifts[gate.group]
            gates.append((at, shift))
            letter.insert(at, 0)
            costs.insert(at, 2 << shift)
            place[gate.rank :] = [after + 1 for after in place[gate.rank :]]
        place += [len(costs)] * (65 - letters)
        self.place, self.letter = np.array(place, np.int64), np.array(letter, np.int64)
        self.gates = np.array(gates, np.int64).reshape(-1, 2)
        self.costs = np.array(costs, np.uint64)
