"""Shell completion for the names of instances, word lists and backends."""

from collections.abc import Callable

import click


def names_of(kind: str) -> Callable[..., list[str]]:
    """Return a completer for one kind of name; `wordpack.commands.listing` has the kinds."""

    def complete(_context: click.Context, _param: click.Parameter, begun: str) -> list[str]:
        from wordpack.commands.listing import names

        return [name for name in names(kind) if name.startswith(begun)]

    return complete
