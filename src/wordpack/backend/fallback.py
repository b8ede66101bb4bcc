"""Let 'auto' go on without a library that turns out to be of no use, and say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from wordpack.backend.registry import ROWS
from wordpack.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from wordpack.backend.row import Row

Unusable = dict[str, str]
"""Libraries that cannot be used in this process, by their name in `Row.needs`, and why."""

Choice = TypeVar("Choice")
Made = TypeVar("Made")


def note(row: Row, reason: Unavailable, unusable: Unusable) -> None:
    """Remember that what `row` needs cannot be used, so that no other backend tries it again."""
    if row.needs:
        unusable.setdefault(row.needs, str(reason))


def prepared(
    choose: Callable[[Unusable], tuple[Row, Choice]], prepare: Callable[[Row], Made], *, auto: bool
) -> tuple[Row, Choice, Made, Unusable]:
    """Return a backend, what it was chosen by, and what `prepare` makes with it.

    With `auto` both are done again without each library that turns out to be of no use; those are
    returned too. Raises Unavailable if a backend that needs none fails, or if not `auto`.
    """
    unusable: Unusable = {}
    while True:
        known = len(unusable)
        try:
            row, choice = choose(unusable)
            return row, choice, _made(row, prepare, unusable), unusable
        except Unavailable:
            if not auto or len(unusable) == known:
                raise


def _made(row: Row, prepare: Callable[[Row], Made], unusable: Unusable) -> Made:
    if row.needs in unusable:  # there was no other to choose
        raise Unavailable(unusable[row.needs])
    try:
        return prepare(row)
    except Unavailable as reason:
        note(row, reason, unusable)
        raise


def said(row: Row, unusable: Unusable) -> str | None:
    """Return the line that says why `row` was taken; None if only devices cannot be used."""
    usual = {each.needs for each in ROWS if each.needs and not each.start_up}
    reasons = [
        f"backends that need {library} cannot run here: {why.rstrip('.')}"
        for library, why in unusable.items()
        if library in usual
    ]
    return f"using {row.name}, since {'; '.join(reasons)}" if reasons else None
