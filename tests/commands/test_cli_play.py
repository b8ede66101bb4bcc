"""`wordpack play`: one game, all games, the best start words, and its errors."""

import json
from pathlib import Path

import pytest
from conftest import Command

from wordpack.errors import WrongAnswer
from wordpack.library import playing


def test_one_game_guess_by_guess(wordpack: Command) -> None:
    """For essay, saint has s and a misplaced; crash has them elsewhere; and so on to the end."""
    status, out, err = wordpack("play", "--answer", "essay")
    assert (status, err) == (0, "")
    assert out == "saint YY...\ncrash ..YY.\naskew YG.Y.\nessay GGGGG\n"
    found = json.loads(wordpack("play", "--answer", "ESSAY", "--format", "json").out)
    assert found["guesses"] == ["saint", "crash", "askew", "essay"]
    assert found["marks"][-1] == "GGGGG"
    one = wordpack("play", "--answer", "essay", "--start", "essay").out
    assert one == "essay GGGGG\n"


def test_a_game_that_is_missed_goes_on(wordpack: Command) -> None:
    """Words of one pattern take one guess each; a game past six guesses is called missed."""
    out = wordpack("play", "--answer", "rover", "--start", "best").out.splitlines()
    assert out[-1] == "missed: more than 6 guesses"
    assert out[-2] == "rover GGGGG"
    assert len(out) == 8 + 1


def test_all_games_of_the_best_scored_word(wordpack: Command) -> None:
    """The distribution sums to 2,315, average and missed are as published, author's days shown."""
    status, out, err = wordpack("play", "--all")
    lines = out.splitlines()
    assert status == 0
    assert lines[0] == "2,315 games of wordle-answers, saint first"
    table = [[int(cell.replace(",", "")) for cell in line.split()] for line in lines[2:10]]
    assert sum(games for _, games, _ in table) == 2315
    assert round(sum(guesses * games for guesses, games, _ in table) / 2315, 5) == 3.73434
    assert sum(games for guesses, games, _ in table if guesses > 6) == 21
    assert [days for _, _, days in table] == [0, 11, 38, 42, 12, 5, 0, 0]
    assert lines[10] == "average 3.73434, 21 missed"
    assert len(lines[11].removeprefix("missed: ").split()) == 21
    assert "average 3.6422" in lines[12]
    assert err.count("\n") == 1
    assert "the digest known for play-all" in err


@pytest.mark.slow
def test_a_start_word_of_ones_own(wordpack: Command) -> None:
    """Slant's average is as published; nothing is stored for it, so some games are replayed."""
    found = wordpack("play", "--start", "SLANT", "--format", "json")
    assert json.loads(found.out)["average"] == pytest.approx(3.70281, abs=5e-6)
    assert "(valid: some of them were replayed" in found.err
    assert wordpack("play", "--start", "zzzzz").status == 0


@pytest.mark.slow
def test_the_best_start_words(wordpack: Command) -> None:
    """Among the answers, and among another list."""
    found = wordpack("play", "--start", "best", "--format", "json")
    document = json.loads(found.out)
    assert (document["start"], document["start_words"]) == ("slant", 2315)
    assert sum(document["distribution"].values()) == document["games"] == 2315
    assert sum(n for k, n in document["distribution"].items() if int(k) > 6) == 19
    assert len(document["missed"]) == 19
    assert "the digest known for play-best-start)" in found.err
    other = wordpack("play", "--starts", "wordle")
    assert other.out.startswith("clast is the best of 12,972 start words\n")
    assert "the digest known for play-best-start-12972)" in other.err


@pytest.mark.parametrize("backend", ["game_tree", "hint_arrays", "hint_filters"])
def test_other_lists_lengths_and_alphabets(wordpack: Command, tmp_path: Path, backend: str) -> None:
    """Seven Norwegian words of six letters, by hand.

    blåser gets the same feedback ....YY for grønne and øregan, and different feedback for every
    other word: one game takes one guess, five take two, one takes three.
    """
    words = ["blåser", "blåste", "blåtur", "grønne", "grønor", "brådyp", "øregan"]
    file = tmp_path / "ord.txt"
    file.write_text("\n".join(words), encoding="utf-8")
    options = ("--words", file, "--letters", "abcdefghijklmnopqrstuvwxyzæøå", "--start", "blåser")
    found = wordpack("play", *options, "--backend", backend, "--format", "json")
    document = json.loads(found.out)
    assert document["games"] == sum(document["distribution"].values()) == 7
    assert document["guesses"] == 1 + 2 * 5 + 3
    assert f"by {backend}" in found.err


def test_games_other_than_those_known_are_wrong(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exit status is 1, and standard output is empty."""
    plain = playing.checked
    monkeypatch.setattr(playing, "checked", lambda *given: plain(*given) | {"digest": "0" * 64})
    outcome = wordpack("play", "--all")
    assert (outcome.status, outcome.out) == (1, "")
    assert "not the known games: played by game_tree" in outcome.err

    def refuse(*_given: object) -> None:
        raise WrongAnswer("a game took 3 guesses where 4 are due")

    monkeypatch.setattr(playing, "checked", refuse)
    assert wordpack("play", "--all").status == 1


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (["--answer", "essay", "--all"], ["--answer WORD and --all"]),
        (["--answer", "xxxxx"], ["xxxxx is not among the 2,315 words"]),
        (["--answer", "essay", "--start", "abc"], ["no word of 3 letters"]),
        (["--start", "sl4nt"], ["'4' is no letter"]),
        (["--start", ""], ["--start"]),
        (["--start", "slant", "--starts", "wordle"], ["--start WORD and --starts LIST"]),
        (["--starts", "wordl"], ["did you mean wordle?"]),
        (["--backend", "bitset_rows"], ["another kind of problem", "game_tree"]),
        (["--backend", "game"], ["no backend is called game"]),
        (["--words", "nope"], ["No such file"]),
        (["--list", "words_alpha", "--start", "best"], []),
    ],
)
def test_errors_are_one_line(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch, arguments: list[str], fragments: list[str]
) -> None:
    """The last case has more games than can be held."""
    monkeypatch.setattr(playing, "MOST", 10_000_000)
    status, out, err = wordpack("play", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("wordpack: ")
    assert err.count("\n") == 1
    for fragment in fragments or ["253,446,400 games are too many to hold"]:
        assert fragment in err


def test_solve_takes_no_backend_of_games(wordpack: Command) -> None:
    outcome = wordpack("solve", "toy", "--backend", "game_tree")
    assert outcome.status == 2
    assert "another kind of problem" in outcome.err


def test_words_of_one_letter_many_times(wordpack: Command, tmp_path: Path) -> None:
    """Two games of at most two guesses with every backend: no regex tries all subsets."""
    words = tmp_path / "words"
    words.write_text("a" * 60 + "\n" + "a" * 59 + "b\n")
    status, out, err = wordpack("play", "--words", words, "--start", "a" * 60, "--format", "json")
    assert (status, err.count("\n")) == (0, 1)
    assert json.loads(out)["distribution"] == {"1": 1, "2": 1}
