"""Report failures of libraries that only some commands need, in one line.

An import runs a library's code, and that code reads configuration: either may raise anything.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from wordpack.errors import InputError, Unavailable
from wordpack.text.formatting import shown

LONGEST = 300
"""Most characters shown of a library's own message."""

OURS = {"PYOPENCL_NO_CACHE"}
"""Variables that we set ourselves, so advice never names them."""

TOGETHER = {"Dask": ("dask", "distributed")}
"""Packages that are useless without each other."""

REMEDIES = {
    "Dask": "correct what it names in Dask's configuration, or reinstall it",
    "llvmlite": "reinstall numba",
    "numba": "reinstall it, in a version for this numpy",
}
"""Advice for packages that need their own, when no variable can be at fault."""


@contextmanager
def loaded(
    package: str, missing: str, kind: type[InputError | Unavailable] = Unavailable
) -> Iterator[None]:
    """Raise `kind`, with one line, if the imports in the block fail.

    The line is `missing` if the package itself or a part of it is not installed, but not if
    the missing module is a dependency of the package.
    """
    with set_up(package, "imported", kind):
        try:
            yield
        except ModuleNotFoundError as error:
            lacking = (error.name or "").partition(".")[0]
            if lacking not in TOGETHER.get(package, (package.lower(),)):
                raise
            raise kind(missing) from None


@contextmanager
def set_up(
    package: str,
    done: str = "set up",
    kind: type[InputError | Unavailable] = Unavailable,
    *,
    passing: tuple[type[Exception], ...] = (),
) -> Iterator[None]:
    """Raise `kind`, with one line, for anything that a library raises in the block.

    The line gives the package, its message, and the environment variables that may be wrong.
    Our own errors, those in `passing`, interrupts and MemoryError pass through.
    """
    ours = (InputError, Unavailable, KeyboardInterrupt, GeneratorExit, MemoryError)
    through: tuple[type[BaseException], ...] = (*ours, *passing)
    try:
        yield
    except through:
        raise
    # a library written in Rust panics with a BaseException, and a library may call sys.exit
    except BaseException as error:
        said = _said(error)
        if names := blamed(package, error):
            wrong = " or ".join(f"{name}={os.environ[name]}" for name in names)
            raise kind(f"{package} refuses {wrong} ({said}): correct or unset it.") from None
        advice = REMEDIES.get(package, "correct what it names, or reinstall it")
        if names := _settings(package):
            advice = f"check {', '.join(names)}, or reinstall it"
        raise kind(f"{package} cannot be {done} ({said}): {advice}.") from None


def blamed(package: str, error: BaseException) -> list[str]:
    """Return the package's environment variables whose value is a word of its message.

    Return [] for system and connection errors, whose messages hold addresses and files.
    """
    if not isinstance(_first(error), TypeError | ValueError | KeyError):
        return []
    said = _said(error)
    return [
        name
        for name in _settings(package)
        if re.search(rf"(?<!\w){re.escape(os.environ[name])}(?!\w)", said)
    ]


def _settings(package: str) -> list[str]:
    """Return the environment variables that are set and have the package's prefix."""
    return sorted(
        name
        for name, value in os.environ.items()
        if value and name not in OURS and name.startswith(f"{package.upper()}_")
    )


def _first(error: BaseException) -> BaseException:
    """Return the first cause."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def _said(error: BaseException) -> str:
    """Return the kind and message of the first cause, on one line."""
    error = _first(error)
    return shown(" ".join(f"{type(error).__name__}: {error}".split()), LONGEST)
