"""Names that a shell completes: of instances, lists, backends."""

from collections.abc import Callable

import click


def names_of(kind: str) -> Callable[..., list[str]]:
    """Return a completer for the names of a kind that `wordpack.commands.listing` knows."""

    def complete(_context: click.Context, _param: click.Parameter, begun: str) -> list[str]:
        from wordpack.commands.listing import names

        return [name for name in names(kind) if name.startswith(begun)]

    return complete
