"""The named plays of the hint solver, with the known results of their games."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PlaySpec:
    """A play by name: the list of its answers, and its start words."""

    answers: str
    """The name of an embedded list."""
    length: int = 5
    starts: str | None = None
    """The list of start words; None means all answers."""
    best_scored: bool = False
    """Whether the answer with the highest score is the only start word."""


@dataclass(frozen=True)
class ExpectedGames:
    """Totals of an instance's games, found by programs that share no code."""

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


_TWO_WAYS = "by hint_arrays and game_tree, which share no code"

PLAYS: dict[str, PlayInstance] = {
    instance.name: instance
    for instance in (
        PlayInstance(
            "play-all",
            "the best-scored word first, against all 2,315 answers",
            PlaySpec("wordle-answers", best_scored=True),
            ExpectedGames(
                2_315,
                8_645,
                21,
                "cd3d0870b38cc9146ef66261662cc4072fb3f59a3d446ff5b65787412ff86ef2",
            ),
            "by hint_filters, hint_arrays and game_tree, which share no code",
        ),
        PlayInstance(
            "play-best-start",
            "every answer as the start word, against all 2,315",
            PlaySpec("wordle-answers"),
            ExpectedGames(
                5_359_225,
                21_041_519,
                61_979,
                "a01d39187757347a37a42795f85479dac1c0ecad052cd23df0c835dc08f949a9",
            ),
            _TWO_WAYS,
        ),
        PlayInstance(
            "play-best-start-12972",
            "every word of Wordle's list as the start word, against all 2,315 answers",
            PlaySpec("wordle-answers", starts="wordle"),
            ExpectedGames(
                30_030_180,
                118_457_653,
                357_567,
                "77e1fe7c30f170822471ef98bd2bc42b9a10a0412a168bcb948769a366837a6e",
            ),
            _TWO_WAYS,
        ),
    )
}
