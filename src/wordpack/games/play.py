"""Whole games of the hint solver: always the best-scored word that all feedback so far allows.

A game begins with its start word, which may be outside the list, and ends when the answer is
guessed, however late. A wrong guess rules out a letter at one position or more, so a game has at
most length * (letters - 1) + 1 guesses.
Cost: one number for each pair of start word and answer.
"""

import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wordpack.errors import WrongAnswer
from wordpack.games.hints import Letters, Ranked

GUESSES = 6
"""Guesses that the game allows; an answer found later is missed."""

REPLAYED = 64
"""Games that the verifier replays."""

Numbers = npt.NDArray[np.unsignedinteger]


@dataclass(frozen=True, eq=False)
class Play:
    """Every game of some start words over a list of answers, which are also the candidates."""

    answers: Letters
    """(n, length), distinct and sorted by score: the first that fits is guessed."""
    starts: Letters
    """(s, length), distinct."""
    letters: int
    """The number of letters in the alphabet."""

    def __post_init__(self) -> None:
        """Raise ValueError for words with which no game can be played."""
        for what, rows in (("answers", self.answers), ("starts", self.starts)):
            if rows.ndim != 2 or rows.dtype != np.uint8 or not len(rows):  # noqa: PLR2004
                raise ValueError(f"{what} must be an array of uint8, words by letters, not empty")
            if not rows.shape[1] or int(rows.max()) >= self.letters:
                raise ValueError(f"{what} have no letter, or one beyond the alphabet's")
            if len(np.unique(rows, axis=0)) < len(rows):
                raise ValueError(f"{what} have a word twice")
        if self.answers.shape[1] != self.starts.shape[1]:
            raise ValueError("start words must be as long as the answers")

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.answers) * len(self.starts)

    @property
    def longest(self) -> int:
        """An upper bound on the guesses of a game."""
        return int(self.answers.shape[1]) * (self.letters - 1) + 1

    @property
    def dtype(self) -> np.dtype[np.unsignedinteger]:
        """The type that holds the guesses of a game: uint8 if that is enough, else uint16."""
        return np.dtype(np.uint8) if self.longest <= np.iinfo(np.uint8).max else np.dtype(np.uint16)


@dataclass(frozen=True, eq=False)
class Games:
    """How many guesses each game took: the answer of the workload 'play'."""

    play: Play
    guesses: Numbers
    """(s, n) of `play.dtype`: row by start word, column by answer, in the order of `play`."""

    def digest(self) -> str:
        """Return the sha256 (hex) of all games, independent of the order of words.

        It covers the numbers of start words, answers and letters per word, as little-endian
        uint64; then the start words and the answers in the alphabet's order, one byte per letter;
        then the guesses of each start word's games, with answers in the same order, as
        little-endian uint16.
        """
        play = self.play
        starts, answers = (np.lexsort(rows.T[::-1]) for rows in (play.starts, play.answers))
        shape = (len(starts), len(answers), play.answers.shape[1])
        sha = hashlib.sha256(np.array(shape, "<u8").data)
        sha.update(np.ascontiguousarray(play.starts[starts]).data)
        sha.update(np.ascontiguousarray(play.answers[answers]).data)
        for start in starts:
            sha.update(self.guesses[start, answers].astype("<u2").data)
        return sha.hexdigest()

    @cached_property
    def totals(self) -> npt.NDArray[np.int64]:
        """Total guesses over all games of each start word, (s,)."""
        totals: npt.NDArray[np.int64] = self.guesses.sum(axis=1, dtype=np.int64)
        return totals

    @cached_property
    def missed(self) -> npt.NDArray[np.int64]:
        """How many games of each start word took more than GUESSES guesses, (s,)."""
        missed: npt.NDArray[np.int64] = (self.guesses > GUESSES).sum(axis=1, dtype=np.int64)
        return missed

    def distribution(self, start: int) -> dict[int, int]:
        """Return how many games of a start word took 1, 2, ... guesses, up to its maximum."""
        counts = np.bincount(self.guesses[start])
        return {guesses: int(counts[guesses]) for guesses in range(1, len(counts))}

    def best(self) -> int:
        """Return the start word with the fewest guesses; ties go to the highest score.

        In a tie, answers come before other words, which go by the alphabet.
        """
        least = np.flatnonzero(self.totals == self.totals.min())
        answers = {row.tobytes(): place for place, row in enumerate(self.play.answers)}
        keys = [self.play.starts[start].tobytes() for start in least]
        order = [(answers.get(key, len(answers)), key) for key in keys]
        return int(least[order.index(min(order))])


def play_of(ranked: Ranked, starts: Letters | None = None) -> Play:
    """Return the games of `starts` (s, length) over `ranked`; by default, of all its words."""
    return Play(ranked.rows, ranked.rows if starts is None else starts, len(ranked.alphabet))


def replay(play: Play, start: int, answer: int) -> list[tuple[int, ...]]:
    """Return the guesses of one game, played straight from the definition."""
    words = [tuple(row) for row in play.answers.tolist()]
    hidden, guess = words[answer], tuple(play.starts[start].tolist())
    guesses, left = [guess], words
    while guess != hidden:
        seen = _marks(guess, hidden)
        left = [word for word in left if _marks(guess, word) == seen]
        guess = left[0]
        guesses.append(guess)
    return guesses


def _marks(guess: tuple[int, ...], answer: tuple[int, ...]) -> list[str]:
    """Return the feedback as a person works it out: first the letters in place, then the others."""
    marks = [
        "placed" if one == other else "absent" for one, other in zip(guess, answer, strict=True)
    ]
    rest = Counter(other for one, other in zip(guess, answer, strict=True) if one != other)
    for place, letter in enumerate(guess):
        if marks[place] == "absent" and rest[letter]:
            rest[letter] -= 1
            marks[place] = "misplaced"
    return marks


def verify(games: Games) -> None:
    """Raise WrongAnswer unless the numbers are well formed and a sample of games agrees.

    This is the verifier: it uses no backend code. A game takes one guess exactly if its start word
    is the answer. REPLAYED games, evenly spread, are replayed by the definition.
    """
    play, guesses = games.play, games.guesses
    shape = (len(play.starts), len(play.answers))
    if not isinstance(guesses, np.ndarray) or guesses.dtype != play.dtype:
        raise WrongAnswer(f"the guesses are not an array of {play.dtype}")
    if guesses.shape != shape:
        raise WrongAnswer(f"expected shape {shape}, got {guesses.shape}")
    if int(guesses.min()) < 1 or int(guesses.max()) > play.longest:
        raise WrongAnswer(f"a game of less than 1 or more than {play.longest} guesses")
    column = {row.tobytes(): place for place, row in enumerate(play.answers)}
    due = [column.get(row.tobytes(), -1) for row in play.starts]
    ones = np.argwhere(guesses == 1).tolist()
    if ones != [[start, answer] for start, answer in enumerate(due) if answer >= 0]:
        raise WrongAnswer("one guess is enough if the start word is the answer, and only then")
    for game in np.linspace(0, play.games - 1, REPLAYED).astype(np.int64).tolist():
        start, answer = divmod(game, shape[1])
        took = len(replay(play, start, answer))
        if guesses[start, answer] != took:
            raise WrongAnswer(
                f"game {answer} of start word {start}: expected {took} guesses, "
                f"got {guesses[start, answer]}"
            )
