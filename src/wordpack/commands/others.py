"""Backends of other packages, looked up only if a name is not in the table: looking takes time."""

from wordpack.backend import registry


def know(backend: str) -> None:
    """Let `--backend` take a backend of another package."""
    if backend != "auto" and all(backend != row.name for row in registry.ROWS):
        from wordpack.racing import plugins

        plugins.know(backend)
