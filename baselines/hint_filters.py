"""Hint filters: turn each feedback into a regular expression and match the remaining words.

Games are played one by one, as the author plays a day's game: filter the remaining list, then guess
its first word, which has the highest score. His three filters (letters in place as an expression,
letters elsewhere, absent letters) are one expression here. It has lookaheads for how often a letter
must or may occur, because feedback counts repeated letters and his filters do not.
Cost: the words matched, about 2,400 per game with 2,315 answers, at half a microsecond each.
Source: Håkan Kjellerstrand's Wordle solver.
"""

import platform
import re
from collections import Counter
from functools import lru_cache

import numpy as np

from wordpack.backend.base import Backend, Options, Prepared, Refusal
from wordpack.games.play import Games, Play

FIRST = 0x100
"""The character of the first letter; no character from here on is special in a regular expression
or ends a line."""

MATCHES = 5e7
"""Most words to match, about half a minute, unless the backend is asked for by name."""


KEPT = 4096
"""Cached expressions: those of a start word and of the games after it."""


class HintFilters(Backend):
    """Games one by one, by regular expressions."""

    def probe(self) -> str:
        """Return the interpreter; it runs anywhere."""
        return f"{platform.python_implementation()} {platform.python_version()}"

    def accepts(self, play: Play, _options: Options) -> Refusal | None:
        """Refuse games that would take more than half a minute."""
        matches = play.games * len(play.answers)
        if matches > MATCHES:
            return Refusal("cost", f"it would match about {matches:.0e} words with expressions")
        return None

    def prepare(self, play: Play, _options: Options) -> "HintFiltersSearch":
        """Turn the words into text."""
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
        """Return the share of games begun in the current run, 0 to 1."""
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
    """Return the expression that matches the words that would give these marks.

    A letter marked G is at its place; any other letter is not. A word has each letter at least as
    often as it was marked G or Y, and exactly that often if it was also marked absent. Lookaheads
    match other letters explicitly, since a dot could match in as many ways as there are subsets.
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
