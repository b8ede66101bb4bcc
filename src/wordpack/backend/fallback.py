"""Let 'auto' continue without a library that turns out to be unusable, and say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from wordpack.backend.registry import ROWS
from wordpack.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from wordpack.backend.row import Row

Unusable = dict[str, str]
"""Why libraries cannot be used in this process, by their name in `Row.needs`."""

Choice = TypeVar("Choice")
Made = TypeVar("Made")


def note(row: Row, reason: Unavailable, unusable: Unusable) -> None:
    """Record that the library of `row` is unusable, so that no other backend tries it."""
    if row.needs:
        unusable.setdefault(row.needs, str(reason))


def prepared(
    choose: Callable[[Unusable], tuple[Row, Choice]], prepare: Callable[[Row], Made], *, auto: bool
) -> tuple[Row, Choice, Made, Unusable]:
    """Choose and prepare a backend; return its row, the choice, the result, unusable libraries.

    With `auto`, this is repeated without each library that turns out to be unusable. Raises
    Unavailable without `auto`, or if a backend fails that needs no library.
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
    if row.needs in unusable:  # no other backend was left to choose
        raise Unavailable(unusable[row.needs])
    try:
        return prepare(row)
    except Unavailable as reason:
        note(row, reason, unusable)
        raise


def said(row: Row, unusable: Unusable) -> str | None:
    """Return a line that says why `row` was chosen; None if only devices are unusable."""
    usual = {each.needs for each in ROWS if each.needs and not each.start_up}
    reasons = [
        f"backends that need {library} cannot run here: {why.rstrip('.')}"
        for library, why in unusable.items()
        if library in usual
    ]
    return f"using {row.name}, since {'; '.join(reasons)}" if reasons else None
