"""`wordpack sweep`: its points, their order, their counts by brute force, formats and errors."""

import csv
import io
import json
from itertools import combinations, product
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import Command

from wordpack import schemas
from wordpack.backend.base import Options
from wordpack.errors import WrongAnswer
from wordpack.lexicon.letters import LATIN
from wordpack.lexicon.sampling import drawn, keys
from wordpack.solving import sweep_counting
from wordpack.solving.instances import COUNTED, INSTANCES
from wordpack.solving.sample import Sample
from wordpack.solving.spec import Source
from wordpack.solving.sweep import Axes, Layout, laid_out
from wordpack.solving.sweep_counting import (
    FIELDS,
    Where,
    count_points,
    counters_of,
    estimated,
    sweep,
)

SCHEMA = json.loads((Path(schemas.__file__).parent / "sweep.json").read_text())
TOY = [
    *("fjord", "gucks", "nymph", "vibex", "waltz", "treck", "glent"),
    *("jumby", "pling", "vozhd", "bling", "waqfs", "clunk", "grypt"),
    *("bemix", "brick", "chunk", "kreng", "clipt", "gymps", "bread"),
    *("beard", "sword", "words", "drows"),
]


def rows_of(outcome: Any) -> list[dict[str, str]]:
    """Return the rows of a sweep's CSV."""
    assert outcome.status == 0, outcome.err
    return list(csv.DictReader(io.StringIO(outcome.out)))


def solutions(words: list[str], count: int) -> int:
    """Count the choices of words that share no letter, by trying all combinations."""
    return sum(
        len(set("".join(some))) == sum(map(len, some)) for some in combinations(words, count)
    )


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write a small list."""
    path = tmp_path / "toy.txt"
    path.write_text("\n".join(TOY) + "\nloose\ntoolong\n")
    return path


def test_every_point_counts_what_brute_force_does(wordpack: Command, toy: Path) -> None:
    """Shapes, alphabets without a letter, samples, seeds, in the order of their product."""
    rows = rows_of(
        wordpack(
            *("sweep", "2x5", "4x5", "--words", toy, "--letters", "abcdefghijklmnopqrstuvwxyz"),
            *("--without-each", "--sample", "0.5", "--sample", "10", "--seeds", "2"),
        )
    )
    alphabets = [LATIN, *(LATIN.replace(letter, "") for letter in LATIN)]
    points = list(product((2, 4), alphabets, ("0.5", "10"), (0, 1)))
    assert len(rows) == len(points)
    for row, (count, letters, sample, seed) in zip(rows, points, strict=True):
        assert list(row) == list(FIELDS)
        words = [word for word in TOY if set(word) <= set(letters)]
        n = 10 if sample == "10" else (len(words) + 1) // 2
        some = [words[place] for place in drawn(keys(words), seed, n)]
        known = {
            "problem": f"{count}x5",
            "list": str(toy),
            "letters": letters,
            "sample": sample,
            "seed": str(seed),
            "words": str(n),
            "signatures": str(len({frozenset(word) for word in some})),
            "solutions": str(solutions(some, count)),
            "verified": "agreed",
        }
        assert known.items() <= row.items()
        assert float(row["seconds"]) >= 0


def test_whole_lists_have_the_counts_that_are_known() -> None:
    """For several lists and shapes at once; a sample of all words is the whole list."""
    rows = sweep(Axes(((5, 5), (4, 6)), (Source("words_alpha"), Source("wordle"), Source("toy"))))
    found = {(row["problem"], row["list"]): (row["packings"], row["solutions"]) for row in rows}
    for name, key in {"parker": "words_alpha", "wordle": "wordle", "toy": "toy"}.items():
        expected = INSTANCES[name].expected
        assert expected is not None
        assert found["5x5", key] == (expected.packings, expected.solutions)
    assert found["4x6", "words_alpha"] == (COUNTED["4x6"].packings, COUNTED["4x6"].solutions)
    assert found["4x6", "toy"] == (0, 0)  # it has no words of six letters
    assert {row["seed"] for row in rows} == {None}
    [all_of_it] = sweep(Axes(((5, 5),), (Source("toy"),), samples=(Sample("1.0"),)))
    assert (all_of_it["packings"], all_of_it["solutions"]) == found["5x5", "toy"]


def test_a_letter_less_is_the_alphabet_without_it() -> None:
    """Leaving a letter out after reading gives the same as reading with that alphabet."""
    letters = "tsrqponmlkjihgfedcbaæøå"
    lean = [letters, *(letters.replace(letter, "") for letter in letters)]
    derived = laid_out(Axes(((3, 5),), (Source("wordle"),), (letters,), without_each=True))
    read = laid_out(Axes(((3, 5),), (Source("wordle"),), tuple(lean)))
    assert len(derived.points) == 24
    assert derived.digest == read.digest


def test_alphabets_of_more_than_32_letters(tmp_path: Path) -> None:
    """33 letters need 64 bits, 32 letters need 32 bits: counts are those of brute force."""
    letters = "abcdefghijklmnopqrstuvwxyzæøåäöüß"
    words = ["æøå", "äöü", "ßab", "cde", "fgh", "xyz", "ßøz", "aüå"]
    file = tmp_path / "ord.txt"
    file.write_text("\n".join(words), encoding="utf-8")
    rows = sweep(Axes(((3, 3),), (Source(str(file), False),), (letters,), without_each=True))
    for row in rows:
        left = [word for word in words if set(word) <= set(row["letters"])]
        assert row["solutions"] == solutions(left, 3)
    assert len({row["solutions"] for row in rows}) > 3


def test_json_has_the_same_rows(wordpack: Command, toy: Path) -> None:
    """It obeys its schema; None is null in JSON and empty in CSV; only times differ."""
    arguments = ("sweep", "3x5", "5x5", "--list", "toy", "--words", toy)
    table = rows_of(wordpack(*arguments))
    outcome = wordpack(*arguments, "--format", "json")
    found = json.loads(outcome.out)
    jsonschema.validate(found, SCHEMA)
    assert len(found["rows"]) == len(table) == 4
    for row, other in zip(found["rows"], table, strict=True):
        texts = {name: "" if value is None else str(value) for name, value in row.items()}
        assert {**texts, "seconds": ""} == {**other, "seconds": ""}
    assert outcome.err.startswith("4 points in this process (4 two algorithms counted the same)")


def test_standard_input_is_read_once_for_all_lengths(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "ab\ncd\nef\nabc\ndef\n"

    class Stdin:
        buffer = io.BytesIO(words.encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    rows = rows_of(wordpack("sweep", "3x2", "2x3", "2x2", "--words", "-"))
    assert [row["solutions"] for row in rows] == ["1", "1", "3"]


def test_output_is_written_whole_or_not_at_all(
    wordpack: Command, toy: Path, tmp_path: Path
) -> None:
    """If a point fails, it is named, and the old file is kept."""
    target = tmp_path / "sweep.csv"
    target.write_text("before")
    plain = Layout.problem

    def fail(self: Layout, point: Any) -> Any:
        if point.draw[2] == 2:
            raise WrongAnswer("somebody miscounted")
        return plain(self, point)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Layout, "problem", fail)
        outcome = wordpack(
            *("sweep", "2x5", "--words", toy, "--sample", "9", "--seeds", "4", "--output", target)
        )
    assert (outcome.status, outcome.out) == (1, "")
    assert f"2x5@{toy}, sample 9, seed 2: somebody miscounted" in outcome.err
    assert target.read_text() == "before"
    outcome = wordpack("sweep", "2x5", "--words", toy, "--output", target)
    assert (outcome.status, outcome.out) == (0, "")
    assert target.read_text().startswith(",".join(FIELDS) + "\n2x5,")


def test_counters_that_disagree_are_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """No count is reported if two algorithms disagree."""
    layout = laid_out(Axes(((5, 5),), (Source("toy"),)))
    quickest, *others = counters_of(
        layout.problem(layout.points[0]), Options(count_only=True), devices=False
    )
    from wordpack.backend.registry import row

    liar = (1.0, row("filtered_lists"))
    monkeypatch.setattr(sweep_counting, "counters_of", lambda *_a, **_k: [quickest, liar])
    search = row("filtered_lists").load()
    empty = layout.pools[0].problem(0)
    prepare = search.prepare
    monkeypatch.setattr(search, "prepare", lambda _problem, options: prepare(empty, options))
    assert others
    with pytest.raises(WrongAnswer, match=r"5x5@toy: bitset_rows counts 5 packings .* is wrong"):
        list(count_points(layout, layout.points, Where()))


@pytest.mark.parametrize(("listed", "strength"), [(1_000_000, "valid"), (4, None)])
def test_without_a_second_algorithm(
    monkeypatch: pytest.MonkeyPatch, listed: int, strength: str | None
) -> None:
    """Packings are listed and verified; if they are too many, there is no strength or time."""
    layout = laid_out(Axes(((5, 5),), (Source("toy"),)))
    problem = layout.problem(layout.points[0])
    alone = counters_of(problem, Options(count_only=True), devices=False)[:1]
    monkeypatch.setattr(sweep_counting, "counters_of", lambda *_a, **_k: alone)
    monkeypatch.setattr(sweep_counting, "LISTED", listed)
    [found] = count_points(layout, layout.points, Where())
    assert (found["packings"], found["solutions"], found["verified"]) == (5, 10, strength)
    assert (found["seconds"] is None) == (strength is None)


def test_counters_are_of_several_algorithms_quickest_first() -> None:
    """Every shape of words_alpha has a second algorithm; no device is started unasked."""
    for name in COUNTED:
        count, length = map(int, name.split("x"))
        layout = laid_out(Axes(((count, length),)))
        found = counters_of(layout.problem(layout.points[0]), Options(), devices=False)
        assert [seconds for seconds, _ in found] == sorted(seconds for seconds, _ in found)
        assert len({row.algorithm for _, row in found}) >= 2
        assert not any(row.start_up for _, row in found)


def test_estimates_grow_with_the_sample() -> None:
    layout = laid_out(Axes(((4, 5),), samples=(Sample("0.1"), Sample("0.5"), Sample("1.0"))))
    tenth, half, whole = estimated(layout)
    assert 0 < tenth < half < whole


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        ([], ["Missing argument"]),
        (["five"], ["five is not a shape", "5x5"]),
        (["5x5@wordle"], ["lists by --list NAME"]),
        (["0x5"], ["count of words is 0"]),
        (["5x5", "--list", "wordl"], ["did you mean wordle?"]),
        (["5x5", "--words", "nope"], ["cannot read nope"]),
        (["5x5", "--encoding", "latin-1"], ["--words FILE"]),
        (["5x5", "--letters", "aa"], ["the letter 'a' twice"]),
        (["5x5", "--sample", "2.5"], ["--sample 2.5", "a share"]),
        (["5x5", "--list", "toy", "--sample", "51"], ["toy has 50 words"]),
        (["5x5", "--seeds", "3"], ["--seeds goes with --sample"]),
        (["5x5", "--sample", "9", "--seeds", "2000000"], ["2,000,000 points are too many"]),
        (["5x5", "--words", "-", "--letters", "abc", "--letters", "abd"], ["read once"]),
        (["5x5", "--resume"], ["--resume goes with --cluster"]),
        (["5x5", "--checkpoint", "folder"], ["--checkpoint goes with --cluster"]),
        (["5x5", "--slices", "2"], ["--slices goes with --cluster"]),
        (["5x5", "--cluster", "here"], ["give a scheduler's address"]),
        (["5x5", "--output", "/nowhere/sweep.csv"], ["cannot write /nowhere/sweep.csv"]),
    ],
)
def test_errors_are_one_line(wordpack: Command, arguments: list[str], fragments: list[str]) -> None:
    status, out, err = wordpack("sweep", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    for fragment in fragments:
        assert fragment in err
