"""Whole games by the score, against the published averages and a slow definition."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plain_hints import crossed_out
from wordpack.errors import WrongAnswer
from wordpack.games.hints import Ranked, ranked
from wordpack.games.play import Games, Play, play_of, replay, verify
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.reading import read_embedded, read_text


@cache
def answers() -> Ranked:
    return ranked(read_embedded("wordle-answers", Alphabet()))


def slow(play: Play) -> Games:
    """Play every game by the definition."""
    table = [
        [len(replay(play, start, answer)) for answer in range(len(play.answers))]
        for start in range(len(play.starts))
    ]
    return Games(play, np.array(table, play.dtype))


def counted(start: str, left: list[str], guesses: int, into: dict[str, int]) -> None:
    """Count the guesses of each word of `left`, by score; `start` is guess number `guesses`.

    Words with the same feedback stay in one list, which each guess splits.
    """
    cut: dict[str, list[str]] = {}
    for word in left:
        if word == start:
            into[word] = guesses
        else:
            cut.setdefault(crossed_out(start, word), []).append(word)
    for words in cut.values():
        counted(words[0], words, guesses + 1, into)


@pytest.mark.parametrize(
    ("start", "average", "missed"), [("slant", 3.70281, None), ("saint", 3.73434, 21)]
)
def test_the_averages_over_all_answers(start: str, average: float, missed: int | None) -> None:
    """Check the best start word and the best-scored one, with marks worked out as on paper."""
    took: dict[str, int] = {}
    counted(start, list(answers().words), 1, took)
    assert len(took) == 2315
    assert round(sum(took.values()) / 2315, 5) == average
    if missed is not None:
        assert sum(guesses > 6 for guesses in took.values()) == missed


def small(text: str, letters: str = "abcd", starts: str | None = None) -> Play:
    words = ranked(read_text(text.replace(" ", "\n"), "drawn", Alphabet(letters)))
    if starts is None:
        return play_of(words)
    table = [[letters.index(letter) for letter in word] for word in starts.split()]
    return play_of(words, np.array(table, np.uint8))


def test_games_by_hand() -> None:
    """The letter strings of `ab ba cd` are dabc and cabd: cd scores 108, the other two 105."""
    play = small("ab ba cd")
    words = ["".join("abcd"[letter] for letter in row) for row in play.answers]
    assert words == ["cd", "ba", "ab"]
    # neither ba nor ab shares a letter with cd: ba is guessed first
    assert [replay(play, 0, answer) for answer in range(3)] == [
        [(2, 3)],
        [(2, 3), (1, 0)],
        [(2, 3), (1, 0), (0, 1)],
    ]


def test_games_end_however_late() -> None:
    """Eight words differ only in their first letter: each wrong guess rules out only itself."""
    play = small("ax bx cx dx ex fx gx hx", "abcdefghx")
    games = slow(play)
    verify(games)
    first = games.distribution(0)
    assert first == dict.fromkeys(range(1, 9), 1)
    assert games.missed[0] == 2
    assert games.totals[0] == 36


def test_a_start_word_need_not_be_an_answer() -> None:
    """It is never the answer, but may tell more: ab identifies two of four words at once."""
    play = small("ax bx cx dx", "abcdx", "ab ax")
    games = slow(play)
    verify(games)
    # dx, then cx; bx and ax at once
    assert games.guesses.tolist() == [[2, 3, 2, 2], [2, 3, 4, 1]]
    assert games.best() == 0


def test_of_equally_good_start_words_the_best_scored_is_taken() -> None:
    """The order in which they are given does not matter; an answer comes first."""
    play = small("ax bx", "abx", "xx bx ax")
    games = slow(play)
    assert games.totals.tolist() == [5, 3, 3]
    best = play.starts[games.best()].tobytes()
    assert best == play.answers[0].tobytes()


def test_the_digest_does_not_depend_on_order() -> None:
    """Reordered start words and answers keep the digest; one more guess changes it."""
    play = small("abc bca cab aab bbd dca", starts="bbb abc ddd")
    games = slow(play)
    starts, order = [2, 0, 1], [3, 1, 5, 0, 2, 4]
    other = Play(play.answers[order], play.starts[starts], play.letters)
    again = Games(other, games.guesses[starts][:, order])
    assert again.digest() == games.digest()
    again.guesses[0, 0] += 1
    assert again.digest() != games.digest()


@settings(max_examples=60, deadline=None)
@given(
    listed=st.lists(st.text("abc", min_size=4, max_size=4), min_size=1, max_size=10, unique=True)
)
def test_every_game_is_verified(listed: list[str]) -> None:
    """Right numbers pass, and the distributions agree with them."""
    games = slow(small(" ".join(listed), "abc"))
    verify(games)
    for start in range(len(listed)):
        assert sum(games.distribution(start).values()) == len(listed)
        total = sum(guesses * n for guesses, n in games.distribution(start).items())
        assert total == games.totals[start]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (lambda table: table[:, :-1], "shape"),
        (lambda table: table.astype(np.int64), "not an array of uint8"),
        (lambda table: table * 0, "less than 1"),
        (lambda table: np.full_like(table, 255), "less than 1 or more than"),
        (lambda table: np.maximum(table, 2), "one guess is enough"),
        (lambda table: table[::-1].copy(), "one guess is enough"),
        (lambda table: table + (table > 1).astype(np.uint8), r"expected \d+ guesses, got"),
    ],
)
def test_wrong_games_are_refused(fault, message: str) -> None:  # type: ignore[no-untyped-def]
    """Cover another shape or type, impossible numbers, and a wrong number of guesses."""
    games = slow(small("abc bca cab aab bbd dca"))
    with pytest.raises(WrongAnswer, match=message):
        verify(Games(games.play, fault(games.guesses)))


@pytest.mark.parametrize("rows", [np.zeros((0, 2)), np.zeros((2, 2)), np.full((1, 2), 9)])
def test_no_words_equal_words_and_foreign_letters_are_no_play(rows: np.ndarray) -> None:
    good = np.array([[0, 1]], np.uint8)
    with pytest.raises(ValueError, match=r"must|have a word twice|beyond"):
        Play(rows.astype(np.uint8), good, 4)
    with pytest.raises(ValueError, match=r"must|have a word twice|beyond"):
        Play(good, rows.astype(np.uint8), 4)
    with pytest.raises(ValueError, match="as long"):
        Play(good, np.array([[0, 1, 2]], np.uint8), 4)


def test_a_long_alphabet_needs_wider_numbers() -> None:
    """A game of 5 letters of 26 has at most 126 guesses, one of 5 letters of 64 up to 316."""
    assert play_of(answers()).longest == 126
    assert play_of(answers()).dtype == np.uint8
    wide = Play(np.zeros((1, 5), np.uint8), np.zeros((1, 5), np.uint8), 64)
    assert (wide.longest, wide.dtype) == (316, np.uint16)
