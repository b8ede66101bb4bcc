"""Feedback and filters of hints in every notation, against the rules in plain Python; play too."""

import io
import sys
from random import Random
from types import SimpleNamespace

from fuzz_outcomes import agree, command
from fuzz_seeds import ENCODINGS, LATIN, VALUES, mutated, often
from plain_letters import plain_spelt, plain_trimmed

from wordpack.errors import InputError
from wordpack.games.feedback import Clue, consistent
from wordpack.games.hint_scan import HintScan
from wordpack.games.hints import Filters, ranked
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.reading import read_text

WORDS = ["arise", "eerie", "llama", "geese", "tacit", "robot", "abbey", "babel", "small", "queue"]
NORDIC = LATIN + "æøå"
LISTS = {
    letters: ranked(read_text("\n".join(words), "words", Alphabet(letters)).select(5, repeats=True))
    for letters, words in ((LATIN, WORDS), (NORDIC, [*WORDS, "ærøåå", "kåååå"]), ("aeb", ["eabea"]))
}
SCANS = {letters: HintScan(listed) for letters, listed in LISTS.items()}
SQUARES = ["\u2b1b\u2b1c", "\U0001f7e8\U0001f7e6", "\U0001f7e9\U0001f7e7"]
"""Of absent, misplaced and placed letters."""

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
    *WORDS,
    "best",
    "BEST",
    "",
    "slant",
    "zzzzz",
    "a",
    "a" * 60,
    "a" * 70,
    "å",
    "\n",
    "slants",
]
HINTS = {
    "--absent": ["", "a", "lnt", "å", "A", "7", "\n", "a" * 100],
    "--present": [
        *("1:a", "5:br", "0:a", "6:a", "9" * 5000 + ":a", "\u0663:e", "²:a", ":", "1:", "a:1", ""),
        *("-1:a", "1:å", "1:\n", "1:a:b"),
    ],
    "--guess": [
        *("arise=.r.se", "tacit=Y....", "tacit=", "=", "", "a=.", "a" * 70 + "=" + "." * 70)
    ],
    "--list": ["wordle-answers", "toy", "words_alpha"],
    "--scores": [],
    "--frequencies": [],
}
PLAY = {
    "--answer": STARTS,
    "--start": STARTS,
    "--starts": ["toy", "five", ""],
    "--all": [],
    "--backend": ["auto", "game_tree", "hint_arrays", "hint_filters", "bitset_rows", "", "zz"],
}
BOTH = {
    "--list": ["toy", "nope", ""],
    "--words": ["five", "twice", "none", "empty", "", ".", "-", "\udcff", "long"],
    "--letters": [LATIN, NORDIC, "a", "", "aa", LATIN[::-1]],
    "--encoding": ENCODINGS,
    "--table": ["computed", "published", ""],
    "--format": ["text", "json", "csv"],
    "--bogus": [],
}


def plain_marks(guess: str, answer: str) -> str:
    """Cross out what is in place, then each misplaced letter, from left to right."""
    left, found = list(answer), ["."] * len(guess)
    for place, letter in enumerate(guess):
        if answer[place] == letter:
            left.remove(letter)
            found[place] = "G"
    for place, letter in enumerate(guess):
        if found[place] == "." and letter in left:
            left.remove(letter)
            found[place] = "Y"
    return "".join(found)


def plain_clue(text: str, letters: str) -> tuple[str, str] | None:
    """Return guess and marks of `--guess`, None for what must be refused."""
    text = plain_trimmed(text.replace("\ufe0f", ""))
    guess, equals, said = plain_spelt(text, letters).partition("=")
    cells, plus, elsewhere = said.partition("+")
    if not equals or not guess or set(guess) - set(letters) or len(cells) != len(guess):
        return None
    if not plus:
        for signs in (".yg", SQUARES):
            known = {sign: mark for mark, all_ in zip(".YG", signs, strict=True) for sign in all_}
            if set(cells) <= set(known):
                return guess, "".join(known[cell] for cell in cells)
    shown = text.partition("=")[2].partition("+")[0]
    if any(each != each.lower() for each in shown) and any(each != each.upper() for each in shown):
        return None
    if any(cell not in (letter, ".") for letter, cell in zip(guess, cells, strict=True)):
        return None
    found = ["." if cell == "." else "G" for cell in cells]
    for letter in elsewhere:
        free = [at for at, mark in enumerate(found) if mark == "." and guess[at] == letter]
        if not free:
            return None
        found[free[0]] = "Y"
    return guess, "".join(found)


def plain_cells(pattern: str, letters: str) -> list[set[str]] | None:
    """Return the letters that each cell of a pattern allows, None for what must be refused."""
    rest, found = plain_spelt(pattern, letters), []
    while rest:
        end = rest.find("]") if rest[0] == "[" else 0
        cell, rest = rest[: end + 1], rest[end + 1 :]
        inside = cell[1:-1] if cell[:1] == "[" else cell
        negated = cell[:1] == "[" and inside.startswith("^")
        inside = inside.removeprefix("^") if negated else inside
        if not cell or (cell != "." and set(inside) - set(letters)):
            return None
        allowed = set(letters) if cell == "." else set(inside)
        found.append(set(letters) - allowed if negated else allowed)
    return found or None


def plain_fit(word: str, allowed: list[set[str]], away: list[str], absent: str) -> bool:
    """Return whether a word passes the filters, letter by letter."""
    if len(word) != len(allowed) or not set("".join(away)) <= set(word):
        return False
    barred = [*away, *[""] * len(word)]
    return all(
        letter in allowed[at] and letter not in absent and letter not in barred[at]
        for at, letter in enumerate(word)
    )


def try_hints(random: Random) -> bool:
    """Read a guess with its marks, and filters; compare both, and what fits, with the rules."""
    letters = random.choice(list(LISTS))
    listed, alphabet = LISTS[letters], Alphabet(letters)
    text, pattern = _guess(random), mutated(random, CELLS)
    away = [mutated(random, ["a", "e", "å", "", "[", "B"]) if often(random, 0.2) else ""] * 3
    absent = mutated(random, ["l", "n", "t"]) if often(random, 0.2) else ""
    due, allowed = plain_clue(text, letters), plain_cells(pattern, letters)
    try:
        clue = Clue.of(text, alphabet)
    except InputError:
        agree(None, due, f"guess {text!r} of {letters}")
        return False
    found = "".join(letters[at] for at in clue.guess), "".join(".YG"[mark] for mark in clue.marks)
    agree(found, due, f"guess {text!r} of {letters}")
    fits = [len(found[0]) == len(word) and plain_marks(found[0], word) == found[1]
            for word in listed.words]  # fmt: skip
    agree(consistent([clue], listed.rows).tolist(), fits, f"what fits {text!r}")
    lower = [plain_spelt(each, letters) for each in (*away, absent)]
    bad = allowed is None or len(away) > len(allowed) or set("".join(lower)) - set(letters)
    try:
        filters = Filters.of(pattern, away, absent, alphabet)
    except InputError:
        agree(True, bool(bad), f"filters {pattern!r}, {away}, {absent!r} were refused")
        return True
    agree(False, bool(bad), f"filters {pattern!r}, {away}, {absent!r} were read")
    for at, word in enumerate(listed.words):
        fits[at] &= plain_fit(word, allowed or [], lower[:-1], lower[-1])
    there = [at for at, fit in enumerate(fits) if fit]
    agree(SCANS[letters].fitting(filters, [clue]).tolist(), there, f"{text!r} and {pattern!r}")
    return True


def _guess(random: Random) -> str:
    """Return a guess with the marks that some answer gives, or pieces of such."""
    if often(random, 0.3):
        return mutated(random, PIECES)
    guess, marks = random.choice(WORDS), plain_marks(random.choice(WORDS), random.choice(WORDS))
    if often(random, 0.3):
        marks = "".join(random.choice(SQUARES[".YG".index(mark)]) for mark in marks)
    elif often(random, 0.5):
        pairs = list(zip(guess, marks, strict=True))
        marks = "".join(letter if mark == "G" else "." for letter, mark in pairs)
        marks += "+" + "".join(letter for letter, mark in pairs if mark == "Y")
    text = f"{guess}={marks}"
    text = random.choice([str.upper, str.lower, str.title])(text) if often(random, 0.3) else text
    at = random.randint(0, len(text))
    return text if often(random, 0.6) else text[:at] + random.choice(PIECES) + text[at:]


def try_asking(random: Random) -> bool:
    """Run `wordpack hints` or `wordpack play` with any options."""
    hints = often(random, 0.7)
    options = BOTH | (HINTS if hints else PLAY)
    arguments = ["hints" if hints else "play"]
    if often(random, 0.7) or not hints:
        # whole games of long lists take minutes
        arguments += random.choice([["--words", "five"], ["--list", "toy"]])
    for name in random.choices(list(options), k=random.randint(0, 4)):
        values = [*options[name], _guess(random)] if name == "--guess" else options[name]
        arguments += [name, random.choice(values)] if values else [name]
    if hints and often(random, 0.6):
        call = [mutated(random, CELLS) if often(random, 0.5) else "....."]
        call += random.choices(
            ["", ".", "-", "a", "e", "s,a,a,s,e", *VALUES], k=random.choice([0, 0, 2, 6])
        )
        arguments += ["--", *call]
    sys.stdin = SimpleNamespace(buffer=io.BytesIO(b"fjord\n"))  # type: ignore[assignment]
    return command(arguments)[0] == 0
