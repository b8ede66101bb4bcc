"""`wordpack.solve` and `count`: the command's answers, as Python values."""

import json
import sys
from math import comb
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import Command

import wordpack
from wordpack.packing.answer import Packings
from wordpack.solving import listing
from wordpack.solving.instances import COUNTED, INSTANCES

FIVE = ["fjord", "gucks", "nymph", "vibex", "waltz"]


def test_the_rows_are_those_of_the_command(wordpack: Command) -> None:
    """Every solution in the command's order, with the same counts, digest and strength."""
    from wordpack import solve

    answer = solve("parker")
    found = json.loads(wordpack("solve", "parker", "--format", "json").out)
    assert [list(words) for words in answer] == found["results"]
    assert list(answer) == list(answer), "it can be read again"
    assert (answer.packings, answer.solutions) == (538, 831)
    assert (answer.verified, answer.digest) == ("expected", INSTANCES["parker"].expected.digest)  # type: ignore[union-attr]
    assert (answer.backend, answer.instance.name) == ("bitset_rows", "parker")
    assert answer.dropped == found["dropped"]


def test_signatures_are_disjoint_masks_in_canonical_order() -> None:
    """(packings, picks) of uint32: five masks of five letters, rows distinct and ascending."""
    masks = wordpack.solve("parker").signatures()
    assert (masks.shape, masks.dtype) == ((538, 5), np.uint32)
    assert (np.bitwise_count(masks) == 5).all()
    assert (np.bitwise_count(np.bitwise_or.reduce(masks, axis=1)) == 25).all()
    assert len(np.unique(masks, axis=0)) == 538


@pytest.mark.parametrize("name", ["toy", "wordle", "both"])
def test_words_in_any_form_have_the_same_answer(name: str, tmp_path: Path) -> None:
    """An iterable of str, a Path, and the name of a family."""
    part = INSTANCES[name].spec.groups[0]
    words = wordpack.words(part.source.name, 5)
    path = tmp_path / "words.txt"
    path.write_text("\n".join(words))
    other = {"intersect": "wordle-12974"} if name == "both" else {}
    expected = list(wordpack.solve(name))
    assert list(wordpack.solve(iter(words), **other)) == expected  # type: ignore[arg-type]
    assert list(wordpack.solve(np.array(words), **other)) == expected  # type: ignore[arg-type]
    assert list(wordpack.solve(path, count=5, length=5, **other)) == expected  # type: ignore[arg-type]
    assert list(wordpack.solve(f"5x5@{part.source.name}", **other)) == expected  # type: ignore[arg-type]
    assert list(wordpack.solve(wordpack.problem(words, **other))) == expected  # type: ignore[arg-type]


def test_rules_are_those_of_the_options(wordpack: Command) -> None:
    """Letters, vowels, anagrams, and an answer with guesses."""
    from wordpack import solve

    lists = {"answers": ["ab", "cd"], "guesses": ["ef", "fe", "gg", "bc"]}
    answer = solve(**lists, count=1, length=2)  # type: ignore[arg-type]
    assert list(answer) == [("ab", "ef"), ("ab", "fe"), ("ab", "gg"), ("cd", "ef"), ("cd", "fe"),
                            ("cd", "gg")]  # fmt: skip
    options = ("--max-vowels", "1", "--keep-anagrams", "--letters", "abcdefghijklmnopqrstuvwxyzé")
    found = json.loads(wordpack("solve", "wordle", *options, "--format", "json").out)
    answer = solve("wordle", max_vowels=1, keep_anagrams=True, letters=options[-1])
    assert [list(words) for words in answer] == found["results"]
    assert answer.instance.name == found["instance"]


def test_a_long_answer_is_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer too long to hold is searched again in parts, and has all rows."""
    whole = wordpack.solve("parker")
    monkeypatch.setattr(listing, "LISTED", 100)
    held: list[int] = []
    between = Packings.between
    monkeypatch.setattr(
        Packings, "between", lambda own, a, b: (held.append(b - a), between(own, a, b))[1]
    )
    answer = wordpack.solve("parker", backend="bitset_rows")
    assert (answer.packings, answer.solutions, answer.digest) == (538, 831, None)
    assert answer.verified == "expected"
    assert sorted(answer) == sorted(whole)
    assert (answer.signatures() == whole.signatures()).all()


@pytest.mark.parametrize("name", ["7x3", "5x4", "3x8"])
def test_counts_are_exact_ints(name: str) -> None:
    """They are plain ints, and equal those found by two counters that share no code."""
    found = wordpack.count(name)
    expected = COUNTED[name]
    assert (found.packings, found.solutions) == (expected.packings, expected.solutions)
    assert (type(found.packings), type(found.solutions)) == (int, int)
    assert found.verified == "expected"


def test_a_count_has_the_counters_that_were_asked_for() -> None:
    """The oracle tries every choice of five of the toy's 46 signatures."""
    assert wordpack.count("toy", backend="combinations").work == {}
    counted = wordpack.count("toy", backend="combinations", work=True)
    assert counted.work == {"iterations": comb(46, 5)}


def test_counters_are_those_of_the_command(wordpack: Command) -> None:
    """test_published compares them with the published ones."""
    from wordpack import solve

    options = ("--backend", "filtered_lists", "--work", "--format", "json")
    found = json.loads(wordpack("solve", "toy", *options).out)
    assert solve("toy", backend="filtered_lists", work=True).work == found["work"] != {}
    assert solve("toy", backend="filtered_lists").work == {}


@pytest.mark.parametrize(
    ("given", "choices", "said"),
    [
        ("parkr", {}, "no instance is called parkr: did you mean parker?"),
        ("parker", {"count": 4}, "`count` goes with words of your own"),
        (["fjord", 7], {}, "word 2 is 7: every word must be a str"),
        (["fjord", "a\nb"], {}, "word 2 is 'a\\nb': a word cannot have a line break"),
        (None, {}, "no words are given"),
        (5, {}, "5 is not a list of words: give a name, a Path, or an iterable of str"),
        (b"fjord", {}, "b'fjord' is not a list of words"),
        ("play-all", {}, "play-all is played, not solved: race it instead"),
        (None, {"answers": ["ab"]}, "`answers` and `guesses` go together"),
        ("toy", {"threads": 10_000}, "`threads` 10000: this process may use 1 to"),
        ("toy", {"chunk": 0}, "`chunk` is 0"),
        ("toy", {"backend": "dancing_lynx"}, "did you mean dancing_links?"),
        ("toy", {"backend": "combinations", "threads": 1}, "does not support `threads`"),
        ("toy", {"letters": "aa"}, "`letters` has the letter 'a' twice"),
        (Path("nowhere.txt"), {}, "cannot read nowhere.txt"),
        ([], {}, "the list given is empty"),
    ],
)
def test_bad_input_is_an_error_without_options(given: object, choices: object, said: str) -> None:
    """The message names parameters, never a command line option."""
    with pytest.raises(wordpack.InputError) as refused:
        wordpack.solve(given, **choices)  # type: ignore[arg-type]
    assert said in str(refused.value)
    assert "--" not in str(refused.value)


def test_an_unknown_argument_is_a_type_error() -> None:
    """A misspelt rule must not be ignored."""
    with pytest.raises(TypeError, match="unexpected keyword argument 'max_vowel'"):
        wordpack.solve("toy", max_vowel=2)  # type: ignore[call-arg]


def test_an_answer_shows_itself_in_one_line_and_in_a_notebook() -> None:
    answer = wordpack.solve(["<b>cd", "efghi"], letters="<b>cdefghi", count=2)
    assert repr(answer) == (
        f"<2x5@the list given letters=<b>cdefghi: 1 packings, 1 solutions, valid, by bitset_rows "
        f"on {answer.device}>"
    )
    shown = answer._repr_html_()
    assert "<td>&lt;b&gt;cd</td><td>efghi</td>" in shown
    assert "and 821 more" in wordpack.solve("parker")._repr_html_()


def test_rows_go_into_a_data_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one column per word; without pandas, one sentence says how to install it."""
    frames = SimpleNamespace(DataFrame=lambda rows, columns: (rows, columns))
    monkeypatch.setitem(sys.modules, "pandas", frames)
    answer = wordpack.solve("both")
    assert answer.to_pandas() == ([tuple(FIVE)], [f"word{place}" for place in range(1, 6)])
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(wordpack.Unavailable, match="pip install pandas"):
        answer.to_pandas()


def test_progress_changes_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(wordpack.solve("toy", progress=True)) == list(wordpack.solve("toy"))
    assert wordpack.count("toy", progress=True).packings == 5
    assert capsys.readouterr().err.strip() == ""
