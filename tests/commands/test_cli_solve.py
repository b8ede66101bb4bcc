"""`wordpack solve`: rows, order, formats, options; the expected rows come from brute force here."""

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from wordpack import schemas

Command = Callable[..., Any]
Row = tuple[str, ...]

SCHEMA = json.loads((Path(schemas.__file__).parent / "solve.json").read_text())
LATIN = "abcdefghijklmnopqrstuvwxyz"
DANISH = LATIN + "æøå"
DANISH_WORDS = [
    *("åbn", "ært", "øst", "dæk", "ømt", "gås", "løb", "bål"),
    *("kør", "får", "sæl", "tøj", "råb", "læs", "hyl", "hø"),
]


def disjoint(words: Iterable[str]) -> bool:
    letters = [letter for word in words for letter in set(word)]
    return len(letters) == len(set(letters))


def brute_force(words: Iterable[str], count: int, alphabet: str = LATIN) -> list[Row]:
    """Return every choice of `count` words that share no letter, in the promised order."""

    def key(word: str) -> list[int]:
        return [alphabet.index(letter) for letter in word]

    rows = [row for row in combinations(sorted(words, key=key), count) if disjoint(row)]
    return sorted(rows, key=lambda row: [key(word) for word in row])


@pytest.fixture(scope="module")
def toy() -> list[Row]:
    """Solve toy by itertools over the words that `wordpack words` prints."""
    command = [sys.executable, "-m", "wordpack", "words", "toy"]
    words = subprocess.run(command, capture_output=True, check=True).stdout.decode().split()
    assert len(words) == 50
    return brute_force(words, 5)


@pytest.fixture
def two_lists(tmp_path: Path) -> tuple[str, str]:
    """Write a file of answers and one of guesses; some words repeat letters."""
    (tmp_path / "answers").write_text("aba\ncod\neel\ndad\nhip\n")
    (tmp_path / "guesses").write_text("cod\ndoc\neve\nfig\ngig\nhub\naaa\ntot\nrip\nabba\n")
    return str(tmp_path / "answers"), str(tmp_path / "guesses")


def as_json(outcome: Any) -> dict[str, Any]:
    """Return a command's JSON, checked against the published schema."""
    assert outcome.status == 0, outcome.err
    found: dict[str, Any] = json.loads(outcome.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


def test_text_is_the_brute_force_rows_in_order(wordpack: Command, toy: list[Row]) -> None:
    """Rows, and words in each row, are sorted; only standard error has the summary."""
    status, out, err = wordpack("solve", "toy")
    assert status == 0
    assert out == "".join(" ".join(row) + "\n" for row in toy)
    assert "5 packings, 10 solutions" in err
    assert "bitset_rows" in err


def test_csv_has_a_header_and_the_same_rows(wordpack: Command, toy: list[Row]) -> None:
    out = wordpack("solve", "toy", "--format", "csv").out
    header, *rows = csv.reader(io.StringIO(out))
    assert header == ["word1", "word2", "word3", "word4", "word5"]
    assert [tuple(row) for row in rows] == toy


def test_json_has_the_same_rows_and_says_nothing_else(wordpack: Command, toy: list[Row]) -> None:
    outcome = wordpack("solve", "toy", "--format", "json")
    found = as_json(outcome)
    assert [tuple(row) for row in found["results"]] == toy
    assert (found["packings"], found["solutions"], found["verified"]) == (5, len(toy), "expected")
    assert (found["instance"], found["backend"]) == ("toy", "bitset_rows")
    assert set(found["dropped"].values()) == {0}
    assert outcome.err == ""


@pytest.mark.parametrize("form", ["text", "csv", "json"])
def test_packings_join_anagrams(wordpack: Command, toy: list[Row], form: str) -> None:
    """One row per packing: each signature is its words, sorted and joined by a slash."""
    by_letters: dict[tuple[str, ...], list[Row]] = {}
    for row in toy:
        by_letters.setdefault(tuple(sorted("".join(sorted(word)) for word in row)), []).append(row)
    due = []
    for rows in by_letters.values():
        words = sorted({word for row in rows for word in row})
        groups = [[w for w in words if sorted(w) == sorted(first)] for first in rows[0]]
        due.append(tuple(sorted("/".join(group) for group in groups)))
    out = wordpack("solve", "toy", "--packings", "--format", form).out
    assert any("/" in cell for row in due for cell in row)
    if form == "text":
        rows = [tuple(line.split(" ")) for line in out.splitlines()]
    elif form == "csv":
        rows = [tuple(row) for row in csv.reader(io.StringIO(out))][1:]
    else:
        rows = [tuple(row) for row in json.loads(out)["results"]]
    assert rows == sorted(due)


@pytest.mark.parametrize(
    "options",
    [
        "toy", "toy --packings", "toy --count-only", "toy --work", "toy --work --count-only",
        "toy --keep-anagrams", "toy --keep-anagrams --packings", "toy --max-vowels 1",
        "toy --repeats", "toy --no-repeats", "toy --threads 1", "toy --backend filtered_lists",
        "toy --backend filtered_arrays --work", "--list toy", "--list toy --count 2 --packings",
        "--list toy --count 3 --count-only", "2x5@toy --max-vowels 0", "1x5@wordle", "5x6",
        f"toy --letters {LATIN[::-1]}", f"toy --letters {DANISH}", "parker --work",
    ],
)  # fmt: skip
def test_json_keeps_its_schema(wordpack: Command, options: str) -> None:
    """The schema holds for every mix of options, and the counts are those of the rows."""
    found = as_json(wordpack("solve", *options.split(), "--format", "json"))
    assert bool(found["work"]) == ("--work" in options)
    if "--count-only" in options:
        assert not {"results", "digest"} & set(found)
        return
    assert len(found["digest"]) == 64
    rows = found["results"]
    assert len(rows) == found["packings" if "--packings" in options else "solutions"]
    assert all(disjoint(cell.split("/")[0] for cell in row) for row in rows)
    assert len({tuple(row) for row in rows}) == len(rows)


def test_work_is_the_algorithms_counters(wordpack: Command) -> None:
    """JSON and summary have the published nodes by depth of rarest_letter on parker."""
    count = ("solve", "parker", "--work", "--count-only", "--backend", "rarest_letter")
    found = as_json(wordpack(*count, "--format", "json"))
    due = {"nodes_1": 315, "nodes_2": 20051, "nodes_3": 130179, "nodes_4": 55619, "nodes_5": 538}
    assert found["work"] == due
    assert "nodes_3 130,179" in wordpack(*count).err


def test_count_only_prints_the_counts(wordpack: Command) -> None:
    assert wordpack("solve", "toy", "--count-only").out == "5 packings, 10 solutions\n"
    csv_counts = wordpack("solve", "toy", "--count-only", "--format", "csv").out
    assert csv_counts == "packings,solutions\n5,10\n"


def test_danish_words_stand_in_their_alphabets_order(wordpack: Command, tmp_path: Path) -> None:
    """æ, ø, å come last, in this order, which is not the order of their code points."""
    words = [word for word in DANISH_WORDS if len(word) == 3]
    due = brute_force(words, 3, DANISH)
    assert due != sorted(due)
    (tmp_path / "ord").write_text("\n".join(DANISH_WORDS), encoding="utf-8")
    three = ("--count", "3", "--length", "3", "--letters", DANISH)
    outcome = wordpack("solve", "--words", str(tmp_path / "ord"), *three, "--format", "json")
    found = as_json(outcome)
    assert [tuple(row) for row in found["results"]] == due
    assert found["dropped"]["length"] == 1


def test_two_groups_are_the_brute_force_rows(wordpack: Command, two_lists: tuple[str, str]) -> None:
    """An answer, then two guesses in alphabetical order; words may repeat a letter."""
    answers, guesses = (Path(path).read_text().split() for path in two_lists)
    three = sorted(word for word in guesses if len(word) == 3)
    due = [
        (answer, *pair)
        for answer in sorted(answers)
        for pair in combinations(three, 2)
        if disjoint([answer, *pair])
    ]
    files = ("solve", "--answers", two_lists[0], "--guesses", two_lists[1])
    options = (*files, "--count", "2", "--length", "3")
    found = as_json(wordpack(*options, "--format", "json"))
    assert [tuple(row) for row in found["results"]] == due
    assert found["dropped"]["length"] == 1
    assert found["dropped"]["repeated_letter"] == 0
    without = wordpack(*options, "--no-repeats").out.splitlines()
    assert without == [" ".join(row) for row in due if all(len(set(word)) == 3 for word in row)]


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_family_that_cannot_exist_has_none_and_says_why(wordpack: Command, form: str) -> None:
    status, out, err = wordpack("solve", "5x6", "--format", form)
    assert status == 0
    if form == "text":
        assert out == ""
        assert "5 words need at least 30 different letters and the alphabet has 26" in err
    else:
        found = json.loads(out)
        assert (found["packings"], found["solutions"], found["results"]) == (0, 0, [])


@pytest.mark.parametrize(
    ("options", "counts", "verified"),
    [
        ("5x5", (538, 831), "expected"),
        ("parker --keep-anagrams", (831, 831), "expected"),
        ("parker --max-vowels 2", (535, 825), "valid"),
        ("--list words_alpha", (538, 831), "expected"),
    ],
)
def test_an_instance_is_known_however_it_is_asked_for(
    wordpack: Command, options: str, counts: tuple[int, int], verified: str
) -> None:
    """Published counts: 538 and 831; 831 with --keep-anagrams; 535 with few vowels."""
    found = as_json(wordpack("solve", *options.split(), "--format", "json"))
    assert (found["packings"], found["solutions"]) == counts
    assert found["verified"] == verified


def test_5x5_is_parker(wordpack: Command) -> None:
    assert wordpack("solve", "5x5").out == wordpack("solve", "parker").out


def test_one_thread_finds_the_same_and_says_so(wordpack: Command, toy: list[Row]) -> None:
    found = as_json(wordpack("solve", "toy", "--threads", "1", "--format", "json"))
    assert [tuple(row) for row in found["results"]] == toy
    assert found["device"] == "cpu, 1 thread"


def test_output_holds_what_standard_output_would(wordpack: Command, tmp_path: Path) -> None:
    """The whole file is replaced, and the summary still goes to standard error."""
    target = tmp_path / "rows.txt"
    target.write_text("old\n" * 1000)
    shown = wordpack("solve", "toy").out
    outcome = wordpack("solve", "toy", "--output", str(target))
    assert (outcome.status, outcome.out) == (0, "")
    assert "10 solutions" in outcome.err
    assert target.read_text() == shown
    assert list(tmp_path.iterdir()) == [target]
