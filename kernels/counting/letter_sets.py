"""Sets of letters for counting by subset sums: which problems, how words are placed, and the sum.

What the subset sums of every device share; the derivation stands in `subset_sums`.
"""

from math import comb
from typing import Literal

import numpy as np
import numpy.typing as npt

from wordpack.backend.base import Options, Refusal
from wordpack.packing.problem import Group, Problem

LOW = 12
"""Letters whose sets are summed together, in cells that fit into the nearest memory."""

MOST_LETTERS = 39
"""3^39 is the last that a signed 64-bit number holds."""

AFFORDABLE = 32
"""Letters that take some seconds on two cores; each more doubles it."""

MOST_WORDS = 1 << 22
"""Words, and so values of z: 64 MiB of bins for each thread."""


def refusal(problem: Problem, options: Options) -> Refusal | None:
    """Refuse to list, words of several lengths, and more letters or words than can be summed."""
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
    """Return the letters that some mask has, the rarest first, so that few words have a head."""
    masks, one = group.masks.astype(np.uint64), np.uint64(1)
    having = [int((masks >> np.uint64(letter) & one).sum()) for letter in range(64)]
    return sorted((letter for letter in range(64) if having[letter]), key=having.__getitem__)


class Sets:
    """The words of a group over its own letters, in blocks of the sets that share a head."""

    def __init__(self, group: Group) -> None:
        """Place the words; letters of nobody do no harm, so there are enough for one block."""
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
        """Return (-1)^(need-n) C(letters-n, need-n), for sets of n letters; 0 where n > need."""
        if n > min(self.need, self.letters):
            return 0
        size = comb(self.letters - n, self.need - n)
        return -size if (self.need - n) % 2 else size
