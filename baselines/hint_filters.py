"""Hint filters: each feedback becomes a regular expression, and the words left are matched with it.

Games are played one by one, as their author plays a day: filter the list that is left, guess its
first word, which has the highest score. His three filters (letters in place as an expression,
letters that are elsewhere, letters that are absent) are one expression here, with lookaheads for
how often a letter must or may occur, since feedback counts repeated letters and they do not.
Cost: the words matched: of 2,315 about 2,400 a game, half a microsecond each.
Source: the Wordle solver of Håkan Kjellerstrand.
"""

import platform
import re
from collections import Counter
from functools import lru_cache

import numpy as np

from wordpack.backend.base import Backend, Options, Prepared, Refusal
from wordpack.games.play import Games, Play

FIRST = 0x100
"""The character that stands for the first letter: none from there on means anything in a regular
expression, or is a line's end."""

MATCHES = 5e7
"""Words matched, about half a minute, beyond which it must be asked for by name."""


KEPT = 4096
"""Expressions that are kept: those of a start word, and of the games after it."""


class HintFilters(Backend):
    """Games one by one, by regular expressions."""

    def probe(self) -> str:
        """Return the interpreter: nothing else is needed."""
        return f"{platform.python_implementation()} {platform.python_version()}"

    def accepts(self, play: Play, _options: Options) -> Refusal | None:
        """Refuse what would take more than half a minute."""
        matches = play.games * len(play.answers)
        if matches > MATCHES:
            return Refusal("cost", f"some {matches:.0e} words would be matched with expressions")
        return None

    def prepare(self, play: Play, _options: Options) -> "HintFiltersSearch":
        """Turn the words to text."""
        return HintFiltersSearch(play)


class HintFiltersSearch(Prepared):
    """Prepared games, one after the other."""

    device = "cpu, 1 thread"

    def __init__(self, play: Play) -> None:
        self._play = play
        self._answers, self._starts = (
            ["".join(chr(FIRST + letter) for letter in row) for row in rows.tolist()]
            for rows in (play.answers, play.starts)
        )
        self._begun = 0

    def progress(self) -> float:
        """Return the share of the games begun in the present run, 0 to 1."""
        return self._begun / self._play.games

    def run(self) -> Games:
        """Play all games."""
        self._begun = 0
        guesses = np.empty((len(self._starts), len(self._answers)), self._play.dtype)
        for row, start in zip(guesses, self._starts, strict=True):
            for column, answer in enumerate(self._answers):
                row[column] = self._guesses(start, answer)
                self._begun += 1
        return Games(self._play, guesses)

    def _guesses(self, guess: str, answer: str) -> int:
        left, guesses = self._answers, 1
        while guess != answer:
            matches = _expression(guess, _feedback(guess, answer)).fullmatch
            left = [word for word in left if matches(word)]
            guess = left[0]
            guesses += 1
        return guesses


def _feedback(guess: str, answer: str) -> str:
    """Return G, Y or . for each letter."""
    rest = Counter(letter for letter, other in zip(answer, guess, strict=True) if letter != other)
    marks = ""
    for letter, other in zip(guess, answer, strict=True):
        if letter == other:
            marks += "G"
        elif rest[letter]:
            rest[letter] -= 1
            marks += "Y"
        else:
            marks += "."
    return marks


@lru_cache(KEPT)
def _expression(guess: str, marks: str) -> re.Pattern[str]:
    """Return what the words that would give these marks match.

    A letter in place stands there, another does not. A letter is as often in the word, at least,
    as it was not absent, and just as often where it was absent once. What stands before it is any
    other letter: with a dot there would be as many ways to match as subsets of its places.
    """
    present = Counter(letter for letter, mark in zip(guess, marks, strict=True) if mark != ".")
    absent = {letter for letter, mark in zip(guess, marks, strict=True) if mark == "."}
    ahead = "".join(
        f"(?=(?:[^{letter}]*{letter}){{{present[letter]}}})" * (present[letter] > 0)
        + f"(?!(?:[^{letter}]*{letter}){{{present[letter] + 1}}})" * (letter in absent)
        for letter in dict.fromkeys(guess)
    )
    cells = "".join(
        letter if mark == "G" else f"[^{letter}]" for letter, mark in zip(guess, marks, strict=True)
    )
    return re.compile(ahead + cells)
