"""The named plays of the hint solver, with what is known of their games."""

from dataclasses import dataclass
from typing import Any

from wordpack import reading
from wordpack.alphabet import Alphabet
from wordpack.errors import WrongAnswer
from wordpack.hints import ranked, rows_of
from wordpack.play import Games, Play, play_of, verify


@dataclass(frozen=True)
class PlaySpec:
    """A play in words: whose words are the answers, and which are start words."""

    answers: str
    """An embedded list."""
    length: int = 5
    starts: str | None = None
    """The list of the start words; without one, all answers."""
    best_scored: bool = False
    """Only the answer of the highest score is a start word."""


@dataclass(frozen=True)
class ExpectedGames:
    """What the games of an instance sum to, found by programs that share no code."""

    games: int
    guesses: int
    missed: int
    """Games of more than six guesses."""
    digest: str


@dataclass(frozen=True)
class PlayInstance:
    """A named play."""

    name: str
    title: str
    spec: PlaySpec
    expected: ExpectedGames | None = None
    source: str = ""
    workload: str = "play"


PLAYS: dict[str, PlayInstance] = {
    instance.name: instance
    for instance in (
        PlayInstance(
            "play-all",
            "the best-scored word first, against all 2,315 answers",
            PlaySpec("wordle-answers", best_scored=True),
        ),
        PlayInstance(
            "play-best-start",
            "every answer as the start word, against all 2,315",
            PlaySpec("wordle-answers"),
        ),
        PlayInstance(
            "play-best-start-12972",
            "every word of Wordle's list as the start word, against all 2,315 answers",
            PlaySpec("wordle-answers", starts="wordle"),
        ),
    )
}


def load(spec: PlaySpec) -> Play:
    """Read the lists of `spec` and return its play, by the letter strings of its answers."""
    answers = ranked(_words(spec.answers, spec.length))
    if spec.starts is not None:
        return play_of(answers, rows_of(_words(spec.starts, spec.length)))
    return play_of(answers, answers.rows[:1] if spec.best_scored else None)


def _words(name: str, length: int) -> Any:
    return reading.read_embedded(name, Alphabet(), length).select(length, repeats=True)


def checked(answer: object, play: Play) -> dict[str, int | str]:
    """Return what the games of `play` sum to, by the names of ExpectedGames.

    Raises WrongAnswer for what is not their answer, as far as the verifier can tell.
    """
    if not isinstance(answer, Games) or answer.play is not play:
        raise WrongAnswer("it did not play the games it was given")
    verify(answer)
    return {
        "games": play.games,
        "guesses": int(answer.totals.sum()),
        "missed": int(answer.missed.sum()),
        "digest": answer.digest(),
    }
