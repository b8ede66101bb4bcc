"""The series of games reports no time for wrong games, and says why it skips something."""

import sys
from typing import Any

import pytest

from series import games, verified
from series.table import PLAY_SECONDS, PLAYERS, PLAYS, SHORT
from wordpack.errors import WrongAnswer
from wordpack.games.play import Games as Answer
from wordpack.results.reasons import Reason


@pytest.fixture(autouse=True)
def _forget() -> Any:
    yield
    for each in (games.play, games.prepared, games.part, games.sampled):
        each.cache_clear()


def call(benchmark: Any, method: str, *parameters: object) -> None:
    """Do what asv does for a call: setup, the call, teardown."""
    benchmark.setup(*parameters)
    getattr(benchmark, method)(*parameters)
    benchmark.teardown(*parameters)


def test_right_games_pass_and_one_guess_more_fails() -> None:
    call(games.Games(), "time_run", "game_tree", "play-all")
    benchmark = games.Games()
    benchmark.setup("game_tree", "play-all")
    benchmark.time_run("game_tree", "play-all")
    assert benchmark.answer is not None
    benchmark.answer.guesses[0, 7] += 1
    with pytest.raises(WrongAnswer, match="differ from the known ones"):
        benchmark.teardown("game_tree", "play-all")


def test_growth_is_compared_with_another_backend() -> None:
    """Numpy also plays some start words' games; the parts of a list are nested."""
    call(games.GamesGrowth(), "time_run", "game_tree", 0.25, 0.25)
    benchmark = games.GamesGrowth()
    benchmark.setup("game_tree", 0.25, 0.25)
    benchmark.time_run("game_tree", 0.25, 0.25)
    found = benchmark.answer
    assert found is not None
    other = Answer(found.play, found.guesses.copy())
    game = next(place for place in range(600) if other.guesses[games.SAMPLED, place] > 2)
    other.guesses[games.SAMPLED, game] += 1
    benchmark.answer = other
    with pytest.raises(WrongAnswer, match=r"different games|guesses where"):
        benchmark.teardown("game_tree", 0.25, 0.25)
    small, large = (games.part(share, 0.25).answers.tolist() for share in (0.25, 0.5))
    assert set(map(tuple, small)) < set(map(tuple, large))


@pytest.mark.parametrize("by", ["compiled", "arrays"])
@pytest.mark.parametrize("asked", games.ASKED)
def test_hints_are_counted(by: str, asked: str) -> None:
    call(games.Hints(), "time_hints", by, asked)
    benchmark = games.Hints()
    benchmark.setup(by, asked)
    benchmark.places = [1, 2, 3]
    with pytest.raises(WrongAnswer, match="3 words fit"):
        benchmark.teardown(by, asked)


def test_what_takes_too_long_is_left_out() -> None:
    """A slow play is skipped with its seconds; each table entry is a known backend and play."""
    with pytest.raises(NotImplementedError, match="left out: it takes some 30 s"):
        games.Games().setup("hint_arrays", "play-best-start-12972")
    for (backend, name), seconds in PLAY_SECONDS.items():
        assert backend in PLAYERS
        assert name in PLAYS
        assert seconds > SHORT


def test_a_play_of_another_commit_is_not_available() -> None:
    with pytest.raises(NotImplementedError, match="no play is called later"):
        games.Games().setup("game_tree", "later")
    with pytest.raises(NotImplementedError, match="no backend is called"):
        verified.preparing_problem("another", None, "a test")


def test_a_commit_without_the_lasting_names_is_not_available(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Asv shows n/a, not a failure, for commits from before `wordpack.measured`."""
    monkeypatch.delattr("wordpack.measured", raising=False)
    monkeypatch.setitem(sys.modules, "wordpack.measured", None)
    with pytest.raises(verified.Skip, match="cannot be measured by this suite") as skip:
        verified.package()
    assert skip.value.code == Reason.UNKNOWN
