"""Names that a shell completes: of instances, lists, backends."""

from collections.abc import Callable

import click


def names_of(kind: str) -> Callable[..., list[str]]:
    """Return a completer for the names of a kind that `wordpack.catalogue` knows."""

    def complete(_context: click.Context, _param: click.Parameter, begun: str) -> list[str]:
        from wordpack.catalogue import names

        return [name for name in names(kind) if name.startswith(begun)]

    return complete
