"""Seeds of the fuzzer, how they become inputs, and the rules in plain Python to judge them by."""

from collections import Counter
from random import Random

from plain_letters import plain_alphabet, plain_lines, plain_spelt, plain_trimmed

from wordpack.lexicon.lists import CATALOGUE
from wordpack.solving.instances import INSTANCES

LATIN = "abcdefghijklmnopqrstuvwxyz"
LETTERS = [
    *(
        LATIN,
        "ecab",
        "a",
        LATIN + "æøå",
        "абвгдеёж",
        "אבגab",
        "ab'7-",
        "éàßςøı",
        "ab\u03c3ßİ",
        LATIN[::-1],
    ),
    LATIN + "0123456789" + "абвгдежзийклмнопрстуфхцчшщъы",
]
BITS = [
    *("fjord", "gucks", "nymph", "vibex", "waltz", "abc", "ABC", "a", "\n", "\n", "\n", "\r\n"),
    *("\r", " ", "\t", "\0", "\x0b", "\x1c", "\x85", "\u2028", "\ufeff", "é", "e\u0301", "\u0301"),
    *("İ", "\u0131", "ß", "ẞ", "Σ", "ς", "\u212b", "א", "\u202e", "\u200f", "😀", "'", "7"),
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
AFTER = ["", "@toy", "@", "@x"]
OPTIONS = {
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

MOST_WORDS, MOST_DIGITS = 1000, 30


def often(random: Random, share: float) -> bool:
    """Return True as often as `share`."""
    return random.random() < share


def plain_family(name: str) -> bool:
    """Return whether `name` is an instance or a family KxL[@LIST]."""
    shape, at, list_name = name.partition("@")
    count, _, length = shape.partition("x")
    for number in (count, length):
        if not (number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS):
            return name in INSTANCES
        if not 1 <= int(number) <= MOST_WORDS:
            return name in INSTANCES
    return list_name in CATALOGUE if at else True


def mutated(random: Random, bits: list[str]) -> str:
    """Return pieces of `bits`, with some characters cut, doubled, moved or replaced."""
    text = "".join(random.choice(bits) for _ in range(random.choice([1, 1, 3, 10, 40])))
    for _ in range(random.choice([0, 0, 1, 3])):
        at, to = sorted((random.randint(0, len(text)), random.randint(0, len(text))))
        middle = random.choice(
            ["", text[at:to] * 2, random.choice(bits), chr(random.randrange(0x600))]
        )
        text = text[:at] + middle + text[to:]
    return text


def plain_words(text: str, letters: str) -> tuple[list[str], Counter[str]]:
    """Read as rules 2 to 4 say as far as the alphabet, one line at a time."""
    seen: set[str] = set()
    kept, dropped = [], Counter[str]()
    for line in plain_lines(text):
        word = plain_spelt(line, letters)
        if not plain_trimmed(word):
            dropped["blank"] += 1
        elif word in seen:
            dropped["duplicate"] += 1
        elif not set(word) <= set(plain_alphabet(letters) or ""):
            dropped["alphabet"] += 1
        else:
            kept.append(word)
        seen.add(word)
    return kept, dropped


def plain_text(raw: bytes, encoding: str) -> str | None:
    """Return the text, None for what must be refused."""
    try:
        text = raw.decode(encoding)
    except (LookupError, UnicodeError, ValueError):
        return None
    return None if "\0" in text else text
