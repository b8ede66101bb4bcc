"""List instances, backends, and the words of embedded lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wordpack.backend import registry
from wordpack.errors import Unavailable
from wordpack.games.instances import PLAYS
from wordpack.lexicon import reading
from wordpack.lexicon.alphabet import Alphabet
from wordpack.solving.instances import INSTANCES
from wordpack.solving.spec import check_list

if TYPE_CHECKING:
    from wordpack.backend.row import Row


class Named(NamedTuple):
    """A named instance and its known numbers."""

    name: str
    title: str
    packings: int | None
    """None for whole games, and if unknown."""
    solutions: int | None
    source: str
    """Where the numbers were published, or how they were computed."""


class BackendFacts(NamedTuple):
    """A backend's row in the table, and whether it can run here."""

    name: str
    algorithm: str
    summary: str
    workload: str
    """'packing', or 'play' for whole games."""
    runs: bool
    why_not: str
    """Why it cannot run here; empty if it can."""


def instances() -> list[Named]:
    """Return the named instances; families such as '4x6@wordle' are instances too.

    Examples
    --------
    >>> from wordpack import instances
    >>> [each.name for each in instances() if each.packings == 10]
    ['wordle', 'wordle-12974', 'wordle-12947']
    """
    found = []
    for each in INSTANCES.values():
        known = each.expected
        packings, solutions = (known.packings, known.solutions) if known else (None, None)
        found.append(Named(each.name, each.title, packings, solutions, each.source))
    return found + [
        Named(each.name, each.title, None, None, each.source) for each in PLAYS.values()
    ]


def backends() -> list[BackendFacts]:
    """Return our backends in the order of 'auto'; this loads the libraries that they need."""
    return [
        BackendFacts(row.name, row.algorithm, row.summary, row.workload, not why, why)
        for row in registry.ROWS
        for why in (_why_not(row),)
    ]


def words(name: str, length: int | None = None) -> list[str]:
    """Return the words of an embedded list, in the list's order.

    With `length`, only words of that many letters. Raises InputError if there is no such list.

    Examples
    --------
    >>> from wordpack import words
    >>> len(words("wordle", 5)), words("wordle-answers", 5)[:2]
    (12972, ['aback', 'abase'])
    """
    check_list(name)
    found = reading.read_embedded(name, Alphabet(), length)
    return list(found if length is None else found.select(length, repeats=True))


def _why_not(row: Row) -> str:
    try:
        row.load().probe()
    except Unavailable as reason:
        return str(reason)
    return ""
