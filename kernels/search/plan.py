"""Plan a search: which words are usable, what each costs, and what to branch on first.

A *cut* gives each letter a weight and each group a share, integers of 0 or more. The letters of a
packing and the letters it leaves over have all the weight between them, so
    sum over its words of (weight - share) + weight left over = weight of all letters - shares,
and the right side, the cut's *budget*, is a constant. A word with a negative *excess* (weight
minus share) is *free*; free words are chosen first, in order. After the last free word, each
word and each letter left over costs 0 or more, so an overdrawn budget ends the branch. This holds
for any weights and shares; how they were found only decides how much they prune. Each letter is
branched on at most once, to be covered or left over, and each word is filed under its first item,
so every packing is met exactly once.

There are three cuts: equal letters with each group's smallest size as its share (Parker's one
letter to spare), a hitting set (`hitting_set`), and the dual of the packing LP (`lp_dual`).
Source: cutting planes and LP duality, see Nemhauser and Wolsey, Integer and Combinatorial
Optimization (1988), II.1; the equation above is ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wordpack.compiled.instructions import lowest, ones
from wordpack.compiled.jit import Int64s, Int64Table, Uint64s, kernel
from wordpack.packing.problem import Problem

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Cut:
    """Weights of letters and shares of groups, and what they leave."""

    name: str
    weights: Ints
    """(letters,)"""
    shares: Ints
    """(groups,)"""
    excess: Ints
    """(words,), group after group: each word's weight minus its group's share."""
    budget: int
    gain: int
    """The most that free words could add to the budget if none overlapped."""
    dearest: int
    """The highest cost of a word."""
    steep: int
    """The largest change of the budget by one word or letter."""


@dataclass(frozen=True, eq=False)
class Gate:
    """A group of one word that is branched on before the letter of rank `rank`."""

    rank: int
    group: int


class Listed(NamedTuple):
    """The words of all groups, group after group, as kernels read them."""

    masks: Uint64s
    group: Int64s
    weights: Int64s
    starts: Int64s
    counts: Int64s


class Words:
    """The words of a problem, group after group."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        groups = problem.groups
        self.counts = np.array([group.count for group in groups], np.int64)
        sizes = np.array([len(group.masks) for group in groups])
        self.group = np.repeat(np.arange(len(groups)), sizes)
        self.starts = np.cumsum(sizes) - sizes
        self.masks = np.concatenate([group.masks for group in groups], dtype=np.uint64)
        self.weights = np.concatenate([group.weights for group in groups])

    @property
    def listed(self) -> Listed:
        """The words as kernels read them."""
        return Listed(self.masks, self.group, self.weights, self.starts, self.counts)

    @cached_property
    def bits(self) -> npt.NDArray[np.float32]:
        """(words, letters): 1.0 for each letter of a word; floats, so that BLAS can multiply."""
        letters = self.problem.letters
        raw = self.masks.view(np.uint8).reshape(-1, 8)[:, : -(-letters // 8)]
        return np.unpackbits(raw, axis=1, count=letters, bitorder="little").astype(np.float32)

    def cut(self, name: str, weights: Ints, shares: Ints) -> Cut:
        """Return the cut with these weights and shares."""
        excess, found = np.empty(len(self.masks), np.int64), np.zeros(4, np.int64)
        paid = np.zeros((len(shares), self.problem.picks + 1), np.int64)
        kernel(_excess)(self.listed, weights, shares, excess, paid, found)
        return Cut(name, weights, shares, excess, *found.tolist())


def _excess(
    words: Listed,
    weights: Int64s,
    shares: Int64s,
    excess: Int64s,
    paid: Int64Table,
    found: Int64s,
) -> int:
    """Compute the words' excesses and the cut's last four fields.

    `paid`, 0 at first, gets the lowest excesses that each group could pick together.
    """
    one, some, alike = np.uint64(1), np.uint64(0), True
    budget = gain = dearest = steep = 0
    for bit in range(len(weights)):
        budget += weights[bit]
        steep = max(steep, weights[bit])
        alike &= weights[bit] <= 1
        if weights[bit]:
            some |= one << np.uint64(bit)
    for g in range(len(shares)):
        budget -= words.counts[g] * shares[g]
        steep = max(steep, shares[g])
    for i in range(len(words.masks)):
        mask, own = words.masks[i] & some, words.group[i]
        heavy = 0
        if alike:
            heavy = ones(mask)
        else:
            while mask:
                heavy += weights[lowest(mask)]
                mask &= mask - one
        value = excess[i] = heavy - shares[own]
        dearest = max(dearest, value)
        at = words.counts[own] - 1
        if value < 0 and at >= 0 and value < paid[own, at]:
            gain += paid[own, at] - value
            while at > 0 and paid[own, at - 1] > value:
                paid[own, at] = paid[own, at - 1]
                at -= 1
            paid[own, at] = value
    found[0], found[1], found[2], found[3] = budget, gain, dearest, max(steep, dearest)
    return 0


@dataclass(frozen=True, eq=False)
class Plan:
    """How to search a problem."""

    words: Words
    cuts: tuple[Cut, ...]
    order: Ints
    """(letters,): the letters' bit numbers in branching order."""
    gates: tuple[Gate, ...] = ()
    """Sorted by rank."""

    @cached_property
    def excesses(self) -> npt.NDArray[np.int64]:
        """(cuts, words): the cost of each word in each cut."""
        return _excesses(self.words, self.cuts)

    @cached_property
    def most(self) -> Ints:
        """(cuts,): the highest cost a usable word can have, whatever free words join it."""
        return np.array([cut.budget + cut.gain for cut in self.cuts], np.int64)

    @property
    def free(self) -> Bools:
        """(words,): True for words without letters or with a negative excess in some cut."""
        free: Bools = self.words.masks == 0
        for excess in self.excesses:
            free |= excess < 0
        return free

    @property
    def usable(self) -> Bools:
        """(words,): True for words that no cut rules out."""
        usable = np.ones(len(self.words.masks), bool)
        for excess, most in zip(self.excesses, self.most, strict=True):
            usable &= excess <= most
        return usable

    @property
    def proves_empty(self) -> bool:
        """Whether some cut proves that there is no packing."""
        return any(cut.budget + cut.gain < 0 for cut in self.cuts)


def _excesses(words: Words, cuts: Sequence[Cut]) -> npt.NDArray[np.int64]:
    columns = np.empty((len(cuts), len(words.masks)), np.int64)
    for column, cut in zip(columns, cuts, strict=True):
        column[:] = cut.excess
    return columns


def letters_cut(words: Words) -> Cut:
    """Return the cut with equal letters, each group's share being its fewest letters in a word."""
    shares = np.minimum.reduceat(np.bitwise_count(words.masks), words.starts).astype(np.int64)
    return words.cut("letters", np.ones(words.problem.letters, np.int64), shares)


def rarest_first(words: Words, cuts: Sequence[Cut]) -> Ints:
    """Return the letters, rarest first, counted in the words that every budget allows."""
    budgets = np.array([max(cut.budget, 0) for cut in cuts], np.int64)
    kept, use = np.empty(len(words.masks), np.uint64), np.zeros(words.problem.letters, np.int64)
    kernel(_usage)(words.masks, _excesses(words, cuts), budgets, kept, use)
    return np.argsort(use, kind="stable")


def _usage(
    masks: Uint64s, excesses: Int64Table, budgets: Int64s, kept: Uint64s, use: Int64s
) -> int:
    """Count the letters of the words that are not free and cost no more than the budgets."""
    many = 0
    for i in range(len(masks)):
        allowed = masks[i] != np.uint64(0)
        for cut in range(len(budgets)):
            allowed &= 0 <= excesses[cut, i] <= budgets[cut]
        kept[many] = masks[i]
        many += allowed
    return count_letters(kept, many, use)


def count_letters(masks: Uint64s, n: int, use: Int64s) -> int:
    """Set `use` to how many of the first n masks have each letter."""
    # letter by letter, so that the inner loop vectorizes
    for letter in range(len(use)):
        have = np.uint64(0)
        for i in range(n):
            have += masks[i] >> np.uint64(letter) & np.uint64(1)
        use[letter] = np.int64(have)
    return 0


def heaviest_first(words: Words, cuts: Sequence[Cut]) -> Ints:
    """Return the last cut's letters (the hitting set) before all others, rarer letters first."""
    order = rarest_first(words, cuts)
    return order[np.argsort(-cuts[-1].weights[order], kind="stable")] if cuts else order


def plain(problem: Problem) -> Plan:
    """Return the community's plan: equal letters, rarest first."""
    words = Words(problem)
    cuts = (letters_cut(words),)
    return Plan(words, cuts, rarest_first(words, cuts))
