"""Find every way to pick words that share no letter, and measure how fast it can be done.

The names below are imported when they are first used: `import wordpack` alone loads nothing else.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from wordpack.errors import InputError, Unavailable, WrongAnswer

if TYPE_CHECKING:
    from wordpack.library.diagnosis import Diagnosis, doctor
    from wordpack.library.games import Candidates, Game, hints, play
    from wordpack.library.listing import backends, instances, words
    from wordpack.library.playing import Tally, play_all
    from wordpack.library.problems import problem
    from wordpack.library.racing import Board, Result, race
    from wordpack.library.solving import Answer, Counted, count, solve
    from wordpack.library.sweeping import sweep

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Board",
    "Candidates",
    "Counted",
    "Diagnosis",
    "Game",
    "InputError",
    "Result",
    "Tally",
    "Unavailable",
    "WrongAnswer",
    "backends",
    "count",
    "doctor",
    "hints",
    "instances",
    "play",
    "play_all",
    "problem",
    "race",
    "solve",
    "sweep",
    "words",
]

_HOMES = {
    "diagnosis": ("Diagnosis", "doctor"),
    "games": ("Candidates", "Game", "hints", "play"),
    "listing": ("backends", "instances", "words"),
    "playing": ("Tally", "play_all"),
    "problems": ("problem",),
    "racing": ("Board", "Result", "race"),
    "sweeping": ("sweep",),
    "solving": ("Answer", "Counted", "count", "solve"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}
"""The module of wordpack.library that defines each name."""


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'wordpack' has no attribute {name!r}")
    found: object = getattr(import_module(f"wordpack.library.{_HOME[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
