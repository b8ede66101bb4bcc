"""Hints for a hidden word: the published filters, and a score by the frequency of letters.

A word's score is the sum over its positions of the rank of its letter in that position's string,
which has all letters from the rarest to the commonest, plus DISTINCT if no letter repeats.
Words are sorted by score, highest first; equal scores are in reverse order of the alphabet.
Cost: a few array operations per letter, over all words at once.
Source: the Wordle solver of Håkan Kjellerstrand.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wordpack.errors import InputError
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.letters import WHITE
from wordpack.lexicon.lexicon import Lexicon
from wordpack.text.formatting import counted

Letters = npt.NDArray[np.uint8]
"""Places of letters in an alphabet: a word (length,), or words of one length (n, length)."""

Ranks = npt.NDArray[np.int64]
"""(length, letters): the rank of each letter at each position, 1 for the first of its string."""

PUBLISHED = (
    "xzyjkquinovhewlrmdgfaptbcs",
    "zqfkgxvbsdymcwptnhulieroaj",
    "qjhzkxfwyvcbpmgdstlnrueoia",
    "qjxyzbwhfvpkmdguotcrilasne",
    "qvjuzxbiwfcsgmpoakdnhlrtye",
)
"""The strings in the author's program; the second and fifth differ slightly from his list's."""

DISTINCT = 100
"""The bonus of a word without repeated letters."""

CELL = re.compile(r"\[(\^?)([^\]]*)\]|(.)", re.DOTALL)


def rows_of(words: Lexicon) -> Letters:
    """Return the letters of `words`, (n, length); ValueError unless all have one length."""
    if words.rows is None:
        if len(words):
            raise ValueError("words of one length are needed")
        return np.empty((0, 0), np.uint8)
    return np.ascontiguousarray(words.rows)


def computed(rows: Letters, alphabet: Alphabet) -> tuple[str, ...]:
    """Return a list's letter strings: for each position all letters, the rarest first.

    Equally rare letters, including absent ones, are in the alphabet's order.
    """
    counts = [np.bincount(column, minlength=len(alphabet)) for column in rows.T]
    orders = [np.argsort(count, kind="stable") for count in counts]
    return tuple("".join(alphabet.letters[place] for place in order) for order in orders)


def _ranks(strings: Sequence[str], alphabet: Alphabet) -> Ranks:
    """Return each letter's 1-based index in each string; InputError if one is missing."""
    for position, string in enumerate(strings, 1):
        if sorted(string) != sorted(alphabet.letters):
            raise InputError(
                f"the letter string of position {position} ({string}) does not have each letter "
                f"of {alphabet.spelled} once: take `table` computed"
            )
    places = [[string.index(letter) + 1 for letter in alphabet.letters] for string in strings]
    return np.array(places, np.int64).reshape(len(strings), len(alphabet))


def _scores(rows: Letters, table: Ranks) -> npt.NDArray[np.int64]:
    """Return the score of each word, (n,) int64."""
    found = np.zeros(len(rows), np.int64)
    for position, column in enumerate(rows.T):
        found += table[position, column]
    ordered = np.sort(rows, axis=1)
    found += DISTINCT * (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    return found


@dataclass(frozen=True, eq=False)
class Ranked:
    """The words of a list sorted by score, the best one first."""

    words: tuple[str, ...]
    rows: Letters
    """(n, length)."""
    scores: npt.NDArray[np.int64]
    """(n,)."""
    strings: tuple[str, ...]
    """The letter strings by which they score."""
    alphabet: Alphabet

    def __len__(self) -> int:
        return len(self.words)


def ranked(words: Lexicon, strings: Sequence[str] | None = None) -> Ranked:
    """Return `words`, all of one length, sorted by score.

    `strings` has one string of all letters for each position; by default they are computed from
    `words`.
    """
    rows = rows_of(words)
    strings = computed(rows, words.alphabet) if strings is None else tuple(strings)
    if len(strings) != rows.shape[1]:
        raise InputError(
            f"the published letter strings are for {counted(len(strings), 'letter')}, and the "
            f"words have {rows.shape[1]}: take `table` computed"
        )
    found = _scores(rows, _ranks(strings, words.alphabet))
    place = np.empty(len(rows), np.int64)
    place[words.order] = np.arange(len(rows))
    order = np.lexsort((-place, -found))
    listed = list(words)
    return Ranked(
        tuple(listed[at] for at in order), rows[order], found[order], strings, words.alphabet
    )


@dataclass(frozen=True)
class Filters:
    """The published filters: which letters each position may have, and which a word must have."""

    allowed: tuple[int, ...]
    """A bitmask of letters for each position."""
    needed: int
    """A bitmask of the letters that must be in the word."""

    @classmethod
    def of(
        cls, pattern: str, misplaced: Sequence[str], absent: str, alphabet: Alphabet
    ) -> "Filters":
        """Return the filters of a published call.

        `pattern` is a regular expression with a cell for each position: a dot, a letter, or a
        class of letters, [rn] or [^rn]. `misplaced` has for each position the letters that are in
        the word but not there; `absent` letters are nowhere in it. InputError for anything else.
        """
        allowed = cells(pattern, alphabet)
        if len(misplaced) > len(allowed):
            raise InputError(
                f"{counted(len(misplaced), 'cell')} of misplaced letters for a pattern of "
                f"{len(allowed)}: give one for each position"
            )
        nowhere = _mask(absent, alphabet, "absent")
        needed = 0
        for position, letters in enumerate(misplaced):
            away = _mask(letters, alphabet, "misplaced")
            allowed[position] &= ~away
            needed |= away
        return cls(tuple(each & ~nowhere for each in allowed), needed)

    def fit(self, rows: Letters) -> npt.NDArray[np.bool_]:
        """Return which of `rows` (n, length) pass, (n,)."""
        if rows.shape[1] != len(self.allowed):
            return np.zeros(len(rows), bool)
        fits = np.ones(len(rows), bool)
        has = np.zeros(len(rows), np.uint64)
        for letters, column in zip(self.allowed, rows.T, strict=True):
            bits = np.uint64(1) << column.astype(np.uint64)
            fits &= (bits & np.uint64(letters)) != 0
            has |= bits
        fits &= np.uint64(self.needed) & ~has == 0
        return fits


def cells(pattern: str, alphabet: Alphabet) -> list[int]:
    """Return the letters that each cell of `pattern` allows, as bitmasks."""
    every, found = (1 << len(alphabet)) - 1, []
    for negated, several, one in CELL.findall(alphabet.spelt(pattern.strip(WHITE))):
        if one in ("[", "]"):
            raise InputError(
                f"the pattern {pattern} has an unmatched bracket: a cell is a letter, "
                "a dot for any, [rn] or [^rn]"
            )
        letters = every if one == "." else _mask(one or several, alphabet, "pattern")
        found.append(every & ~letters if negated else letters)
    if not found:
        raise InputError("the pattern is empty: give a letter or a dot for each position, '.r.n.'")
    return found


def _mask(letters: str, alphabet: Alphabet, what: str) -> int:
    """Return the bitmask of `letters`; InputError for a character outside the alphabet."""
    found = 0
    for letter in alphabet.spelt(letters):
        if letter not in alphabet.letters:
            raise InputError(
                f"{letter!r} among the {what} letters is not in the alphabet "
                f"{alphabet.spelled}: leave it out, or name the alphabet with `letters`"
            )
        found |= 1 << alphabet.letters.index(letter)
    return found
