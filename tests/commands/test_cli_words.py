"""`wordpack solve` on the user's own words: dropped lines are counted, reported, explained."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

UNTIDY = (
    "\ufeffAbcde|FGHIJ||   |abcde|fghij|ABCDE|klm-o|benz's|abcd|abcdef|aabcd|aeiou"
    "|klmno|pqrst|uvwxy"
)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("way", ["file", "stdin"])
def test_dropped_lines_are_counted_exactly(
    wordpack: Command, tmp_path: Path, end: str, way: str
) -> None:
    """From a file or standard input, with LF or CRLF: each kind is counted, five words are left."""
    raw = UNTIDY.replace("|", end).encode()
    options = ("--max-vowels", "2", "--format", "json")
    if way == "file":
        (tmp_path / "words").write_bytes(raw)
        found = json.loads(wordpack("solve", "--words", str(tmp_path / "words"), *options).out)
    else:
        command = [sys.executable, "-m", "wordpack", "solve", "--words", "-", *options]
        done = subprocess.run(command, input=raw, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        found = json.loads(done.stdout)
    assert found["dropped"] == {
        "blank": 2, "duplicate": 3, "alphabet": 2, "length": 2, "repeated_letter": 1, "vowels": 1,
        "not_shared": 0,
    }  # fmt: skip
    assert found["results"] == [["abcde", "fghij", "klmno", "pqrst", "uvwxy"]]
    assert found["verified"] == "valid"


def test_explain_tells_the_rules_and_what_they_drop(wordpack: Command, tmp_path: Path) -> None:
    """It prints the counts and the first line of each kind, and does not search."""
    (tmp_path / "words").write_text(UNTIDY.replace("|", "\n"), encoding="utf-8")
    outcome = wordpack("solve", "--words", str(tmp_path / "words"), "--explain")
    assert (outcome.status, outcome.err) == (0, "")
    said = " ".join(outcome.out.split())
    for line in (
        "LF or CRLF", "benz's is not benzs", "16 lines, pick 5", "2 dropped: blank",
        "3 dropped: duplicate", "2 dropped: alphabet the first: 'klm-o'",
        "1 dropped: repeated_letter the first: 'aabcd'", "6 words kept, with 6 signatures",
    ):  # fmt: skip
        assert line in said


def test_the_summary_tells_what_was_dropped(wordpack: Command, tmp_path: Path) -> None:
    """It has each kind that occurs, and the number of lines."""
    (tmp_path / "words").write_text(UNTIDY.replace("|", "\n"), encoding="utf-8")
    err = wordpack("solve", "--words", str(tmp_path / "words")).err
    kinds = "2 blank, 3 duplicate, 2 alphabet, 2 length, 1 repeated letter"
    assert f"10 of 16 lines were dropped: {kinds}\n" in err


def test_an_encoding_is_honoured(wordpack: Command, tmp_path: Path) -> None:
    """Latin-1 and UTF-16 give the same words as UTF-8."""
    options = ("--letters", "abcdefghijklmnopqrstuvwxyzæøå", "--count", "2", "--length", "3")
    for encoding in ("utf-8", "latin-1", "utf-16"):
        (tmp_path / "ord").write_bytes("løb\ndæk\n".encode(encoding))
        words = ("--words", str(tmp_path / "ord"), "--encoding", encoding)
        assert wordpack("solve", *words, *options).out == "dæk løb\n"
