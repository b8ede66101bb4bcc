"""Every backend of whole games: random lists, with every game checked against the oracle."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wordpack.backend import choosing, registry
from wordpack.backend.base import Options
from wordpack.backend.registry import Row
from wordpack.games.hints import ranked
from wordpack.games.instances import PLAYS
from wordpack.games.loading import checked, load
from wordpack.games.play import Games, Play, play_of, replay, verify
from wordpack.kernels.games import feedback_codes, game_tree
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.reading import read_text

pytestmark = pytest.mark.slow

shared = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

PLAYERS = [row.name for row in registry.of_workload("play")]

LETTERS = "abcdefghijklmnopqrstuvwxyzæøå"


@pytest.fixture(params=PLAYERS, scope="module")
def player(request: pytest.FixtureRequest) -> Row:
    """Each backend of whole games in turn."""
    return registry.row(request.param)


@st.composite
def plays(draw: st.DrawFn, longest: int = 7) -> Play:
    """Draw words of few letters, so that most have repeats, and start words from elsewhere."""
    length = draw(st.integers(1, longest))
    letters = draw(st.sampled_from(["ab", "abc", LETTERS[-4:], LETTERS]))
    word = st.text(letters, min_size=length, max_size=length)
    listed = draw(st.lists(word, min_size=1, max_size=25, unique=True))
    starts = draw(st.lists(word, min_size=1, max_size=4, unique=True))
    words = ranked(read_text("\n".join(listed), "drawn", Alphabet(letters)))
    table = [[letters.index(letter) for letter in start] for start in starts]
    return play_of(words, np.array(table, np.uint8))


def oracle(play: Play) -> list[list[int]]:
    return [
        [len(replay(play, start, answer)) for answer in range(len(play.answers))]
        for start in range(len(play.starts))
    ]


def games(row: Row, play: Play, options: Options | None = None) -> Games | None:
    """Play all games, or return None if the backend refuses them."""
    backend = row.load()
    refusal = backend.accepts(play, options or Options())
    if refusal and refusal.kind == "shape":
        return None
    found = backend.prepare(play, options or Options()).run()
    assert isinstance(found, Games)
    return found


@shared
@given(play=plays())
def test_every_game_is_the_oracles(player: Row, play: Play) -> None:
    """Compare game by game, for words of 1 to 7 letters; start words may be answers or not."""
    found = games(player, play)
    if found is None:
        # backends with 8 bits per feedback
        assert play.answers.shape[1] > feedback_codes.NARROW
        return
    assert found.guesses.tolist() == oracle(play)
    verify(found)


def test_a_search_may_be_run_again(player: Row) -> None:
    """Each run gives its own answer."""
    play = load(PLAYS["play-all"].spec)
    search = player.load().prepare(play, Options())
    first, second = search.run(), search.run()
    assert isinstance(first, Games)
    assert isinstance(second, Games)
    assert first.guesses is not second.guesses
    assert first.digest() == second.digest()


@pytest.mark.parametrize("name", PLAYS)
def test_the_instances_are_as_expected(player: Row, name: str) -> None:
    """Check counts and digest, if the backend accepts the instance automatically and is quick."""
    play, expected = load(PLAYS[name].spec), PLAYS[name].expected
    assert expected is not None
    slow = {"hint_arrays": 10_000, "hint_filters": 10_000, "game_tree_opencl": 10_000_000}
    if play.games > slow.get(player.name, play.games):
        pytest.skip("it takes seconds: make race INSTANCE=play-best-start has it")
    found = games(player, play)
    assert checked(found, play) == vars(expected)
    assert sum(found.distribution(0).values()) == 2315  # type: ignore[union-attr]


def test_the_best_start_words() -> None:
    """Slant is the best answer; the best of all 12,972 is not an answer and misses fewer."""
    for name, word, average, missed in (
        ("play-best-start", "slant", 3.70281, 19),
        ("play-best-start-12972", "clast", 3.70108, 9),
    ):
        play = load(PLAYS[name].spec)
        found = games(registry.row("game_tree"), play)
        assert found is not None
        best = found.best()
        assert "".join(LETTERS[letter] for letter in play.starts[best]) == word
        assert round(found.totals[best] / len(play.answers), 5) == average
        assert found.missed[best] == missed


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_do_not_change_games(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does working out feedback pair by pair instead of storing it."""
    play = load(PLAYS["play-best-start"].spec)
    some = Play(play.answers, play.starts[::7], play.letters)
    whole = games(registry.row("game_tree"), some)
    monkeypatch.setattr(game_tree, "GRAIN", 3)
    for held in (1 << 26, 100 * len(play.answers), 0):
        monkeypatch.setattr(game_tree, "HELD", held)
        found = games(registry.row("game_tree"), some, Options(threads=threads))
        assert found is not None
        assert whole is not None
        assert found.digest() == whole.digest()


@pytest.mark.parametrize("length", [5, 6, 10])
def test_feedback_has_the_numbers_that_it_fits_in(length: int) -> None:
    """Words of up to ten letters have up to 3^10 feedbacks."""
    letters = LETTERS[:12]
    random = np.random.default_rng(length)
    rows = np.unique(random.integers(0, 3, (60, length), dtype=np.uint8), axis=0)
    listed = ["".join(letters[letter] for letter in row) for row in rows]
    play = play_of(ranked(read_text("\n".join(listed), "drawn", Alphabet(letters))), rows[:3])
    found = games(registry.row("game_tree"), play)
    assert found is not None
    assert found.guesses.tolist() == oracle(play)


def test_what_does_not_fit_is_refused() -> None:
    """It is refused by shape, with the limit in the reason; another backend is chosen."""
    long = Play(np.zeros((1, 11), np.uint8), np.zeros((1, 11), np.uint8), 2)
    wide = Play(np.zeros((1, 5), np.uint8), np.zeros((1, 5), np.uint8), 64)
    twenty = Play(np.zeros((1, 20), np.uint8), np.zeros((1, 20), np.uint8), 2)
    six = Play(np.zeros((1, 6), np.uint8), np.zeros((1, 6), np.uint8), 26)
    digits = np.indices((10,) * 4, np.uint8).reshape(4, -1).T
    many = Play(np.ascontiguousarray(digits), digits[:1].copy(), 26)
    for name, play, reason in (
        ("game_tree", long, "at most 10 letters"),
        ("game_tree", wide, "316 guesses"),
        ("game_tree_opencl", six, "at most 5 letters"),
        ("game_tree_opencl", wide, "316 guesses"),
        ("game_tree_cuda", many, "holds 4,500 answers, and there are 10,000"),
        ("hint_arrays", twenty, "3^20 feedbacks"),
    ):
        refusal = registry.row(name).load().accepts(play, Options())
        assert refusal is not None
        assert (refusal.kind, reason in refusal.reason) == ("shape", True)
    assert choosing.first("play", wide, Options()).name == "hint_arrays"
    assert choosing.first("play", six, Options()).name == "game_tree"
    assert choosing.first("play", twenty, Options()).name == "hint_filters"
