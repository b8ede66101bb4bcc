"""Load the play of a PlaySpec, and check and sum the games of a play."""

from wordpack.errors import WrongAnswer
from wordpack.games.hints import ranked, rows_of
from wordpack.games.instances import PlaySpec
from wordpack.games.play import Games, Play, play_of, verify
from wordpack.lexicon import reading
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.lexicon import Lexicon


def load(spec: PlaySpec) -> Play:
    """Read the lists of `spec` and return its play, scored by its answers' letter strings."""
    answers = ranked(_words(spec.answers, spec.length))
    if spec.starts is not None:
        return play_of(answers, rows_of(_words(spec.starts, spec.length)))
    return play_of(answers, answers.rows[:1] if spec.best_scored else None)


def _words(name: str, length: int) -> Lexicon:
    return reading.read_embedded(name, Alphabet(), length).select(length, repeats=True)


def checked(answer: object, play: Play) -> dict[str, int | str]:
    """Return the totals of the games of `play`, by the names of ExpectedGames.

    Raises WrongAnswer if the verifier finds that `answer` is not the answer to `play`.
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
