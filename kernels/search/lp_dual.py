"""The dual of the packing LP as a cut: letter weights that leave the smallest budget.

Spread the picks of each group over its words, in fractions, so that the most used letter is used
as little as possible: minimise t, where each group's fractions sum to its count and no letter's
use exceeds t. The dual gives the letters weights that sum to 1, and each group a share: the least
weight of its words. The shares together come as close to 1 as possible; above 1 there is no
packing. Weights are rounded to whole numbers and shares are computed from the rounded weights, so
the cut is valid however well the LP was solved.
Cost: about a hundred steps of 50 microseconds. scipy's HiGHS takes 5 times as long, and importing
it takes longer than most searches.
Source: Dantzig's simplex method in its revised form; Bland (1977) against cycling.
"""

import numpy as np
import numpy.typing as npt

from wordpack.kernels.search.plan import Cut, Words

Floats = npt.NDArray[np.float64]

STEPS = 500
"""Stop after this many steps with the weights reached; the second half cannot cycle."""

SCALES = (*range(1, 61), 840)
"""Units to try, as parts of the heaviest letter; the first that makes all weights whole wins."""

NEAR = 1e-6


def dual_cut(words: Words) -> Cut:
    """Return the cut of the dual's weights, as small whole numbers if those are exact."""
    weights = np.maximum(_dual(words), 0.0)
    weights /= weights.max()
    off = [np.abs(weights * scale - np.round(weights * scale)).max() for scale in SCALES]
    scale = SCALES[int(np.argmax(np.array(off) < NEAR)) if min(off) < NEAR else -1]
    whole = np.round(weights * scale).astype(np.int64)
    heavy = words.bits @ whole.astype(np.float32)
    shares = [int(heavy[words.group == g].min()) for g in range(len(words.counts))]
    return words.cut("dual", whole, np.array(shares, np.int64))


class _Columns:
    """The LP's columns: 0 is t, then each letter's spare room, then each word's fraction.

    Its rows: for each letter, t - use - spare = 0; for each group, sum of fractions = count.
    """

    def __init__(self, words: Words) -> None:
        self.letters, self.group = words.problem.letters, words.group
        self.bits = words.bits.astype(np.float64)
        self.rows = self.letters + len(words.counts)

    def __getitem__(self, variable: int) -> Floats:
        column = np.zeros(self.rows)
        word = variable - 1 - self.letters
        if variable == 0:
            column[: self.letters] = 1.0
        elif word < 0:
            column[variable - 1] = -1.0
        else:
            column[: self.letters] = -self.bits[word]
            column[self.letters + self.group[word]] = 1.0
        return column

    def reduced(self, prices: Floats) -> Floats:
        """Return the reduced costs of all variables but t, which never leaves the basis."""
        weights = prices[: self.letters]
        shares = prices[self.letters :][self.group]
        return np.concatenate([weights, self.bits @ weights - shares])


def _dual(words: Words) -> Floats:
    """Return the letters' weights, (letters,), at the last basis that the simplex reached."""
    columns, letters = _Columns(words), words.problem.letters
    right = np.concatenate([np.zeros(letters), words.counts.astype(float)])
    # first basis: one word gets all of a group's picks, and t is the use of the fullest letter
    first = [int(np.argmax(words.group == g)) for g in range(len(words.counts))]
    fullest = int(np.argmax(words.counts @ columns.bits[first]))
    spare = [1 + letter for letter in range(letters) if letter != fullest]
    basis = [0, *spare, *(1 + letters + word for word in first)]
    inverse = np.linalg.inv(np.stack([columns[variable] for variable in basis], axis=1))
    for step in range(STEPS):
        # the objective is t alone, so the prices are t's row; rounding makes all processors agree
        reduced = np.round(columns.reduced(inverse[0]), 9)
        steepest = step < STEPS // 2
        entering = int(np.argmin(reduced) if steepest else np.argmax(reduced < -NEAR))
        if reduced[entering] >= -NEAR:
            break
        change = inverse @ columns[entering + 1]
        room = np.full(len(change), np.inf)
        room[change > NEAR] = (inverse @ right)[change > NEAR] / change[change > NEAR]
        leaving = int(np.argmin(room))
        if leaving == 0:  # t is 0 or the pivot is too small: use the weights reached
            break
        pivot = inverse[leaving] / change[leaving]
        inverse -= np.outer(change, pivot)
        inverse[leaving] = pivot
        basis[leaving] = entering + 1
    return inverse[0, :letters]
