"""Backends outside our table: from other packages, or the caller's own classes."""

import sys
from base64 import b64encode

from wordpack.backend import registry
from wordpack.backend.base import Backend
from wordpack.backend.row import Row
from wordpack.errors import InputError, Unavailable


def know(backend: str) -> None:
    """Register a backend of another package, unless our table has one of that name."""
    if backend != "auto" and all(backend != row.name for row in registry.ROWS):
        from wordpack.racing import plugins

        plugins.know(backend)


def named(backend: str | type[Backend]) -> str:
    """Return a backend's name; a class of the caller's own is registered first."""
    if isinstance(backend, str):
        know(backend)
        return backend
    row = row_of(backend)
    registry.add(row)
    return row.name


def row_of(backend: type[Backend]) -> Row:
    """Return a table row for the caller's own class; the backend has the class's name.

    Other processes import the class from its script or module file. A class defined in a notebook
    or a function is pickled for them. Raises InputError if it is not a backend, Unavailable if
    cloudpickle is needed and missing.
    """
    if not (isinstance(backend, type) and issubclass(backend, Backend)):
        raise InputError(f"{backend!r} is not a backend: give a name, or a subclass of Backend")
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
            f"{backend.__name__} is not defined in a file, so other processes need cloudpickle to "
            "load it: run `pip install 'wordpack[notebook]'`."
        ) from None
    return b64encode(cloudpickle.dumps(backend)).decode()
