"""Every error is one line that says what is wrong and what to do; no file is overwritten."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tree import TESTS
from wordpack.backend import registry

Command = Callable[..., Any]

MANY = "".join(chr(0x430 + place) for place in range(32)) + "".join(
    chr(0x561 + place) for place in range(33)
)
"""Cyrillic and Armenian: 65 different letters."""

SOLUTION = "abcde\nfghij\nklmno\npqrst\nuvwxy\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with good and bad word lists."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good").write_text(SOLUTION)
    (tmp_path / "latin1").write_bytes("abcde\nf\xf8ghi\n".encode("latin-1"))
    (tmp_path / "binary").write_bytes(b"\x7fELF\0\0\0")
    (tmp_path / "empty").write_text("")
    (tmp_path / "sub").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "kept").write_text("precious")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes | None]:
    return {p.name: p.read_bytes() if p.is_file() else None for p in folder.iterdir()}


def refused(outcome: Any, *fragments: str) -> None:
    """Check for exit status 2 and one line of error with all `fragments`."""
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.startswith("wordpack: ")
    assert outcome.err.count("\n") == 1
    assert outcome.err.endswith("\n")
    for fragment in fragments:
        assert fragment in outcome.err


INPUT = [
    ("--words nope", ["nope", "No such file"]),
    ("--words sub", ["sub", "Is a directory"]),
    ("--words loop", ["loop", "symbolic links"]),
    ("--words binary", ["binary is not text", "NUL", "character 4"]),
    ("--words latin1", ["latin1 is not UTF-8", "byte offset 7", "--encoding latin-1"]),
    ("--words latin1 --encoding ascii", ["not ASCII", "byte offset 7"]),
    ("--words good --encoding utf-99", ["utf-99", "--encoding"]),
    ("--words good --encoding base64", ["base64", "--encoding"]),
    ("--words empty", ["empty is empty", "another file"]),
    ("--answers good --guesses nope", ["nope"]),
    ("--answers good", ["--answers", "--guesses", "both"]),
    ("--guesses good", ["--answers", "--guesses", "both"]),
    ("--list wordl", ["wordl", "did you mean wordle?"]),
    ("--list zzz", ["zzz", "words_alpha", "toy"]),
    ("parkr", ["parkr", "did you mean parker?"]),
    ("5x5@wordel", ["wordel", "did you mean wordle?"]),
    ("5x5@", ["5x5@"]),
    ("toy --backend rarest", ["rarest", "did you mean rarest_letter?"]),
    ("", ["INSTANCE", "--words", "--list", "--answers"]),
    ("toy --words good", ["give one of"]),
    ("toy --list toy", ["give one of"]),
    ("--words good --list toy", ["give one of"]),
    ("--words good --answers good --guesses good", ["give one of"]),
    ("toy --count 5", ["--count", "INSTANCE"]),
    ("toy --length 5", ["--length", "INSTANCE"]),
    ("toy --encoding latin-1", ["--encoding", "INSTANCE"]),
    ("--list toy --encoding latin-1", ["--encoding", "file"]),
    ("toy parker", ["parker"]),
    ("toy --bogus", ["--bogus"]),
    ("toy --format xml", ["xml", "json"]),
    ("toy --count five", ["five", "--count"]),
]


@pytest.mark.parametrize(("options", "fragments"), INPUT)
def test_bad_input(wordpack: Command, folder: Path, options: str, fragments: list[str]) -> None:
    """For files, names and options: one line of error, and the output file is untouched."""
    before = contents(folder)
    refused(wordpack("solve", *options.split(), "--output", "kept"), *fragments)
    assert contents(folder) == before


NUMBERS = [
    (["--words", "good", "--count", "0"], ["count", "0", "at least 1"]),
    (["--words", "good", "--count", "-3"], ["count", "-3", "at least 1"]),
    (["--words", "good", "--length", "0"], ["length", "0", "at least 1"]),
    (["0x5"], ["count", "0", "at least 1"]),
    (["5x0@toy"], ["length", "0", "at least 1"]),
    (["toy", "--letters", "aBcA"], ["'a'", "twice"]),
    (["toy", "--letters", ""], ["no letter", "--letters"]),
    (["toy", "--letters", "ab c"], ["a space", "character 3"]),
    (["toy", "--letters", MANY], ["65", "64"]),
    (["toy", "--max-vowels", "1", "--letters", "bcdfghjk"], ["--max-vowels", "aeiouy"]),
    (["toy", "--max-vowels", "-1"], ["--max-vowels", "-1"]),
    (["toy", "--threads", "0"], ["--threads 0", "1 to"]),
    (["toy", "--threads", "-1"], ["--threads -1", "1 to"]),
    (["toy", "--threads", "4097"], ["--threads 4097", "1 to"]),
    (["toy", "--threads", "1", "--backend", "filtered_lists"], ["filtered_lists", "--threads"]),
]


@pytest.mark.parametrize(("options", "fragments"), NUMBERS)
def test_numbers_out_of_range(
    wordpack: Command, folder: Path, options: list[str], fragments: list[str]
) -> None:
    before = contents(folder)
    refused(wordpack("solve", *options, "--output", "kept"), *fragments)
    assert contents(folder) == before


def test_more_words_than_there_are_is_no_error(wordpack: Command) -> None:
    """There are too few signatures, so there is no packing, for any number of words."""
    status, out, err = wordpack("solve", "1000x5@toy", "--count-only")
    assert (status, out) == (0, "0 packings, 0 solutions\n")
    assert "46" in err


@pytest.mark.parametrize("family", ["1001x5@toy", "1x1001@toy", f"{10**20}x5@toy"])
def test_counts_beyond_all_alphabets_are_refused(wordpack: Command, family: str) -> None:
    """A header of 10^20 columns could not be written, nor a length compared."""
    refused(wordpack("solve", family), "at most 1000")


@pytest.mark.parametrize(
    ("path", "reason"),
    [("no/rows", "No such file"), ("sub", "it is a folder"), ("good/rows", "Not a directory")],
)
@pytest.mark.parametrize("command", ["solve toy --output", "race toy --backend f* --json"])
def test_output_that_cannot_be_written(
    wordpack: Command, folder: Path, path: str, reason: str, command: str
) -> None:
    """A missing folder, a folder, a file used as a folder: reported before anything runs."""
    before = contents(folder)
    refused(wordpack(*command.split(), path), f"cannot write {path}", reason)
    assert contents(folder) == before


root = pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")


@root
def test_unreadable_file(wordpack: Command, folder: Path) -> None:
    (folder / "good").chmod(0o000)
    refused(wordpack("solve", "--words", "good"), "good", "Permission denied")


@root
def test_read_only_output(wordpack: Command, folder: Path) -> None:
    """A read-only file is kept, even in a folder in which it could be replaced."""
    (folder / "kept").chmod(0o444)
    refused(wordpack("solve", "toy", "--output", "kept"), "kept", "read-only")
    assert (folder / "kept").read_text() == "precious"


def test_files_that_the_system_forbids(
    wordpack: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading and writing that the system denies; simulated, since root is never denied."""

    def forbid(*_arguments: object, **_options: object) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbid)
    refused(wordpack("solve", "--words", "good"), "good", "Permission denied")
    monkeypatch.undo()
    monkeypatch.setattr(os, "access", lambda *_: False)
    kept = str(folder / "kept")
    refused(wordpack("solve", "toy", "--output", kept), "kept", "read-only")
    assert (folder / "kept").read_text() == "precious"


@pytest.mark.usefixtures("folder")
def test_a_backend_that_cannot_take_the_shape_says_why(wordpack: Command) -> None:
    two = ("--answers", "good", "--guesses", "good", "--count", "1")
    outcome = wordpack("solve", *two, "--backend", "rarest_letter")
    refused(outcome, "rarest_letter cannot take this problem", "from one list")


def test_no_backend_unasked_says_why_for_each(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """wrong-wordle is too large for all but three: each reason is given, and a way out."""
    able = {"bitset_rows", "opencl", "partitioned_triples"}
    rows = [row for row in registry.of_workload("packing") if row.name not in able]
    monkeypatch.setattr(registry, "ROWS", tuple(rows))
    outcome = wordpack("solve", "wrong-wordle")
    refused(outcome, "--backend NAME", *(f"{row.name}: " for row in rows))
    refused(outcome, "from one list (shape)", "combinations to try (cost)")


def test_a_backend_that_cannot_run_here_says_why(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backend asked for by name is an error; 'auto' takes the next one."""
    monkeypatch.syspath_prepend(TESTS)
    broken = registry.Row("broken", "fakes.unavailable:Fake", "broken", "a fake")
    monkeypatch.setattr(registry, "ROWS", (broken, *registry.ROWS))
    outcome = wordpack("solve", "toy", "--backend", "broken")
    refused(outcome, "broken cannot run here", "pip install 'wordpack[gpu]'")
    assert wordpack("solve", "toy").status == 0
    monkeypatch.setattr(registry, "ROWS", (broken,))
    refused(wordpack("solve", "toy"), "no backend", "broken: ", "pip install 'wordpack[gpu]'")


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        ("frob", ["frob"]),
        ("--bogus", ["--bogus"]),
        ("words", ["LIST"]),
        ("words wordl", ["did you mean wordle?"]),
        ("words toy --length 0", ["--length", "0"]),
        ("race parkr", ["did you mean parker?"]),
        ("race toy --backend zz*", ["zz*", "matches no backend"]),
        ("race toy --backend rarest_leter", ["did you mean rarest_letter?"]),
        ("race toy --backend c* --baseline filtered_lists", ["--backend filtered_lists"]),
        ("race toy --baseline filtered_list", ["did you mean filtered_lists?"]),
        ("race toy --budget 0", ["--budget", "0"]),
        ("race toy --repeat 0", ["--repeat", "0"]),
        ("completion tcsh", ["tcsh", "bash"]),
        ("doctor --format xml", ["xml"]),
    ],
)
def test_bad_arguments_of_the_other_commands(
    wordpack: Command, arguments: str, fragments: list[str]
) -> None:
    refused(wordpack(*arguments.split()), *fragments)


def test_an_explanation_is_whole_or_an_error(wordpack: Command) -> None:
    """If no backend accepts the problem, only the reason is printed, not the rules."""
    refused(wordpack("solve", "toy", "--explain", "--backend", "subset_sums"), "--count-only")
