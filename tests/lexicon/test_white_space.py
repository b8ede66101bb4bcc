"""White space around words is trimmed; words lost to the alphabet are counted and reported."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.reading import read_file

Command = Callable[..., Any]

WORDS = ["fjord", "gucks", "nymph", "vibex", "waltz"]

AROUND = [
    *(
        " ",
        "\t",
        "\x0b",
        "\f",
        "\x1c",
        "\x1f",
        "\x85",
        "\u00a0",
        "\u1680",
        "\u2003",
        "\u2028",
    ),
    *("\u2029", "\u202f", "\u205f", "\u3000", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f"),
    *("\u2060", "\ufeff", " \t\u00a0\u200b "),
]


@pytest.mark.parametrize("blank", AROUND, ids=ascii)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=ascii)
def test_white_space_around_a_word_is_trimmed(blank: str, end: str, tmp_path: Path) -> None:
    """Spaces before and after the first, a middle and the last word are trimmed by both readers."""
    for lines in (
        [blank + WORDS[0], *WORDS[1:]],
        [WORDS[0] + blank, *WORDS[1:]],
        [*WORDS[:2], blank + WORDS[2] + blank, *WORDS[3:]],
        [*WORDS[:4], blank + WORDS[4]],
        [*WORDS[:4], WORDS[4] + blank],
        [*WORDS, WORDS[2] + blank],
    ):
        for last in ("", end):
            text = end.join(lines) + last
            (tmp_path / "words").write_text(text, encoding="utf-8", newline="")
            for length in (None, 5):
                read = read_file(str(tmp_path / "words"), Alphabet(), length=length).select(5)
                assert list(read) == WORDS
                assert read.lines == len(lines)
                # at the start of the file it would be its byte order mark
                assert read.trimmed == 1 - (blank == "\ufeff" and text.startswith(blank))
                assert read.dropped.duplicate == len(lines) - 5


def test_white_space_inside_a_line_is_foreign(tmp_path: Path) -> None:
    """White space of every kind is foreign, and the line is shown unchanged."""
    for blank in AROUND:
        (tmp_path / "words").write_text(f"fj{blank}ord\ngucks\n", encoding="utf-8", newline="")
        for length in (None, 5):
            read = read_file(str(tmp_path / "words"), Alphabet(), length=length).select(5)
            assert (list(read), read.trimmed, read.dropped.alphabet) == (["gucks"], 0, 1)


def test_lines_of_white_space_are_blank_and_not_counted_as_trimmed(tmp_path: Path) -> None:
    """Every kind of white space makes a blank line."""
    (tmp_path / "words").write_text("fjord\n \u200b\n\n\u3000\ngucks\n", encoding="utf-8")
    read = read_file(str(tmp_path / "words"), Alphabet(), length=5)
    assert (list(read), read.trimmed, read.dropped.blank) == (["fjord", "gucks"], 0, 3)
    assert read.examples["blank"] == " \u200b"


@pytest.mark.parametrize("last", ["", "\r", "\n"])
def test_lines_may_end_with_cr_alone(tmp_path: Path, last: str) -> None:
    """CR ends lines if no LF comes before the end of the file; otherwise it is foreign."""
    (tmp_path / "words").write_bytes(("\r".join(["", *WORDS]) + last).encode())
    for length in (None, 5):
        read = read_file(str(tmp_path / "words"), Alphabet(), length=length)
        assert (list(read), read.lines, read.dropped.blank) == (WORDS, 6, 1)
    (tmp_path / "words").write_bytes(b"\rfjord\ngucks\r\r\nnymph\r\n")
    for length in (None, 5):
        read = read_file(str(tmp_path / "words"), Alphabet(), length=length)
        assert (list(read), read.trimmed) == (WORDS[:3], 2)
    (tmp_path / "words").write_bytes(b"fjord\rgucks\nnymph\n")
    read = read_file(str(tmp_path / "words"), Alphabet(), length=5)
    assert (list(read), read.dropped.alphabet) == (["nymph"], 1)


def test_explain_counts_what_was_trimmed(wordpack: Command, tmp_path: Path) -> None:
    """`solve` finds the trimmed words."""
    lines = ["fjord ", "\tgucks", "nymph\u00a0", "vibex\u200b", "waltz", "ice cream", " "]
    (tmp_path / "words").write_text("\n".join(lines), encoding="utf-8")
    asked = ("solve", "--words", tmp_path / "words")
    assert wordpack(*asked).out == "fjord gucks nymph vibex waltz\n"
    said = " ".join(wordpack(*asked, "--explain").out.split())
    assert "7 lines, pick 5 4 trimmed 1 dropped: blank" in said


SPANISH = "niñez\nseñal\nñandú\nfjord\nñu\n"


@pytest.mark.parametrize("more", [(), ("--explain",)])
def test_an_alphabet_that_loses_most_words_is_told(
    wordpack: Command, tmp_path: Path, more: tuple[str, ...]
) -> None:
    """The line has the number of lines lost of that length, and the first of them."""
    (tmp_path / "words").write_text(SPANISH, encoding="utf-8")
    done = wordpack("solve", "--words", tmp_path / "words", "--count", "2", *more)
    assert done.status == 0
    line = "3 of the 4 different lines of 5 letters in {} have a character outside"
    assert line.format(tmp_path / "words") in (done.out if more else done.err)
    assert "'niñez'" in (done.out if more else done.err)


def test_nothing_is_said_of_the_alphabet_otherwise(wordpack: Command, tmp_path: Path) -> None:
    """There is no such line if half of the lines are words, or if a packing was found."""
    (tmp_path / "words").write_text("señal\nfjord\nñu\nñoño\n", encoding="utf-8")
    asked = ("solve", "--words", tmp_path / "words", "--count")
    assert "outside the alphabet" not in wordpack(*asked, "2").err
    (tmp_path / "words").write_text(SPANISH, encoding="utf-8")
    assert "outside the alphabet" not in wordpack(*asked, "1").err


def test_a_list_without_a_word_of_the_alphabet_is_told(wordpack: Command, tmp_path: Path) -> None:
    """Both `solve` and `hints` report it in one line."""
    (tmp_path / "words").write_text("niñez\nseñal\n", encoding="utf-8")
    for command in (("solve",), ("hints", ".....")):
        done = wordpack(*command, "--words", tmp_path / "words")
        assert done.status == 2
        assert "all different lines of 5 letters" in done.err
        assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "command",
    [
        ("play", "--answer", "essay \u200b"),
        ("play", "--answer", "essay", "--start", "\u00a0saint"),
        ("hints", " .r.n.\u2003", "--absent", "slatcoe"),
    ],
)
def test_pasted_words_and_patterns_are_trimmed(wordpack: Command, command: tuple[str, ...]) -> None:
    """White space around a word on the command line changes nothing."""
    plain = [each.strip("\u200b\u00a0 ") for each in command]
    expected = wordpack(*plain)
    assert expected.status == 0
    assert wordpack(*command).out == expected.out
    assert wordpack(*command).status == expected.status
