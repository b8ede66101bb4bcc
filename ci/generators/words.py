"""Word lists, alphabets, names and options of `solve`: valid ones, changed at random."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wordpack.lexicon.lists import CATALOGUE
from wordpack.solving.instances import INSTANCES
from wordpack.testing.draw import Draw

LATIN = "abcdefghijklmnopqrstuvwxyz"
LETTERS = [
    *(LATIN, "ecab", "a", LATIN + "æøå", "абвгдеёж", "אבגab", "ab'7-", "éàßςøı", LATIN[::-1]),
    *("ab\u03c3ßİ", "ab\u03b8", "ab\u03f4", LATIN + "0123456789" + "абвгдежзийклмнопрстуфхцчшщъы"),
]
BITS = [
    *("fjord", "gucks", "nymph", "vibex", "waltz", "abc", "ABC", "a", "\n", "\n", "\n", "\r\n"),
    *("\r", " ", "\t", "\0", "\x0b", "\x1c", "\x85", "\u2028", "\ufeff", "é", "e\u0301", "\u0301"),
    *("İ", "\u0131", "ß", "ẞ", "Σ", "ς", "\u212b", "א", "\u202e", "\u200f", "😀", "'", "7"),
    *("\u03b8", "\u0398", "\u03f4"),
    *("a" * 70, "ab\n" * 30),
]
ENCODINGS = [
    *["utf-8"] * 12,
    *("latin-1", "utf-16", "utf-16-le", "utf-32", "ascii", "cp1252", "utf-7", "idna", "punycode"),
    *("unicode_escape", "undefined", "rot13", "hex", "klingon", "", "a\0b"),
]
FAMILIES = [
    *(*INSTANCES, *CATALOGUE, "5x5", "5x5@wordle", "1000x1000@toy", "1001x1", "0x5", "5x0"),
    *("5x5@", "@toy", "x", "\u0665x5", "²x5", "5X5", "9" * 31 + "x5", "5x5@toy\n", "-1x5"),
]
BACKENDS = [
    *("auto", "bitset_rows", "rarest_letter", "filtered_lists", "filtered_arrays", "combinations"),
    *("merged_states", "graph_cliques", "subset_sums", "", "zz"),
]
VALUES = [
    *(
        "0",
        "1",
        "2",
        "3",
        "5",
        "-1",
        "64",
        "1000",
        "1001",
        "9" * 30,
        "1e3",
        "",
        "٣",
        "five",
        "0x10",
    ),
]
OPTIONS: dict[str, list[str]] = {
    "--words": ["five", "none", "empty", "twice", "", ".", "\udcff", "fi\nve"],
    "--list": ["toy", "toys", ""],
    "--answers": ["five", "none"],
    "--guesses": ["five", "twice"],
    "--intersect": ["five", "toy", "none", "-", ""],
    "--letters": LETTERS,
    "--encoding": ENCODINGS,
    "--backend": BACKENDS,
    "--format": ["text", "json", "csv", "xml"],
    "--output": ["rows", ".", "", "none/rows", "-", "r\u202es"],
}
OPTIONS |= dict.fromkeys(("--count", "--length", "--threads", "--chunk", "--max-vowels"), VALUES)
FLAGS = [
    *("--count-only", "--packings", "--work", "--repeats", "--no-repeats", "--keep-anagrams"),
    *("--explain", "--bogus", "--help"),
]
OPTIONS |= {flag: [] for flag in FLAGS}


def mutated(draw: Draw, bits: Sequence[str]) -> str:
    """Return pieces of `bits`, with some characters cut, doubled, moved or replaced."""
    text = "".join(draw.choices(bits, draw.choice([1, 1, 3, 10, 40])))
    for _ in range(draw.choice([0, 0, 1, 3])):
        at, to = draw.span(len(text))
        replaced = ["", text[at:to] * 2, draw.choice(bits), chr(draw.integers(0, 0x5FF))]
        text = text[:at] + draw.choice(replaced) + text[to:]
    return text


def some_of(draw: Draw, options: Mapping[str, Sequence[str]], most: int) -> list[str]:
    """Return up to `most` options, with a value if the option takes one."""
    arguments = []
    for name in draw.choices(list(options), draw.integers(0, most)):
        arguments += [name, draw.choice(options[name])] if options[name] else [name]
    return arguments


class WordList(NamedTuple):
    """The bytes of a list, and how to read them and select words."""

    raw: bytes
    encoding: str
    letters: str
    length: int
    repeats: bool


def word_list(draw: Draw) -> WordList:
    """Draw a list of words; occasionally its bytes are not in its encoding."""
    encoding, letters = draw.choice(ENCODINGS), draw.choice(LETTERS)
    text = mutated(draw, BITS)
    try:
        raw = text.encode("utf-8" if draw.often(0.1) else encoding, "ignore")
    except (LookupError, UnicodeError, ValueError):
        raw = text.encode()
    if raw and draw.often(0.1):
        at = draw.integers(0, len(raw) - 1)
        raw = raw[:at] + draw.raw(draw.integers(0, 3)) + raw[at + 1 :]
    return WordList(raw, encoding, letters, draw.choice([5, 1, 2, 3, 70]), draw.often(0.5))


def alphabet(draw: Draw) -> str:
    """Draw letters, with few repeated."""
    return mutated(draw, draw.choice([[*LATIN[:20], "æ"], [*LATIN, *LETTERS, *BITS]]))


def family(draw: Draw) -> str:
    """Draw a possible name of an instance or a family."""
    if draw.often(0.3):
        return draw.choice(FAMILIES)
    if draw.often(0.5):
        after = draw.choice(["", "@toy", "@", "@x"])
        return f"{draw.choice(VALUES)}x{draw.choice(VALUES)}{after}"
    return mutated(draw, [*FAMILIES, *"0123456789x@"])


def solve_arguments(draw: Draw) -> list[str]:
    """Draw a command line of `solve`, for five words or another small list."""
    name = draw.choice([[], [], ["toy"], [], [], ["5x5@toy"], [], [], ["nope"]])
    words = ["--words", "five"] if draw.often(0.7) else []
    return ["solve", *name, *words, *some_of(draw, OPTIONS, 4)]
