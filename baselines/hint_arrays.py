"""Hint arrays: all games of a start word advance together, one guess at a time, in numpy.

Games with the same guesses and feedback so far have the same words left. The last guess and its
feedback identify such a set of games, so they make its key. All games with one key next guess the
first answer with that key, which has the highest score. The trick: write each answer's place into a
table at its key, from the last answer to the first, so each entry ends up with the first answer;
nothing is sorted, and the table need not be cleared.
Cost: a few array operations per pair of letters, start word and guess.
Source: Håkan Kjellerstrand's Wordle solver, as array operations.
"""

import numpy as np
import numpy.typing as npt

from wordpack.backend.base import Backend, Options, Prepared, Refusal
from wordpack.games.hints import Letters
from wordpack.games.play import Games, Play

TABLE = 1 << 28
"""Most bytes of the table of keys: four per answer and feedback."""

MOST = 1e9
"""Most games, about ten minutes, unless the backend is asked for by name."""


class HintArrays(Backend):
    """All games of a start word at once, in numpy."""

    def probe(self) -> str:
        """Return numpy's version."""
        return f"numpy {np.__version__}"

    def accepts(self, play: Play, _options: Options) -> Refusal | None:
        """Refuse too large a table of keys, and games that take more than ten minutes."""
        answers, length = play.answers.shape
        if 4 * answers * 3**length > TABLE:
            return Refusal(
                "shape", f"{answers:,} answers with 3^{length} feedbacks are too large a table"
            )
        if play.games > MOST:
            return Refusal("cost", f"{play.games:.0e} games would be played")
        return None

    def prepare(self, play: Play, _options: Options) -> "HintArraysSearch":
        """Allocate the table."""
        return HintArraysSearch(play)


class HintArraysSearch(Prepared):
    """Prepared games, start word by start word."""

    device = "cpu, 1 thread"

    def __init__(self, play: Play) -> None:
        self._play = play
        self._answers = np.ascontiguousarray(play.answers.T)
        self._feedbacks = 3 ** play.answers.shape[1]
        self._first = np.zeros(len(play.answers) * self._feedbacks, np.int32)
        self._begun = 0

    def progress(self) -> float:
        """Return the share of start words begun in the current run, 0 to 1."""
        return self._begun / len(self._play.starts)

    def run(self) -> Games:
        """Play all games."""
        guesses = np.empty((len(self._play.starts), len(self._play.answers)), self._play.dtype)
        for begun, (row, start) in enumerate(zip(guesses, self._play.starts, strict=True)):
            self._begun = begun
            self._games_of(start, row)
        return Games(self._play, guesses)

    def _games_of(self, start: Letters, guesses: npt.NDArray[np.unsignedinteger]) -> None:
        """Write the number of guesses that each answer takes after `start` into `guesses`."""
        solved = self._feedbacks - 1
        answers = np.arange(len(guesses))
        seen = _feedback(start[:, None], self._answers)
        last, taken = np.zeros(len(guesses), np.int64), 1
        while True:
            right = seen == solved
            guesses[answers[right]] = taken
            answers, seen, last = answers[~right], seen[~right], last[~right]
            if not len(answers):
                return
            keys = last * self._feedbacks + seen
            self._first[keys[::-1]] = answers[::-1]
            last, taken = self._first[keys].astype(np.int64), taken + 1
            seen = _feedback(self._answers[:, last], self._answers[:, answers])


def _feedback(guesses: Letters, answers: Letters) -> npt.NDArray[np.int64]:
    """Return the feedback of each guess (length, n) or (length, 1) for its answer, (n,).

    Base 3 with the first letter's digit highest: 2 in place, 1 elsewhere, 0 absent. A misplaced
    letter counts as elsewhere while the answer has more copies of it, at places where the guess has
    another letter, than the guess has earlier misplaced copies.
    """
    found = np.zeros(answers.shape[1], np.int64)
    for place, letter in enumerate(guesses):
        free = np.zeros(answers.shape[1], np.int8)
        for other, (theirs, its) in enumerate(zip(guesses, answers, strict=True)):
            same = theirs == letter
            free += ~same & (its == letter)
            if other < place:
                free -= same & (its != letter)
        digit = np.where(answers[place] == letter, 2, free > 0)
        found = 3 * found + digit
    return found
