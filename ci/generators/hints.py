"""Guesses with marks, filters, and the options of `hints` and `play`."""

from typing import NamedTuple

from generators.words import ENCODINGS, LATIN, VALUES, mutated, some_of
from plain_hints import SQUARES, crossed_out
from wordpack.testing.draw import Draw

WORDS = ["arise", "eerie", "llama", "geese", "tacit", "robot", "abbey", "babel", "small", "queue"]
NORDIC = LATIN + "æøå"
LISTS = {LATIN: WORDS, NORDIC: [*WORDS, "ærøåå", "kåååå"], "aeb": ["eabea"]}
"""The words to give hints from, by alphabet."""
PIECES = [
    *(
        *WORDS,
        "=",
        "=",
        "+",
        "G",
        "Y",
        "y",
        "g",
        ".",
        "..",
        "a",
        "e",
        "E",
        "\ufe0f",
        " ",
        "\n",
        "å",
    ),
    *("".join(SQUARES), "İ", "ß", "\u0301", "\0", "GGGGG", ".....", "a" * 70, "\u202e", "\ud800"),
]
CELLS = ["a", "e", ".", ".", "[ae]", "[^ae]", "[", "]", "[^]", "[]", "^", "\n", "å", "A", "-", ","]
STARTS = [
    *(*WORDS, "best", "BEST", "", "slant", "zzzzz", "a", "a" * 60, "a" * 70, "å", "\n", "slants"),
]
POSITIONS = [
    *("1:a", "5:br", "0:a", "6:a", "9" * 5000 + ":a", "\u0663:e", "²:a", ":", "1:", "a:1", ""),
    *("-1:a", "1:å", "1:\n", "1:a:b"),
]
HINTS: dict[str, list[str]] = {
    "--absent": ["", "a", "lnt", "å", "A", "7", "\n", "a" * 100],
    "--present": POSITIONS,
    "--guess": ["arise=.r.se", "tacit=Y....", "tacit=", "=", "", "a=.", "a" * 70 + "=" + "." * 70],
    "--list": ["wordle-answers", "toy", "words_alpha", "nope", ""],
    "--scores": [],
    "--frequencies": [],
}
PLAY: dict[str, list[str]] = {
    "--answer": STARTS,
    "--start": STARTS,
    "--starts": ["toy", "five", ""],
    "--all": [],
    "--backend": ["auto", "game_tree", "hint_arrays", "hint_filters", "bitset_rows", "", "zz"],
    "--list": ["toy", "nope", ""],
}
BOTH: dict[str, list[str]] = {
    "--words": ["five", "twice", "none", "empty", "", ".", "-", "\udcff", "long"],
    "--letters": [LATIN, NORDIC, "a", "", "aa", LATIN[::-1]],
    "--encoding": ENCODINGS,
    "--table": ["computed", "published", ""],
    "--format": ["text", "json", "csv"],
    "--bogus": [],
}


class Hints(NamedTuple):
    """A guess with its marks, and filters, all in one alphabet."""

    letters: str
    guess: str
    pattern: str
    away: list[str]
    absent: str


def guess(draw: Draw) -> str:
    """Return a guess with an answer's marks, or pieces of it."""
    if draw.often(0.3):
        return mutated(draw, PIECES)
    word, marks = draw.choice(WORDS), crossed_out(draw.choice(WORDS), draw.choice(WORDS))
    if draw.often(0.3):
        marks = "".join(draw.choice(SQUARES[".YG".index(mark)]) for mark in marks)
    elif draw.often(0.5):
        pairs = list(zip(word, marks, strict=True))
        marks = "".join(letter if mark == "G" else "." for letter, mark in pairs)
        marks += "+" + "".join(letter for letter, mark in pairs if mark == "Y")
    text = f"{word}={marks}"
    text = draw.choice([str.upper, str.lower, str.title])(text) if draw.often(0.3) else text
    at, _ = draw.span(len(text))
    return text[:at] + draw.choice(PIECES) + text[at:] if draw.often(0.4) else text


def hints(draw: Draw) -> Hints:
    """Draw a guess and filters."""
    absent = mutated(draw, ["l", "n", "t"]) if draw.often(0.2) else ""
    away = mutated(draw, ["a", "e", "å", "", "[", "B"]) if draw.often(0.2) else ""
    return Hints(draw.choice(list(LISTS)), guess(draw), mutated(draw, CELLS), [away] * 3, absent)


def arguments(draw: Draw) -> list[str]:
    """Draw a command line of `hints` or of `play`."""
    asked = draw.often(0.7)
    given = ["hints" if asked else "play"]
    if not asked or draw.often(0.7):
        # whole games of long lists take minutes
        given += draw.choice([["--words", "five"], ["--list", "toy"]])
    given += some_of(draw, BOTH | (HINTS if asked else PLAY), 4)
    if asked and draw.often(0.1):
        given += ["--guess", guess(draw)]
    if asked and draw.often(0.6):
        values = ["", ".", "-", "a", "e", "s,a,a,s,e", *VALUES]
        call = [mutated(draw, CELLS) if draw.often(0.5) else "....."]
        given += ["--", *call, *draw.choices(values, draw.choice([0, 0, 2, 6]))]
    return given
