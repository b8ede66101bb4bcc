"""Words in other alphabets and cases, from files to answers, against handwritten sets."""

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

TURKISH = "abc\u00e7defg\u011fh\u0131ijklmno\u00f6prs\u015ftu\u00fcvyz"
TURKISH_CAPITALS = "ABC\u00c7DEFG\u011eHI\u0130JKLMNO\u00d6PRS\u015eTU\u00dcVYZ"
TURKISH_WORDS = (
    "\u0131slak yılan biçem güneş köpru dılek çivit kızıl tırnk şeftö hıçkr bidon ruhsı cimgö"
)

GREEK = "αβγδεζηθικλμνξοπρστυφχψω"
GREEK_WORDS = "ΣΑΚΟΙ ΤΥΠΟΣ ΛΥΚΟΣ ΜΕΡΗΣ ΘΕΡΜΗ ΓΝΩΜΗ ΒΑΘΥΣ ΦΙΛΟΣ ΔΡΥΜΕ ΖΩΝΗΣ ΧΑΛΚΕ ΞΕΝΟΙ ΛΟΓΟΣ"
"""In capitals, since each Greek letter has exactly one."""


def counted(words: list[str], count: int) -> str:
    """Return the counts of `solve --count-only`, by trying all choices of words without repeats."""
    different = [word for word in words if len(set(word)) == len(word) == 5]
    choices = [
        choice
        for choice in combinations(different, count)
        if len(set("".join(choice))) == 5 * count
    ]
    packings = {frozenset(map(frozenset, choice)) for choice in choices}
    assert packings
    return f"{len(packings)} packings, {len(choices)} solutions\n"


def test_turkish_capitals_are_read_as_turkish(wordpack: Command, tmp_path: Path) -> None:
    """Capitals and small letters count the same, in lists and in alphabets."""
    words = TURKISH_WORDS.split()
    capitals = str.maketrans(TURKISH, TURKISH_CAPITALS)
    for count in (1, 2, 3):
        due = counted(words, count)
        for lines in (words, [word.translate(capitals) for word in words]):
            (tmp_path / "words").write_text("\n".join(lines), encoding="utf-8")
            for letters in (TURKISH, TURKISH_CAPITALS):
                options = ("--letters", letters, "--count", count, "--count-only")
                assert wordpack("solve", "--words", tmp_path / "words", *options).out == due


def test_turkish_words_are_printed_in_small_letters(wordpack: Command, tmp_path: Path) -> None:
    """A capital I is the dotless letter; --explain says so."""
    (tmp_path / "words").write_text("ISLAK\n", encoding="utf-8")
    asked = ("solve", "--words", tmp_path / "words", "--letters", "a\u0131iklsz", "--count", "1")
    assert wordpack(*asked).out == "\u0131slak\n"
    assert "\u0131 = I, i = \u0130\n" in wordpack(*asked, "--explain").out
    assert wordpack(*asked[:-3], "aiklsz", "--count", "1").out == "islak\n"


def test_every_sigma_is_one_letter(wordpack: Command, tmp_path: Path) -> None:
    """With capitals, final sigmas or no final sigmas, in the list and in the alphabet."""
    capitals = GREEK_WORDS.split()
    small = [
        "".join(GREEK["ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ".index(each)] for each in word) for word in capitals
    ]
    final = [word[:-1] + word[-1].replace("\u03c3", "\u03c2") for word in small]
    for count in (1, 2, 3):
        due = counted(capitals, count)
        for lines in (capitals, small, final, capitals + final):
            (tmp_path / "words").write_text("\n".join(lines), encoding="utf-8")
            for letters in (GREEK, GREEK.upper(), GREEK.replace("\u03c3", "\u03c2")):
                options = ("--letters", letters, "--count", count, "--count-only")
                assert wordpack("solve", "--words", tmp_path / "words", *options).out == due


@pytest.mark.parametrize("letters", ["ΣΑΙΚΟ", "ΑΙΚΟΣ", "αικο\u03c2"])
def test_one_sigma_at_the_end_of_an_alphabet(
    wordpack: Command, tmp_path: Path, letters: str
) -> None:
    """No letter depends on its neighbours."""
    (tmp_path / "words").write_text("ΣΑΚΟΙ\n", encoding="utf-8")
    asked = ("solve", "--words", tmp_path / "words", "--letters", letters, "--count", "1")
    assert wordpack(*asked).out == "\u03c3ακοι\n"
    assert "\u03c3 = \u03c2 = Σ" in wordpack(*asked, "--explain").out


def test_hints_know_every_form_of_a_letter(wordpack: Command, tmp_path: Path) -> None:
    """In guesses, patterns, letters in place and misplaced letters; marks are not letters."""
    (tmp_path / "words").write_text("λόγο\u03c2\nλόγια\nλυγμό\u03c2\n", encoding="utf-8")
    asked = ("hints", "--words", tmp_path / "words", "--letters", "αβγδεζηθικλμνξόοπρστυφχψω")
    due = "λόγο\u03c3\n"
    for more in (
        ("--guess", "ΛΌΓΟΣ=GGGGG"),
        ("--guess", "ΛΌΓΙΣ=ggg.g"),
        ("--guess", "λόγι\u03c2=ΛΌΓ.Σ"),
        ("--guess", "\u03c2όγορ=.όγο.+Σ"),
        ("ΛΌΓΟΣ",),
        ("λόγ[ΟΣ].", "--present", "1:Σ", "--absent", "ΑΡ"),
    ):
        assert wordpack(*asked, *more).out == due, more
    assert wordpack(*asked, "--guess", "ΛΌΓΟΣ=GGG..").out == "λόγια\n"


def test_games_know_every_form_of_a_letter(wordpack: Command, tmp_path: Path) -> None:
    """A start word and an answer may be in capitals."""
    (tmp_path / "words").write_text("ISLAK\nKAZ\u0130L\n", encoding="utf-8")
    asked = ("play", "--words", tmp_path / "words", "--letters", "a\u0131iklsz", "--format", "json")
    game = json.loads(wordpack(*asked, "--start", "KAZ\u0130L", "--answer", "ISLAK").out)
    assert game == {
        "answer": "\u0131slak", "guesses": ["kazil", "\u0131slak"], "marks": ["YY..Y", "GGGGG"],
    }  # fmt: skip


def test_sweeps_know_every_form_of_a_letter(wordpack: Command, tmp_path: Path) -> None:
    """Two cases of an alphabet are the same; a Turkic one stays Turkic without any letter."""
    (tmp_path / "words").write_text("ISLAK\nKAZ\u0130L\nkazil\n", encoding="utf-8")
    asked = ("sweep", "1x5", "--words", tmp_path / "words", "--format", "json")
    letters = ("--letters", "a\u0131iklsz", "--letters", "AI\u0130KLSZ", "--without-each")
    rows = json.loads(wordpack(*asked, *letters).out)["rows"]
    assert {row["letters"]: (row["packings"], row["solutions"]) for row in rows} == {
        "a\u0131iklsz": (2, 2), "\u0131iklsz": (0, 0), "a\u0130klsz": (1, 1), "a\u0131klsz": (1, 1),
        "a\u0131ilsz": (0, 0), "a\u0131iksz": (0, 0), "a\u0131iklz": (1, 1), "a\u0131ikls": (1, 1),
    }  # fmt: skip
    assert len(rows) == 8


def test_a_pair_of_jamo_is_two_letters(wordpack: Command, tmp_path: Path) -> None:
    """Syllables are compared as jamo: gana and dara share a vowel."""
    (tmp_path / "words").write_text("가나\n다라\n더러\n각\n", encoding="utf-8")
    letters = "\u1100\u1161\u1102\u1103\u1105\u1165"
    asked = ("solve", "--words", tmp_path / "words", "--letters", letters, "--length", "4")
    done = wordpack(*asked, "--count", "2", "--repeats", "--count-only")
    assert done.out == "1 packings, 1 solutions\n"
    assert "conjoining jamo" in wordpack(*asked, "--count", "1", "--repeats", "--explain").out


def test_an_alphabet_is_named_so_that_it_can_be_pasted_back(
    wordpack: Command, tmp_path: Path
) -> None:
    """A Turkic alphabet's name keeps the mark that makes it Turkic."""
    (tmp_path / "words").write_text("xxxxx\n")
    alphabet = "\u0130zmr"
    said = wordpack("solve", "--words", tmp_path / "words", "--letters", alphabet, "--count", "1")
    assert said.status == 2
    assert f"letters {alphabet} " in said.err
