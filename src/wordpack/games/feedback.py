"""Exact feedback on a guess: which letters are in place and which elsewhere, counting repeats.

A letter in the right position is placed. The other letters are marked from left to right: a letter
is misplaced while the answer has another copy of it that is not placed, else absent. So if one copy
of a letter is absent and another is not, the feedback tells how many copies the answer has.
Cost: one comparison of columns for each pair of positions, over all words at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wordpack.errors import InputError
from wordpack.games.hints import Letters
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.letters import WHITE
from wordpack.text.formatting import counted

ABSENT, MISPLACED, PLACED = 0, 1, 2

Marks = npt.NDArray[np.uint8]
"""ABSENT, MISPLACED or PLACED for each letter of a guess: (length,), or (n, length)."""

SIGNS = {".": ABSENT, "y": MISPLACED, "Y": MISPLACED, "g": PLACED, "G": PLACED}

SQUARES = {
    "\N{BLACK LARGE SQUARE}": ABSENT,
    "\N{WHITE LARGE SQUARE}": ABSENT,
    "\N{LARGE YELLOW SQUARE}": MISPLACED,
    "\N{LARGE BLUE SQUARE}": MISPLACED,
    "\N{LARGE GREEN SQUARE}": PLACED,
    "\N{LARGE ORANGE SQUARE}": PLACED,
}
"""Squares as the game shares them; blue and orange are its high-contrast colours."""

VARIANT = "\N{VARIATION SELECTOR-16}"
"""Follows a square that is to be drawn in colour; it has no meaning here."""

FORMS = "WORD=MARKS with G, Y or . for each letter (tacit=Y....), coloured squares, or the letters \
in place with those misplaced after a + (arise=.r.se+a)"


def marks(guess: Letters, rows: Letters) -> Marks:
    """Return the marks (n, length) of `guess` (length,) for each answer of `rows` (n, length)."""
    placed = rows == guess
    found = np.where(placed, np.uint8(PLACED), np.uint8(ABSENT))
    for place, letter in enumerate(guess):
        there = ((rows == letter) & ~placed).sum(axis=1)
        earlier = np.flatnonzero(guess[:place] == letter)
        taken = (~placed[:, earlier]).sum(axis=1)
        found[:, place][~placed[:, place] & (there > taken)] = MISPLACED
    return found


@dataclass(frozen=True)
class Clue:
    """A guess and its marks."""

    guess: tuple[int, ...]
    """Places of its letters in the alphabet."""
    marks: tuple[int, ...]

    @classmethod
    def of(cls, text: str, alphabet: Alphabet) -> "Clue":
        """Return the clue that `text` gives in one of the FORMS; InputError for any other text.

        If all cells are G, Y or ., in either case, they are read as marks. In the last form a cell
        repeats the guess's letter if it is in place, else it is a dot. After the + come the
        misplaced letters, each as often as it is misplaced. Of several equal letters, the first
        ones that are not in place count as misplaced. Other programs write capitals for letters in
        place, so mixed case is refused.
        """
        word, equals, said = text.replace(VARIANT, "").strip(WHITE).partition("=")
        word = alphabet.spelt(word)
        if not equals or not word:
            raise InputError(f"`guesses` {text}: write {FORMS}")
        for letter in word:
            if letter not in alphabet.letters:
                raise InputError(
                    f"`guesses` {text}: {letter!r} is no letter of the alphabet "
                    f"{alphabet.spelled}: name another with `letters`"
                )
        pattern, plus, misplaced = said.partition("+")
        signs = next((each for each in (SIGNS, SQUARES) if set(pattern) <= set(each)), None)
        shown, pattern = pattern, pattern if signs else alphabet.spelt(pattern)
        if len(pattern) != len(word):
            raise InputError(
                f"`guesses` {text}: {counted(len(pattern), 'mark')} for a word of "
                f"{counted(len(word), 'letter')}: write {FORMS}"
            )
        if signs and not plus:
            given = tuple(signs[sign] for sign in pattern)
        else:
            if any(map(str.isupper, shown)) and any(map(str.islower, shown)):
                raise InputError(
                    f"`guesses` {text}: every letter shown is in place, capital or small: "
                    "write all alike, and those elsewhere after a +"
                )
            given = _spelt(text, word, alphabet.spelt(pattern), alphabet.spelt(misplaced))
        return cls(tuple(alphabet.letters.index(letter) for letter in word), given)

    def fit(self, rows: Letters) -> npt.NDArray[np.bool_]:
        """Return which of `rows` (n, length) would have given the guess these marks, (n,)."""
        if rows.shape[1] != len(self.guess):
            return np.zeros(len(rows), bool)
        guess, given = np.array(self.guess, np.uint8), np.array(self.marks, np.uint8)
        fits: npt.NDArray[np.bool_] = (marks(guess, rows) == given).all(axis=1)
        return fits


def _spelt(text: str, word: str, pattern: str, misplaced: str) -> tuple[int, ...]:
    """Return the marks given in the form that repeats the letters in place."""
    found = [ABSENT] * len(word)
    for place, (letter, cell) in enumerate(zip(word, pattern, strict=True)):
        if cell == letter:
            found[place] = PLACED
        elif cell != ".":
            raise InputError(
                f"`guesses` {text}: cell {place + 1} is {cell!r}, neither {letter!r} nor a dot: "
                f"write {FORMS}"
            )
    for letter in misplaced:
        free = [
            place for place, each in enumerate(word) if each == letter and found[place] == ABSENT
        ]
        if not free:
            raise InputError(
                f"`guesses` {text}: {letter!r} after the + is no letter of {word} that is not in "
                "place: name each misplaced letter of the guess, as often as it is misplaced"
            )
        found[free[0]] = MISPLACED
    return tuple(found)


def consistent(clues: Sequence[Clue], rows: Letters) -> npt.NDArray[np.bool_]:
    """Return which of `rows` (n, length) fit all `clues`, (n,)."""
    fits = np.ones(len(rows), bool)
    for clue in clues:
        fits &= clue.fit(rows)
    return fits
