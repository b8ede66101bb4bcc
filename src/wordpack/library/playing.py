"""Play whole games of the hint solver from one or many start words, counted and verified."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack, cast

import numpy as np

from wordpack.backend import choosing, fallback
from wordpack.backend.base import Options
from wordpack.errors import InputError, WrongAnswer
from wordpack.games.hints import Letters, Ranked, rows_of
from wordpack.games.instances import PLAYS, PlaySpec
from wordpack.games.loading import checked
from wordpack.games.play import GUESSES, Games, Play, play_of
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.letters import LATIN, WHITE
from wordpack.library import others
from wordpack.library.clusters import Cluster, planned
from wordpack.library.games import LENGTH, LIST, Listed, ranked_by, row_of, words_of
from wordpack.library.showing import refuse_unknown
from wordpack.solving.judge import judge

if TYPE_CHECKING:
    from collections.abc import Callable

    from wordpack.backend.base import Prepared
    from wordpack.backend.row import Row

BEST = "best"
"""The value of `start` that asks for the start word with the best average."""

MOST = 1 << 31
"""The most games that are held at a time; the guesses of each take a byte or two."""


@dataclass(frozen=True)
class Asked:
    """The words to play with."""

    listed: Ranked
    name: str
    """Name of the list of answers."""
    starts: Letters
    """Start words, shape (s, length)."""
    spec: PlaySpec | None
    """The same as a spec, if a named instance could have it."""


class GamesChoices(Listed, Cluster, total=False):
    """Which words can be the hidden word, and where to play."""


class Tally(NamedTuple):
    """The games of one start word, one for each answer."""

    start: str
    """The start word; the one with the best average if several were tried."""
    start_words: int
    games: int
    """Number of answers."""
    guesses: int
    average: float
    distribution: dict[int, int]
    """Number of games by number of guesses."""
    missed: tuple[str, ...]
    """Answers that took more than six guesses."""
    verified: str
    """'expected', or 'valid' (some games were replayed)."""
    backend: str
    """On a cluster, its workers and their backends."""
    seconds: float | None
    """Time for the games of all start words; None if an earlier run played some of them."""


def play_all(
    *,
    start: str | None = None,
    starts: str | None = None,
    backend: str = "auto",
    **choices: Unpack[GamesChoices],
) -> Tally:
    """Let the hint solver play for every answer of a list, and count its guesses.

    `start` is the first guess (default: the word with the highest score), or 'best' to find the
    word of the list with the best average. `starts` names an embedded list to find the best start
    word in instead. With `cluster`, the workers of a Dask cluster share the games. Raises
    InputError for bad input, and WrongAnswer if the games differ from the known ones.
    """
    refuse_unknown("play_all", choices, GamesChoices.__optional_keys__)
    plan = planned(choices, backend)
    listed = {name: each for name, each in choices.items() if name in Listed.__optional_keys__}
    what = asked(cast("Listed", listed), start, starts)
    ran: list[tuple[str, float | None]] = []

    def play(problem: Play) -> tuple[Games, str]:
        if plan is None:
            here = run(problem, backend)
            ran.append((here.row.name, here.seconds))
            return here.games, f"by {here.row.name}"
        from wordpack.cluster.playing import play_on

        there = play_on(plan.address, problem, plan.sharing, plan.certificates)
        ran.append((there.device, None if there.resumed else there.seconds))
        return there.games, f"on {there.device}"

    played = games_of(what, play)
    return Tally(
        **sums(what, played.games),
        verified="expected" if played.known else "valid",
        backend=ran[0][0],
        seconds=ran[0][1],
    )


def sums(what: Asked, games: Games) -> dict[str, Any]:
    """Sum up the games of the best start word, under the names of a Tally's fields."""
    n, best = len(what.listed), games.best()
    late = np.flatnonzero(games.guesses[best] > GUESSES).tolist()
    missed = sorted((what.listed.words[place] for place in late), key=what.listed.alphabet.sort_key)
    guesses = int(games.totals[best])
    return {
        "start": "".join(
            what.listed.alphabet.letters[place] for place in what.starts[best].tolist()
        ),
        "start_words": len(what.starts),
        "games": n,
        "guesses": guesses,
        "average": guesses / n,
        "distribution": games.distribution(best),
        "missed": tuple(missed),
    }


def asked(
    listed: Listed, start: str | None, starts: str | None, answer: str | None = None
) -> Asked:
    """Return the words to play with, as long as the start word or answer, else five letters."""
    # pasted words can have white space around them, as lines of a list can
    start, answer = (each and (each.strip(WHITE) or each) for each in (start, answer))
    alphabet = Alphabet(listed.get("letters", LATIN))
    word = None if start is None or start.lower() == BEST else alphabet.spelt(start)
    if word is not None and starts is not None:
        raise InputError("give one of `start` WORD and `starts` LIST")
    named = answer if word is None else word
    if named == "":
        raise InputError("`start` and `answer` need at least one letter; `start` may also be best")
    length = LENGTH if named is None else len(alphabet.spelt(named))
    words = words_of(listed, length, alphabet)
    ranked = ranked_by(words, listed)
    embedded = listed.get("words", LIST)
    computed = listed.get("table", "computed") == "computed"
    known = isinstance(embedded, str) and computed and alphabet.letters == LATIN
    spec, first = None, ranked.rows[:1]
    if starts is not None:
        spec = PlaySpec(str(embedded), length, starts)
        first = rows_of(words_of({"words": starts}, length, alphabet))
    elif word is not None:
        first = row_of(word, alphabet)[None, :]
    elif start is not None:
        spec, first = PlaySpec(str(embedded), length), ranked.rows
    else:
        spec = PlaySpec(str(embedded), length, best_scored=True)
    return Asked(ranked, words.name, first, spec if known else None)


class Played(NamedTuple):
    """All games of a play, verified."""

    games: Games
    how: str
    """Which backend played them, where, and how long that took."""
    known: str | None
    """The instance with the same digest, if one is known."""
    missed: int


def games_of(what: Asked, play: Callable[[Play], tuple[Games, str]]) -> Played:
    """Play and verify all games; raise WrongAnswer if they differ from the known ones."""
    problem = play_of(what.listed, what.starts)
    if problem.games > MOST:
        raise InputError(
            f"{problem.games:,} games are too many to hold, the limit is {MOST:,}: name a start "
            "word with `start`, or a shorter list of them with `starts`"
        )
    games, how = play(problem)
    found = checked(games, problem)
    for known in PLAYS.values():
        if known.spec == what.spec and known.expected is not None:
            if judge(found, known.expected).differs:
                raise WrongAnswer(f"not the known games: played {how}")
            return Played(games, how, known.name, int(found["missed"]))
    return Played(games, how, None, int(found["missed"]))


class Run(NamedTuple):
    """Games that a backend played in this process."""

    row: Row
    device: str
    games: Games
    instead: str | None
    """Why the usual backend was not used, if it was not."""
    prepare: float
    """Seconds."""
    seconds: float


def run(problem: Play, backend: str) -> Run:
    """Play in this process with the named backend, or 'auto' for the first that can run."""
    options, auto = Options(), backend == "auto"
    others.know(backend)

    def choose(unusable: fallback.Unusable) -> tuple[Row, float]:
        if auto:
            row = choosing.first("play", problem, options, unusable)
        else:
            row = choosing.named(backend, "play", problem, options)
        return row, perf_counter()

    def prepare(row: Row) -> Prepared:
        made: Prepared = row.load().prepare(problem, options)
        return made

    row, started, search, unusable = fallback.prepared(choose, prepare, auto=auto)
    prepared = perf_counter()
    games: Games = search.run()
    seconds = perf_counter() - prepared
    instead = fallback.said(row, unusable)
    return Run(row, search.device, games, instead, prepared - started, seconds)
