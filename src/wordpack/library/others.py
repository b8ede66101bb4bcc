"""Backends that are not in our table: of other packages, and classes of the caller's own."""

import sys
from base64 import b64encode

from wordpack.backend import registry
from wordpack.backend.base import Backend
from wordpack.backend.row import Row
from wordpack.errors import InputError, Unavailable


def know(backend: str) -> None:
    """Let the registry have a backend of another package; looking for it takes time."""
    if backend != "auto" and all(backend != row.name for row in registry.ROWS):
        from wordpack.racing import plugins

        plugins.know(backend)


def named(backend: str | type[Backend]) -> str:
    """Return the name of a backend, one of the caller's own classes too, which is then known."""
    if isinstance(backend, str):
        know(backend)
        return backend
    row = row_of(backend)
    registry.add(row)
    return row.name


def row_of(backend: type[Backend]) -> Row:
    """Return the row of a class of the caller's own, called as the class is.

    Another process finds it in its script, in its module's file, or pickled, if a notebook or a
    function has it. Raises InputError for what is no backend, Unavailable without cloudpickle.
    """
    if not (isinstance(backend, type) and issubclass(backend, Backend)):
        raise InputError(f"{backend!r} is no backend: give a name, or a subclass of Backend")
    module = sys.modules.get(backend.__module__)
    file = getattr(module, "__file__", None) or ""
    if "<locals>" in backend.__qualname__:
        file = ""
    about, name = backend.about, backend.__name__
    return Row(
        name,
        f"{backend.__module__}:{backend.__qualname__}",
        about.algorithm or name,
        about.summary,
        about.options,
        about.workload,
        about.counts_only,
        file=file,
        pickled="" if file else _pickled(backend),
    )


def _pickled(backend: type[Backend]) -> str:
    try:
        import cloudpickle  # type: ignore[import-untyped]
    except ImportError:
        raise Unavailable(
            f"{backend.__name__} is in no file, so that other processes need cloudpickle for it: "
            "`pip install 'wordpack[notebook]'` does it."
        ) from None
    return b64encode(cloudpickle.dumps(backend)).decode()
