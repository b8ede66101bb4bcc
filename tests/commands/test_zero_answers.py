"""0 is a valid answer; only a list without a readable word is refused."""

import csv
import io
import json
from pathlib import Path

import pytest
from conftest import Command

ZERO = [
    # words_alpha has no word of 16 different letters, and none of 99
    ("1x16",),
    ("1x99",),
    ("2x16@wordle",),
    ("2x5@toy", "--max-vowels", "0"),
    ("2x5@toy", "--letters", "abc"),
    ("1x5@toy", "--letters", "bcdfgh"),
    # vibex and fjord have one vowel each at least
    ("1x5@toy", "--intersect", "wordle-answers", "--max-vowels", "0"),
    ("--list", "toy", "--length", "6", "--count", "1"),
    ("--words", "words", "--length", "6", "--count", "1"),
    ("--words", "words", "--length", "5", "--count", "1", "--max-vowels", "0"),
    ("--words", "words", "--count", "1", "--intersect", "other"),
    ("--words", "twins", "--count", "1"),
    ("--answers", "words", "--guesses", "other", "--count", "1"),
]


@pytest.fixture(autouse=True)
def _lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to a folder with lists that can be read, and some that cannot."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words").write_text("abcde\nfghij\n")
    (tmp_path / "twins").write_text("aabbc\n\nabc\n")
    (tmp_path / "other").write_text("zzz\n\xe5\xe4\n", encoding="utf-8")
    (tmp_path / "empty").write_text("")
    (tmp_path / "blank").write_text("\n  \n\n")
    (tmp_path / "greek").write_text("ωψξδθ\nωψξδθ\n\nλπφ\n", encoding="utf-8")


@pytest.mark.parametrize("question", ZERO, ids=" ".join)
@pytest.mark.parametrize("numbers", [(), ("--count-only",)], ids=["words", "numbers"])
def test_zero_is_an_answer(
    wordpack: Command, question: tuple[str, ...], numbers: tuple[str, ...]
) -> None:
    """There is no row, the exit status is 0, and the summary says so."""
    outcome = wordpack("solve", *question, *numbers)
    assert outcome.status == 0, outcome.err
    assert outcome.out == ("0 packings, 0 solutions\n" if numbers else "")
    assert outcome.err.startswith("0 packings, 0 solutions (")
    assert "not verified" not in outcome.err


def test_solve_and_sweep_say_the_same(wordpack: Command) -> None:
    """For named lists and a file: 0 packings, verified, no error."""
    for source in (["--list", "words_alpha"], ["--words", "words"]):
        solved = wordpack("solve", *source, "--count", "1", "--length", "16", "--format", "json")
        swept = wordpack("sweep", "1x16", *source)
        (row,) = csv.DictReader(io.StringIO(swept.out))
        known = json.loads(solved.out)
        assert (known["packings"], known["solutions"], known["results"]) == (0, 0, [])
        assert (row["packings"], row["solutions"], row["words"]) == ("0", "0", "0")
        assert known["verified"]
        assert row["verified"]


UNREADABLE = [
    ("empty", "empty is empty"),
    ("blank", "blank has only blank lines"),
    ("greek", "no line of greek is a word of the letters abc"),
]


@pytest.mark.parametrize(("name", "said"), UNREADABLE)
@pytest.mark.parametrize(
    "question",
    [
        "solve --words {}",
        "solve --words {} --count 2 --length 20",
        "solve --words words --count 1 --intersect {}",
        "solve --answers words --guesses {} --count 1",
        "solve --words {} --explain",
        "sweep 5x5 --words {}",
        "sweep 2x20 1x5 --words {}",
    ],
)
def test_a_file_without_a_readable_word_is_refused(
    wordpack: Command, question: str, name: str, said: str
) -> None:
    """Every command refuses it with one line that says what is in the file."""
    outcome = wordpack(*question.format(name).split())
    assert (outcome.status, outcome.out) == (2, "")
    assert said in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_sweep_goes_over_alphabets_that_read_nothing(wordpack: Command) -> None:
    """One alphabet that can read a word is enough; the others count 0."""
    outcome = wordpack(
        "sweep", "1x5", "--words", "words", *("--letters", "abcde", "--letters", "xyz")
    )
    rows = list(csv.DictReader(io.StringIO(outcome.out)))
    assert [(row["letters"], row["packings"]) for row in rows] == [("abcde", "1"), ("xyz", "0")]
    assert wordpack("sweep", "1x5", "--words", "words", "--letters", "xyz").status == 2


def test_a_race_of_nothing_is_won(wordpack: Command) -> None:
    """A problem without packings, or without words, can be raced."""
    outcome = wordpack("race", "1x16", "--backend", "filtered_lists", "--repeat", "1")
    assert outcome.status == 0, outcome.err


def test_a_cluster_answers_0_too(wordpack: Command) -> None:
    """Workers have nothing to search; counts are verified as strongly as in one process."""
    outcome = wordpack("solve", "1x16", "--cluster", "local:1", "--format", "json")
    found = json.loads(outcome.out)
    assert (outcome.status, found["packings"], found["results"]) == (0, 0, [])
    assert found["verified"]


def test_why_there_is_no_packing_is_said_in_json_too(wordpack: Command, tmp_path: Path) -> None:
    """It is on standard error, like the summary of the other formats."""
    (tmp_path / "words").write_text("größe\nsüßes\nabcde\n", encoding="utf-8")
    asked = ("solve", "--words", tmp_path / "words", "--count", "2", "--format", "json")
    outcome = wordpack(*asked)
    assert json.loads(outcome.out)["packings"] == 0
    assert "2 of the 3 different lines of 5 letters" in outcome.err


def test_too_few_words_are_no_proof_by_counting_letters(wordpack: Command, tmp_path: Path) -> None:
    """If other rules dropped the words, counting letters proves nothing."""
    (tmp_path / "one").write_text("fjord\n")
    (tmp_path / "other").write_text("abc\n")
    asked = (
        "solve",
        "--words",
        tmp_path / "one",
        "--count",
        "1",
        "--intersect",
        tmp_path / "other",
    )
    assert "0 packings" in (said := wordpack(*asked).err)
    assert "too few words are left" in said
    assert "counting letters" not in said
