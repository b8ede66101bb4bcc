"""`wordpack hints`: the published calls, exact feedback, other lists, and its errors."""

import json
from pathlib import Path

import pytest
from conftest import Command

from published_hints import COMPUTED, TABLE
from wordpack.games.hints import PUBLISHED

DRINK = ["briny", "brink", "grind", "bring", "drink", "drunk", "wring", "wrung"]


SPELT = {
    "cells": lambda pattern, misplaced, absent: [pattern, *misplaced, absent],
    "commas": lambda pattern, misplaced, absent: [pattern, ",".join(misplaced), absent],
    "options": lambda pattern, misplaced, absent: [
        *([pattern, "--absent", absent] if absent else [pattern]),
        *(f"--present={place}:{cell}" for place, cell in enumerate(misplaced, 1) if cell),
    ],
}
"""One call in three ways: as published, with commas for the shell, and by options."""


@pytest.mark.parametrize("row", TABLE)
@pytest.mark.parametrize("table", ["computed", "published"])
@pytest.mark.parametrize("way", SPELT)
def test_the_published_calls(
    wordpack: Command, row: tuple[str, list[str], str, int, str, str], table: str, way: str
) -> None:
    """Each call in three spellings, with either table: the same words in the same order."""
    *call, n, first, last = row
    status, out, err = wordpack("hints", *SPELT[way](*call), "--table", table)
    found = out.split()
    assert status == 0
    assert len(found) == n
    assert found[: len(first.split())] == first.split()
    assert found[-len(last.split()) :] == last.split()
    assert err == f"{n:,} of the 2,315 words of wordle-answers\n"


def test_scores_and_json(wordpack: Command) -> None:
    """The same words with their scores, one per line or as two lists."""
    status, out, _ = wordpack("hints", ".r.n.", "--absent", "slatcoe", "--scores")
    pairs = [line.split() for line in out.splitlines()]
    assert [word for word, _ in pairs] == DRINK
    document = json.loads(wordpack("hints", ".r.n.", "--absent", "slatcoe", "--format", "json").out)
    assert document == {"candidates": DRINK, "scores": [int(score) for _, score in pairs]}
    # b, r, i, n, y in the computed strings, and five different letters
    assert (status, pairs[0]) == (0, ["briny", str(24 + 24 + 25 + 25 + 25 + 100)])


def test_letter_strings(wordpack: Command) -> None:
    assert wordpack("hints", "--frequencies").out.split() == list(COMPUTED)
    assert wordpack("hints", "--frequencies", "--table", "published").out.split() == list(PUBLISHED)
    document = json.loads(wordpack("hints", "--frequencies", "--format", "json").out)
    assert document == {"strings": list(COMPUTED)}


def test_exact_feedback(wordpack: Command) -> None:
    """With robot as the answer, the first t of tacit is absent though the word has a t.

    The published filter of absent letters alone would drop it.
    """
    robot = wordpack("hints", "--guess", "tacit=....G", "--guess", "boost=YGY.G").out.split()
    assert robot == ["robot"]
    squares = "tacit=\u2b1b\u2b1b\u2b1b\u2b1b\U0001f7e9"
    spelt = wordpack("hints", "--guess", squares, "--guess", "BOOST=.o..t+bo").out.split()
    assert spelt == ["robot"]


def test_feedback_joins_the_filters(wordpack: Command) -> None:
    found = wordpack("hints", "..b..", "--guess", "tacit=....G", "--absent", "e").out.split()
    assert found
    assert all(word[2] == "b" and word[-1] == "t" and "e" not in word for word in found)


def test_impossible_feedback_is_no_error(wordpack: Command) -> None:
    """An e absent before an e misplaced: no candidate, a sentence that says why, empty JSON."""
    status, out, err = wordpack("hints", "--guess", "eerie=..Y..", "--guess", "geese=..Y.Y")
    assert (status, out) == (0, "")
    assert err.startswith("no word can fit: --guess geese=..Y.Y contradicts itself: ")
    status, out, err = wordpack("hints", "--guess", "eerie=.Y...", "--format", "json")
    assert (status, json.loads(out)) == (0, {"candidates": [], "scores": []})
    assert err.count("\n") == 1


def test_other_lists_lengths_and_alphabets(wordpack: Command, tmp_path: Path) -> None:
    """A named list, a file, words as long as the pattern or guess, letters beyond Latin."""
    assert "aahed" in wordpack("hints", "a.h..", "--list", "wordle").out.split()
    file = tmp_path / "ord.txt"
    file.write_text("brød\nblåe\nøre\nblød\nfem\n", encoding="utf-8")
    letters = ("--words", file, "--letters", "abcdefghijklmnopqrstuvwxyzæøå")
    assert wordpack("hints", "..ø.", *letters).out.split() == ["blød", "brød"]
    assert wordpack("hints", "--guess", "BLÅE=Gg..", *letters).out.split() == ["blød"]
    assert wordpack("hints", "--guess", "erø=YGY", *letters).out.split() == ["øre"]


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (["ab"], ["wordle-answers has no word of 2 letters", "--letters"]),
        ([".....", "slat"], ["cell of misplaced letters", "both, or neither"]),
        ([".....", "s", "a", "slat"], ["2 cells of misplaced letters for 5 positions"]),
        (["....."] + ["s"] * 6 + ["slat"], ["6 cells of misplaced letters"]),
        (["..[n.."], ["bracket"]),
        (["...1."], ["'1' among the pattern letters"]),
        (["--present", "n"], ["POSITION:LETTERS", "2:n"]),
        (["--present", "6:n"], ["positions are 1 to 5"]),
        (["--present", "0:n"], ["positions are 1 to 5"]),
        (["--present", "9" * 5000 + ":n"], ["POSITION:LETTERS"]),
        (["--absent", "sl4t"], ["'4' among the absent letters"]),
        (["--guess", "tacit"], ["WORD=MARKS", "arise=.r.se+a"]),
        (["--guess", "tacit=Y..."], ["4 marks for a word of 5 letters"]),
        (["....", "--guess", "tacit=Y...."], ["different lengths: 4, 5 letters"]),
        (["--list", "wordl"], ["wordl", "did you mean wordle?"]),
        (["--list", "wordle", "--words", "x"], ["--list NAME and --words FILE"]),
        (["--words", "nope"], ["nope", "No such file"]),
        (["--encoding", "latin-1"], ["--encoding goes with --words"]),
        (["......", "--list", "words_alpha", "--table", "published"], ["--table computed"]),
        (["--table", "other"], ["other", "published"]),
        (["." * 65, "--words", __file__], ["65 letters", "at most 64"]),
        (["--letters", "abb"], ["twice"]),
    ],
)
def test_errors_are_one_line(wordpack: Command, arguments: list[str], fragments: list[str]) -> None:
    status, out, err = wordpack("hints", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("wordpack: ")
    assert err.count("\n") == 1
    for fragment in fragments:
        assert fragment in err
