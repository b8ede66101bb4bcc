"""Letter sets for subset sums: which problems qualify, how words are placed, the coefficients.

Shared by the subset sums of every device; `subset_sums` has the derivation.
"""

from math import comb
from typing import Literal

import numpy as np
import numpy.typing as npt

from wordpack.backend.base import Options, Refusal
from wordpack.packing.problem import Group, Problem

LOW = 12
"""The lowest letters, whose sets are summed together in cells that fit the nearest memory."""

MOST_LETTERS = 39
"""3^39 is the largest power of 3 that fits a signed 64-bit number."""

AFFORDABLE = 32
"""Letters that take a few seconds on two cores; each further letter doubles the time."""

MOST_WORDS = 1 << 22
"""Most words, and so values of z: 64 MiB of bins per thread."""


def refusal(problem: Problem, options: Options) -> Refusal | None:
    """Refuse listing, words of several lengths, and too many letters or words."""
    if not options.count_only:
        return Refusal("shape", "it only counts: it lists no packings")
    if len(problem.groups) != 1 or problem.groups[0].count == 0:
        return Refusal("shape", "it picks at least one word, and all from one list")
    group = problem.groups[0]
    if len(sizes := set(group.sizes.tolist())) != 1 or 0 in sizes:
        return Refusal("shape", "all its words must have the same number of letters, at least one")
    if sum(group.weights.tolist()) > MOST_WORDS:
        return Refusal("shape", f"it has a bin for each word, and {MOST_WORDS:,} at most")
    if (n := len(letters(group))) > AFFORDABLE:
        kind: Literal["shape", "cost"] = "shape" if n > MOST_LETTERS else "cost"
        return Refusal(kind, f"2^{n} sets of letters would be summed")
    return None


def letters(group: Group) -> list[int]:
    """Return the letters in use, rarest first, so that few words have a letter in the head."""
    masks, one = group.masks.astype(np.uint64), np.uint64(1)
    having = [int((masks >> np.uint64(letter) & one).sum()) for letter in range(64)]
    return sorted((letter for letter in range(64) if having[letter]), key=having.__getitem__)


class Sets:
    """A group's words over its own letters, in blocks of letter sets that share a head."""

    def __init__(self, group: Group) -> None:
        """Place the words; unused letters are harmless and pad the alphabet to one block."""
        used, one = letters(group), np.uint64(1)
        masks = np.zeros(len(group.masks), np.uint64)
        for place, letter in enumerate(used):
            bit = group.masks.astype(np.uint64) >> np.uint64(letter) & one
            masks |= bit << np.uint64(place)
        self.letters = max(len(used), LOW)
        self.need = group.count * int(group.sizes[0])
        """Letters of a packing."""
        self.blocks = 1 << (self.letters - LOW) if self.need <= self.letters else 0
        self.heads: npt.NDArray[np.uint64] = masks >> np.uint64(LOW)
        self.tails = (masks & np.uint64((1 << LOW) - 1)).astype(np.int64)

    def coefficient(self, n: int) -> int:
        """Return (-1)^(need-n) C(letters-n, need-n) for sets of n letters; 0 if n > need."""
        if n > min(self.need, self.letters):
            return 0
        size = comb(self.letters - n, self.need - n)
        return -size if (self.need - n) % 2 else size
