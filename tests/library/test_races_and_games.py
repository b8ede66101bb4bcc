"""`wordpack.race`, `hints`, `play` and `sweep`, and lists of instances, backends and words."""

import json
from pathlib import Path
from statistics import median

import jsonschema
import pytest
from conftest import Command

import wordpack
from wordpack import schemas
from wordpack.backend import registry
from wordpack.lexicon.lists import CATALOGUE

BACKENDS = ["bitset_rows", "filtered_lists", "merged_states"]


@pytest.fixture(scope="module")
def board() -> wordpack.Board:
    return wordpack.race("toy", backends=BACKENDS, budget=20, repeat=3)


def test_a_board_has_a_result_for_each_backend(board: wordpack.Board) -> None:
    """Ranked backends come first, with medians and speed-ups; the others say why not."""
    assert {each.backend for each in board} == set(BACKENDS)
    assert len(board) == len(BACKENDS)
    ranked = list(board)[:2]
    assert [each.median for each in ranked] == sorted(each.median or 0 for each in ranked)
    assert all(each.verified == "expected" and each.runs == 3 for each in ranked)
    assert all(each.numbers == {"packings": 5, "solutions": 10} for each in ranked)
    against = board[board.baseline or ""].median or 0.0
    assert [each.speedup for each in ranked] == [against / (e.median or 1) for e in ranked]
    refused = board["merged_states"]
    assert (refused.status, refused.median, refused.runs) == ("refused", None, 0)
    assert "it only counts" in refused.reason
    with pytest.raises(KeyError):
        board["combinations"]


def test_a_saved_board_is_a_race_that_a_report_reads(
    board: wordpack.Board, tmp_path: Path, wordpack: Command
) -> None:
    """It obeys the schema of `race --json`, and a report shows its medians."""
    path = tmp_path / "race.json"
    board.save(path)
    document = json.loads(path.read_text())
    schema = json.loads((Path(schemas.__file__).parent / "race.json").read_text())
    jsonschema.validate(document, schema)
    (entry,) = (each for each in document["backends"] if each["backend"] == "bitset_rows")
    assert median(entry["seconds"]["samples"]) == board["bitset_rows"].median
    page = tmp_path / "report.html"
    assert wordpack("report", path, "--output", page).status == 0


def test_a_board_shows_itself(board: wordpack.Board) -> None:
    assert repr(board).startswith("<race of 3 backends on toy, fastest ")
    assert "\n" not in repr(board)
    assert "speed-up: against" in str(board)
    shown = board._repr_html_()
    assert shown.count("<tr>") == 1 + 2 + 1 + 1
    assert "it only counts" in shown


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"budget": 0}, "`budget` 0: it must be a number of seconds over 0"),
        ({"backends": ["bitset_row"]}, "matches no backend: did you mean bitset_rows"),
        ({"backends": ["cuda"], "baseline": "opencl"}, "`baseline` opencl is not in this race"),
    ],
)
def test_what_cannot_be_raced_is_an_error(choices: dict[str, object], said: str) -> None:
    with pytest.raises(wordpack.InputError, match=said):
        wordpack.race("toy", **choices)  # type: ignore[arg-type]


def test_words_of_ones_own_can_be_raced() -> None:
    """The backends' processes get the words; two algorithms agree, as no answer is known."""
    words = ["ab", "cd", "ef", "fe"]
    board = wordpack.race(words, count=2, length=2, backends=["combinations", "filtered_lists"])
    assert {each.verified for each in board} == {"agreed"}
    assert {tuple(each.numbers.values()) for each in board} == {(3, 5)}


def test_hints_are_those_of_the_command(wordpack: Command) -> None:
    """The published call and exact feedback give the same words and scores in order."""
    from wordpack import hints

    command = json.loads(wordpack("hints", "--guess", "tacit=Y....", "--format", "json").out)
    found = hints(guesses=["tacit=Y...."])
    assert list(found) == command["candidates"]
    assert found.scores == command["scores"]
    assert (found[0], found.of) == (command["candidates"][0], 2315)
    fit = f"{len(found)} of 2,315 words of wordle-answers fit"
    assert repr(found) == f"<{fit}, the best guess is {found[0]}>"
    command = json.loads(wordpack("hints", "i.e..", "--present", "3:nr", "--present", "4:n",
                                  "--absent", "sla", "--format", "json").out)  # fmt: skip
    assert list(hints("i.e..", present={3: "nr", 4: "n"}, absent="sla")) == command["candidates"]


def test_hints_take_words_of_ones_own() -> None:
    found = wordpack.hints(".b", words=["ab", "cb", "cd", "abc"], letters="abcd")
    assert set(found) == {"ab", "cb"}


def test_a_game_is_the_one_of_the_command(wordpack: Command) -> None:
    from wordpack import play

    command = json.loads(wordpack("play", "--answer", "essay", "--format", "json").out)
    game = play("essay")
    assert game.guesses == tuple(command["guesses"])
    assert game.marks == tuple(command["marks"])
    assert (game.guesses[-1], game.marks[-1], game.missed) == ("essay", "GGGGG", False)
    assert play(" Essay ", start="tacit").guesses[0] == "tacit"


def test_a_word_that_cannot_be_the_answer_is_an_error() -> None:
    with pytest.raises(wordpack.InputError, match="`answer` gucks is not among the 2,315 words"):
        wordpack.play("gucks")


def test_lists_of_what_there_is() -> None:
    """Instances, backends and word lists are found by name."""
    assert [each.name for each in wordpack.backends()] == [row.name for row in registry.ROWS]
    assert all(each.runs is (each.why_not == "") for each in wordpack.backends())
    known = {each.name: (each.packings, each.solutions) for each in wordpack.instances()}
    assert known["parker"] == (538, 831)
    assert "play-all" in known
    for name in ("wordle", "toy"):
        assert len(wordpack.words(name)) == CATALOGUE[name].words
    assert all(len(word) == 4 for word in wordpack.words("words_alpha", 4))
    with pytest.raises(wordpack.InputError, match="did you mean wordle"):
        wordpack.words("wordel")


def test_all_games_are_those_known() -> None:
    """The numbers are those of the named plays, and of the published list's best start word."""
    tally = wordpack.play_all()
    assert (tally.games, tally.guesses, len(tally.missed)) == (2315, 8645, 21)
    assert (tally.verified, sum(tally.distribution.values())) == ("expected", 2315)
    best = wordpack.play_all(start="best")
    assert (best.start, best.start_words, best.verified) == ("slant", 2315, "expected")
    assert wordpack.play_all(start="slant").guesses == best.guesses


def test_a_sweep_is_the_one_of_the_command(wordpack: Command) -> None:
    """Rows are the same except for times; a list may be the caller's own words."""
    from wordpack import sweep, words

    options = ("--list", "wordle", "--sample", "0.5", "--sample", "2000", "--seeds", "2")
    command = json.loads(wordpack("sweep", "5x5", *options, "--format", "json").out)["rows"]
    rows = sweep("5x5", lists=["wordle"], samples=[0.5, 2000], seeds=2)
    assert [row | {"seconds": 0} for row in rows] == [row | {"seconds": 0} for row in command]
    assert repr(rows) == "<sweep of 4 problems>"
    (own,) = sweep("5x5", lists=[words("wordle")])
    assert (own["packings"], own["solutions"], own["list"]) == (10, 11, "the list given")
    assert "<td>the list given</td>" in sweep("5x5", lists=[words("toy")])._repr_html_()
