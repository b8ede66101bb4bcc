"""Write a file whole or not at all: beside its target, then renamed."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from wordpack.errors import InputError
from wordpack.system import leftovers
from wordpack.system.paths import exists, is_file, is_folder

ESCAPED = "backslashreplace"
"""What becomes of a file name's bytes that are no text: they are shown, not a crash."""


def writes_whole(path: str) -> bool:
    """Return whether what is written to `path` replaces a file, not what a pipe or device got."""
    return not exists(path) or is_file(path) or is_folder(path)


@contextmanager
def replaced(path: str) -> Iterator[IO[str]]:
    """Give a UTF-8 stream whose content becomes the file at `path` when the block succeeds.

    Until then, and for ever where the block fails, what stood there stays. A device or a pipe is
    written directly. Raises InputError where the place cannot be written.
    """
    try:
        target = Path(os.path.realpath(path))  # which asks for a current folder, and it may be gone
        mode = Path(path).stat().st_mode if Path(path).exists() else None
        if not path or (mode is not None and stat.S_ISDIR(mode)):
            raise IsADirectoryError(None, "it is a folder")
        if mode is not None and not stat.S_ISREG(mode):
            # by its own name: what /dev/stdout leads to may have none
            with Path(path).open("w", encoding="utf-8", errors=ESCAPED, newline="") as stream:
                yield stream
            return
        if mode is not None and not os.access(target, os.W_OK):
            raise PermissionError(None, "the file is read-only")
        # a name that others cannot foresee, and put a link under
        unfinished = target.with_name(f".{target.name}.{os.urandom(8).hex()}.part")
        leftovers.sweep(target.parent, f".{target.name}.", ".part")
        stream = unfinished.open("x", encoding="utf-8", errors=ESCAPED, newline="")
    except OSError as error:
        raise InputError(
            f"cannot write {path or repr(path)}: {error.strerror}; "
            "name a file in a folder that can be written"
        ) from None
    held = leftovers.hold(unfinished)
    try:
        with stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            unfinished.chmod(stat.S_IMODE(mode))
        unfinished.replace(target)
    except OSError as error:
        raise InputError(
            f"writing {path} failed: {error.strerror}; the existing file is unchanged"
        ) from None
    finally:
        unfinished.unlink(missing_ok=True)
        if held is not None:
            os.close(held)


def is_stdout(path: str | None) -> bool:
    """Return whether `path` names standard output: None or "-"."""
    return path is None or path == "-"


@contextmanager
def destination(path: str | None) -> Iterator[IO[str]]:
    """Give the stream for results: `replaced(path)`, or standard output where it is named."""
    if path is None or is_stdout(path):
        yield sys.stdout
        sys.stdout.flush()
    else:
        with replaced(path) as stream:
            yield stream
