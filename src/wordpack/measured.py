"""Stable names for the benchmark suites to import, wherever the code itself moves.

asv runs today's suite against other commits, so never remove a name or change its meaning. A
commit that lacks a name shows n/a in that series. Names are imported on first use, so that a
series measures only the memory of what it uses.
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
    """Import a name from the module that defines it now."""
    if name not in _PLACES:
        raise AttributeError(f"wordpack.measured has no {name}")
    module, attribute = _PLACES[name]
    return getattr(import_module(f"wordpack.{module}"), attribute)


def __dir__() -> list[str]:
    """Return the names."""
    return sorted(_PLACES)
