"""Plan a search: which words can be used at all, at what price, and on what to branch first.

A *cut* gives each letter a weight and each group a share, integers of 0 or more. Whatever a
packing is, its letters and the letters that it leaves over together have all the weight, so
    sum over its words of (weight - share) + weight left over = weight of all letters - shares,
and the right side, the cut's *budget*, is a constant. A word whose *excess* (weight less share)
is negative is *free*: free words are chosen first, in their order. Once no free word is to come,
each further word and each letter left over costs 0 or more, so where a budget is overdrawn no
packing follows. This holds for any weights and shares: how they were found decides only how much
they prune. A letter is branched on at most once, to be covered or left over, and a word is filed
under the first of its items, so every packing is met once.

Three cuts are made: all letters alike, shares the least sizes (Parker's one letter to spare);
a hitting set (`hitting`); the dual of the packing LP (`dual`).
Source: cutting planes and LP duality, see Nemhauser and Wolsey, Integer and Combinatorial
Optimization (1988), II.1; the equation above is ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wordpack.instructions import lowest
from wordpack.jit import Int64s, Uint64s, kernel
from wordpack.problem import Problem

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
    """(words,), groups one after the other: the weight of a word less its group's share."""
    budget: int


@dataclass(frozen=True, eq=False)
class Gate:
    """A group of one word that is branched on before the letter of rank `rank`."""

    rank: int
    group: int


class Words:
    """The words of a problem's groups, one after the other."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        groups = problem.groups
        self.counts = np.array([group.count for group in groups], np.int64)
        sizes = np.array([len(group.masks) for group in groups])
        self.group = np.repeat(np.arange(len(groups)), sizes)
        self.starts = np.cumsum(sizes) - sizes
        self.masks = np.concatenate([group.masks for group in groups]).astype("<u8")
        self.weights = np.concatenate([group.weights for group in groups])
        self.sizes = np.bitwise_count(self.masks).astype(np.int64)

    @cached_property
    def bits(self) -> npt.NDArray[np.float32]:
        """(words, letters): 1.0 for a letter of the word, so that BLAS may multiply."""
        letters = self.problem.letters
        raw = self.masks.view(np.uint8).reshape(-1, 8)[:, : -(-letters // 8)]
        return np.unpackbits(raw, axis=1, count=letters, bitorder="little").astype(np.float32)

    def cut(self, name: str, weights: Ints, shares: Ints) -> Cut:
        """Return the cut with these weights and shares."""
        if weights.max() <= 1:
            some = np.uint64(sum(1 << bit for bit in np.flatnonzero(weights).tolist()))
            heavy = np.bitwise_count(self.masks & some).astype(np.int64)
        else:
            # no weight comes near 2^24
            heavy = (self.bits @ weights.astype(np.float32)).astype(np.int64)
        budget = int(weights.sum() - (self.counts * shares).sum())
        return Cut(name, weights, shares, heavy - shares[self.group], budget)


@dataclass(frozen=True, eq=False)
class Plan:
    """How to search a problem."""

    words: Words
    cuts: tuple[Cut, ...]
    order: Ints
    """(letters,): the letters, as bits, in the order in which they are branched on."""
    gates: tuple[Gate, ...] = ()
    """In the order of their ranks."""

    @cached_property
    def free(self) -> Bools:
        """(words,): those without letters, and those that some cut would pay for."""
        return _free(self.words, self.cuts)

    @cached_property
    def usable(self) -> Bools:
        """(words,): those that no cut rules out, whatever free words stand beside them."""
        usable = np.ones(len(self.words.masks), bool)
        for cut in self.cuts:
            usable &= cut.excess <= cut.budget + self._gain(cut)
        return usable

    @property
    def proves_empty(self) -> bool:
        """Whether some cut shows that there is no packing."""
        return any(cut.budget + self._gain(cut) < 0 for cut in self.cuts)

    def _gain(self, cut: Cut) -> int:
        """Return the most that free words could pay, were none to overlap."""
        paying = np.flatnonzero(cut.excess < 0)
        paid, group = cut.excess[paying], self.words.group[paying]
        most = [np.sort(paid[group == g])[:count] for g, count in enumerate(self.words.counts)]
        return -sum(int(each.sum()) for each in most)


def _free(words: Words, cuts: Sequence[Cut]) -> Bools:
    free: Bools = words.masks == 0
    for cut in cuts:
        free |= cut.excess < 0
    return free


def letters_cut(words: Words) -> Cut:
    """Return the cut of all letters alike, a group's share its least number of letters."""
    shares = np.minimum.reduceat(words.sizes, words.starts)
    return words.cut("letters", np.ones(words.problem.letters, np.int64), shares)


def rarest_first(words: Words, cuts: Sequence[Cut]) -> Ints:
    """Return the letters by how many words have them that every budget allows, fewest first."""
    usable = ~_free(words, cuts)
    for cut in cuts:
        usable &= cut.excess <= max(cut.budget, 0)
    use = np.zeros(words.problem.letters, np.int64)
    kernel(count_letters)(words.masks[usable], use)
    return np.argsort(use, kind="stable")


def count_letters(masks: Uint64s, use: Int64s) -> int:
    """Add to `use` how many masks have each letter."""
    one = np.uint64(1)
    for i in range(len(masks)):
        mask = masks[i]
        while mask:
            use[lowest(mask)] += 1
            mask &= mask - one
    return 0


def heaviest_first(words: Words, cuts: Sequence[Cut]) -> Ints:
    """Return the letters of the last cut (the hitting set) before all others, rarer ones first."""
    order = rarest_first(words, cuts)
    return order[np.argsort(-cuts[-1].weights[order], kind="stable")] if cuts else order


def plain(problem: Problem) -> Plan:
    """Return the community's plan: letters alike, the rarest first."""
    words = Words(problem)
    cuts = (letters_cut(words),)
    return Plan(words, cuts, rarest_first(words, cuts))
