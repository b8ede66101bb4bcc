"""Whole games of the hint solver, and hints in a process that asks again and again."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from series import verified
from series.table import PLAY_SECONDS, PLAYERS, PLAYS, SHORT, UNKNOWN

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from series.verified import Games as Answer
    from series.verified import Play

SAMPLED = 97
"""The numpy backend also plays every so many-th start word if no answer is known."""


@cache
def play(name: str) -> Play:
    """Return a named play; n/a at a commit without it."""
    known = verified.package().PLAYS
    if name not in known:
        raise verified.Skip(UNKNOWN, f"no play is called {name}")
    with verified.no_skip():
        return verified.package().load_play(known[name].spec)


@cache
def prepared(backend: str, name: str) -> Any:
    """Return the search that plays a named play, prepared once per process."""
    return verified.preparing_problem(backend, play(name), name)


def short(backend: str, name: str) -> None:
    """Skip, as n/a, what takes too long."""
    seconds = PLAY_SECONDS.get((backend, name), 0)
    if seconds > SHORT:
        raise verified.Skip(
            verified.package().Reason.TOO_LONG,
            f"left out: it takes some {seconds:g} s, over {SHORT}",
        )


class Games:
    """All games of a play, from prepared inputs to all guesses on the host."""

    params = (PLAYERS, PLAYS)
    param_names = ("backend", "instance")
    version = "1"
    rounds = 2
    repeat = (1, 30, 2.0)
    timeout = 300
    answer: Answer | None = None
    search: Any = None

    def setup(self, backend: str, name: str) -> None:
        """Prepare once per process."""
        short(backend, name)
        self.search = prepared(backend, name)

    def time_run(self, _backend: str, _name: str) -> None:
        """Play."""
        self.answer = self.search.run()

    def teardown(self, _backend: str, name: str) -> None:
        """Compare all games with the known ones, by digest."""
        answer, self.answer, self.search = self.answer, None, None
        if answer is None:
            return
        names = verified.package()
        verdict = names.judge(names.checked(answer, play(name)), names.PLAYS[name].expected)
        if verdict.strength != "expected":
            raise verified.wrong(f"the games of {name} differ from the known ones")


@cache
def part(answers: float, starts: float) -> Play:
    """Return a play of the first words of both lists in one random order, so plays are nested."""
    import numpy as np

    whole = play("play-best-start-12972")
    random = np.random.default_rng(2022)
    kept = [
        np.sort(random.permutation(len(rows))[: round(share * len(rows))])
        for rows, share in ((whole.answers, answers), (whole.starts, starts))
    ]
    made: Play = verified.package().Play(
        whole.answers[kept[0]], whole.starts[kept[1]], whole.letters
    )
    return made


class GamesGrowth:
    """Growth with both lists: a share of the answers and a share of 12,972 start words."""

    params = (("game_tree", "game_tree_cuda", "game_tree_opencl"), (0.25, 0.5, 1.0), (0.25, 1.0))
    param_names = ("backend", "answers", "starts")
    version = "1"
    rounds = 2
    repeat = (1, 30, 1.0)
    timeout = 300
    answer: Answer | None = None
    search: Any = None

    def setup(self, backend: str, answers: float, starts: float) -> None:
        """Prepare."""
        name = f"{starts:.0%} of the words against {answers:.0%} of the answers"
        self.search = verified.preparing_problem(backend, part(answers, starts), name)

    def time_run(self, _backend: str, _answers: float, _starts: float) -> None:
        """Play."""
        self.answer = self.search.run()

    def teardown(self, backend: str, answers: float, starts: float) -> None:
        """Verify, and compare some start words' games with the numpy backend's."""
        answer, self.answer, self.search = self.answer, None, None
        if answer is None:
            return
        verified.package().checked(answer, part(answers, starts))
        if (answer.guesses[::SAMPLED] != sampled(answers, starts)).any():
            raise verified.wrong(f"{backend} and hint_arrays play different games")


@cache
def sampled(answers: float, starts: float) -> npt.NDArray[np.unsignedinteger]:
    """Return the guesses of some start words' games, played by the numpy backend."""
    whole = part(answers, starts)
    some = verified.package().Play(whole.answers, whole.starts[::SAMPLED], whole.letters)
    found: Any = verified.preparing_problem("hint_arrays", some, "a sample").run()
    guesses: npt.NDArray[np.unsignedinteger] = found.guesses
    return guesses


ASKED = {
    "filters": (".r.n.", "slatcoe", (), 8),
    "feedback": (".....", "", ("tacit=Y....", "eerie=....."), 32),
}
"""Pattern, absent letters, feedback, and how many words fit, also counted by numpy."""


class Hints:
    """Hints among the 2,315 answers, with prepared words: by filters, or after two guesses."""

    params = (("compiled", "arrays"), tuple(ASKED))
    param_names = ("by", "asked")
    version = "1"
    rounds = 2
    repeat = (10, 50, 1.0)
    places: Any = None

    def setup(self, by: str, asked: str) -> None:
        """Rank the words, compile."""
        import numpy as np

        names = verified.package()
        alphabet = names.Alphabet()
        words = names.ranked(names.read_embedded("wordle-answers", alphabet))
        pattern, absent, guesses, _ = ASKED[asked]
        self.filters = names.Filters.of(pattern, [], absent, alphabet)
        self.clues = [names.Clue.of(guess, alphabet) for guess in guesses]
        consistent = names.consistent

        def arrays(filters: Any, clues: list[Any]) -> Any:
            return np.flatnonzero(filters.fit(words.rows) & consistent(clues, words.rows))

        self.fitting = names.HintScan(words).fitting if by == "compiled" else arrays

    def time_hints(self, _by: str, _asked: str) -> None:
        """Ask once."""
        self.places = self.fitting(self.filters, self.clues)

    def teardown(self, _by: str, asked: str) -> None:
        """Check that the known number of words fit."""
        places, self.places = self.places, None
        if places is not None and len(places) != ASKED[asked][-1]:
            raise verified.wrong(f"{len(places)} words fit where {ASKED[asked][-1]} do")
