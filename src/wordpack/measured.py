"""The names that the benchmark suites import: they stay, whatever moves behind them.

asv runs today's suite against other commits. Take no name out, and change the meaning of none; a
commit that lacks a name is n/a there. Each is imported when it is first asked for, so that a series
measures the memory of what it uses.
"""

from importlib import import_module
from typing import Any

_MODULES = {
    "backend.base": ("Backend", "Options", "Search"),
    "backend.registry": ("row",),
    "errors": ("InputError", "Unavailable", "WrongAnswer"),
    "games.feedback": ("Clue", "consistent"),
    "games.hint_scan": ("HintScan",),
    "games.hints": ("Filters", "ranked"),
    "games.instances": ("PLAYS",),
    "games.loading": ("checked", "load as load_play"),
    "games.play": ("Games", "Play"),
    "lexicon.alphabet": ("Alphabet",),
    "lexicon.reading": ("read_embedded",),
    "packing.answer": ("Answer", "Counts", "Packings", "verify"),
    "packing.problem": ("Group", "Problem"),
    "packing.realization": ("Ranks", "solution_ranks", "solutions"),
    "results.reasons": ("Reason",),
    "solving.instances": ("Instance", "instance"),
    "solving.judge": ("judge", "numbers"),
    "solving.loading": ("Loaded", "load"),
}
_PLACES = {
    name.split()[-1]: (module, name.split()[0])
    for module, names in _MODULES.items()
    for name in names
}


def __getattr__(name: str) -> Any:
    """Return one of the names, from the module that has it now."""
    if name not in _PLACES:
        raise AttributeError(f"wordpack.measured has no {name}")
    module, attribute = _PLACES[name]
    return getattr(import_module(f"wordpack.{module}"), attribute)


def __dir__() -> list[str]:
    """Return the names."""
    return sorted(_PLACES)
