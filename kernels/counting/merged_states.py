"""Merged states: go letter by letter, rarest first, and merge partial packings that look alike.

A state says which later letters are used and how many words each group still owes; it carries the
number of ways to reach it and the sum of their weights. At each letter every state branches: the
letter is used already, or stays unused, or one of the words filed there (it is their rarest letter)
takes it. Equal states are merged in a hash table, so each continuation is followed once, however
many ways lead to it: packings are counted and never enumerated. A state with too few free letters
for the shortest words it needs is dropped. Words without letters are chosen last, from what each
group still owes.
Numbers have 32-bit limbs. If an addition would lose a carry, its letter is repeated with one more
limb. The table and the compiled merging are in state_table.py.
Memory: 32 bytes per slot of the table and 16 per further limb of both numbers. The table has at
most MOST_BYTES, the previous letter's states come on top, and a search that needs more ends with
a message. 6x4 keeps 229,000 states at a time, in 50 MB.
Cost: a step per state and word that fits it: 8,400,000 for 6x4, 0.6 s in one thread.
Source: dynamic programming over subsets (Held, Karp 1962) with the letter order of rarest-letter
search. Merging equal states of an exact cover search is from Nishino, Yasuda, Minato, Nagata,
'Dancing with decision diagrams' (2017), who also keep the packings, in a diagram.
"""

from itertools import product
from math import comb, prod

import numpy as np

from wordpack.backend.base import Backend, Options, Refusal, Search
from wordpack.compiled.jit import kernel, versions
from wordpack.kernels.counting.state_table import (
    NUMBERS,
    OWED,
    LetterWords,
    Owed,
    Slots,
    States,
    Table,
    merge,
    numbers,
    widened,
)
from wordpack.packing.answer import Counts
from wordpack.packing.problem import Problem

AFFORDABLE = 1e13
"""Estimated partial packings in list order; merging leaves far fewer states."""

MOST_OWED = 1 << 16
"""Most combinations of owed words over all groups; each has a row in tables."""

NEVER = 1 << 30
"""More letters than exist: the need of a state that can never be completed."""


class MergedStates(Backend):
    """Count by merging states that leave the same letters."""

    def probe(self) -> str:
        """Return the compiler's versions; raise Unavailable without numba."""
        return versions()

    def accepts(self, problem: Problem, options: Options) -> Refusal | None:
        """Refuse listing, and by cost whatever may take hours; count every shape of problem."""
        if not options.count_only:
            return Refusal("shape", "it only counts: it lists no packings")
        owed = prod(group.count + 1 for group in problem.groups)
        if owed > MOST_OWED and not problem.impossible:
            return Refusal("shape", f"there are {owed:,} ways to owe words of its groups")
        if min(problem.estimated_nodes, owed * 2.0**problem.letters) > AFFORDABLE:
            return Refusal("cost", f"it may visit {problem.estimated_nodes:.0e} states")
        return None

    def prepare(self, problem: Problem, _options: Options) -> "MergedStatesSearch":
        """File the words and compile. The counter `kept` sums the merged states of all letters."""
        return MergedStatesSearch(problem)

    def seconds(self, problem: Problem, _options: Options) -> float:
        """Return an upper bound: 100 ns per state, with at most all sets of letters as states."""
        owed = prod(group.count + 1 for group in problem.groups)
        return 1e-7 * min(problem.estimated_nodes, owed * 2.0**problem.letters)


class _Files:
    """The words with letters, filed by rarest letter; the rarest letter becomes bit 0."""

    def __init__(self, problem: Problem) -> None:
        groups, one = problem.groups, np.uint64(1)
        given = np.concatenate([np.zeros(0, np.uint64), *(group.masks for group in groups)])
        given = given.astype(np.uint64)
        bits = [given >> np.uint64(letter) & one for letter in range(problem.letters)]
        masks = np.zeros(len(given), np.uint64)
        for rank, bit in enumerate(sorted(bits, key=lambda bit: int(bit.sum()))):
            masks |= bit << np.uint64(rank)
        sizes = np.bitwise_count(masks).astype(np.int64)
        rarest = np.bitwise_count((masks & -masks) - one).astype(np.int64)
        each = np.array([len(group.masks) for group in groups], np.int64)
        owner = np.repeat(np.arange(len(groups)), each)
        weights = np.concatenate([np.zeros(0, np.int64), *(group.weights for group in groups)])
        order = np.lexsort((sizes, owner, rarest))
        order = order[sizes[order] > 0]
        self.rarest, self.owner = rarest[order], owner[order]
        # word 0 stands for no word: no letters, weight 1
        self.masks = np.concatenate([np.zeros(1, np.uint64), masks[order]])
        self.sizes = np.concatenate([np.zeros(1, np.int64), sizes[order]])
        halves = np.concatenate([np.ones(1, np.int64), weights[order]]).astype(np.uint64)
        self.weights = np.stack([halves & np.uint64(0xFFFFFFFF), halves >> np.uint64(32)], axis=1)
        if not self.weights[:, 1].any():
            self.weights = self.weights[:, :1].copy()
        # the file of letter x and group g starts at x * groups + g
        file = self.rarest * len(groups) + self.owner
        self.starts = np.searchsorted(file, np.arange(problem.letters * len(groups) + 1)) + 1

    def least(self, group: int, letter: int, spare: int, count: int) -> list[int]:
        """Return the fewest letters of 0 ... count words from this letter's file or later ones.

        The group has `spare` words without letters.
        """
        own = self.sizes[1:][(self.owner == group) & (self.rarest >= letter)]
        sums = [0, *np.cumsum(np.sort(own)[:count]).tolist()]
        needed = [max(0, owed - spare) for owed in range(count + 1)]
        return [sums[words] if words < len(sums) else NEVER for words in needed]


class MergedStatesSearch(Search):
    """The states, one letter after the other."""

    device = "cpu, 1 thread"

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._kernel = kernel(merge)
        self._done = 0.0
        if problem.impossible:
            return
        counts = [group.count for group in problem.groups]
        self._files = files = _Files(problem)
        owed = list(product(*(range(count + 1) for count in counts)))
        self._owed = np.array(owed, np.int64).reshape(len(owed), len(counts))
        self._strides = np.array(
            [prod(count + 1 for count in counts[g + 1 :]) for g in range(len(counts))], np.int64
        )
        self._needs = np.zeros((problem.letters + 1, len(self._owed)), np.int64)
        for g, group in enumerate(problem.groups):
            spare = int((group.sizes == 0).sum())
            for letter in range(problem.letters + 1):
                least = np.array(files.least(g, letter, spare, group.count), np.int64)
                self._needs[letter] += least[self._owed[:, g]]

    def progress(self) -> float:
        """Return the share of letters processed in the current run, 0 to 1."""
        return self._done

    def run(self, *, work: bool = False) -> Counts:
        """Return both exact numbers."""
        if self._problem.impossible:
            return Counts(0, 0, {"kept": 0} if work else {})
        limbs = self._files.weights.shape[1]
        states = np.zeros((1, NUMBERS + 2 * limbs), np.uint64)
        states[0, OWED] = len(self._owed)
        states[0, NUMBERS] = states[0, NUMBERS + limbs] = 1
        kept = 0
        for letter in range(self._problem.letters):
            self._done = letter / self._problem.letters
            states = self._after(letter, states)
            kept += len(states)
        return self._with_empty_words(states, {"kept": kept} if work else {})

    def _after(self, letter: int, states: States) -> States:
        """Process `letter`; return the merged states."""
        files, groups = self._files, len(self._problem.groups)
        starts = files.starts[letter * groups : (letter + 1) * groups + 1]
        words = LetterWords(files.masks, files.sizes, files.weights, starts)
        owed = Owed(self._owed, self._strides, self._needs[letter + 1])
        longest = int(starts[-1] - starts[0]) + 1
        table = Table(max(2 * longest, len(states)), states.shape[1])
        first = 0
        while first < len(states):
            slots = Slots(table.slots, table.taken)
            first = self._kernel(states, first, words, owed, letter, self._problem.letters, slots)
            if first < 0:
                states, first = widened(states), 0
                table = Table(len(table.slots), states.shape[1])
            elif first < len(states):
                table.make_room(longest)
        return table.states()

    def _with_empty_words(self, states: States, work: dict[str, int]) -> Counts:
        """Let each group take what it still owes from its words without letters."""
        groups = self._problem.groups
        empty = [group.weights[group.sizes == 0].tolist() for group in groups]
        sums = [
            _symmetric(weights, group.count) for weights, group in zip(empty, groups, strict=True)
        ]
        packings = solutions = 0
        for state in states.tolist():
            owed = self._owed[state[OWED] - 1].tolist()
            one, two = numbers(state)
            packings += one * prod(
                comb(len(weights), n) for weights, n in zip(empty, owed, strict=True)
            )
            solutions += two * prod(sums[g][n] for g, n in enumerate(owed))
        return Counts(packings, solutions, work)


def _symmetric(weights: list[int], most: int) -> list[int]:
    """Return the sums of products of 0 ... most of the weights."""
    sums = [1] + [0] * most
    for weight in weights:
        for n in range(most, 0, -1):
            sums[n] += sums[n - 1] * weight
    return sums
