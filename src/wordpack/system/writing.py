"""Write files atomically: to a temporary file beside the target, then renamed."""

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
"""Error handler that escapes a file name's undecodable bytes instead of failing."""


def writes_whole(path: str) -> bool:
    """Return whether writing to `path` replaces a file, unlike a pipe or a device."""
    return not exists(path) or is_file(path) or is_folder(path)


@contextmanager
def replaced(path: str) -> Iterator[IO[str]]:
    """Yield a UTF-8 stream whose content becomes the file at `path` when the block succeeds.

    Until then, and if the block fails, an existing file is unchanged. A device or a pipe is
    written directly. Raises InputError if the path cannot be written.
    """
    try:
        target = Path(os.path.realpath(path))  # fails if the current folder is gone
        mode = Path(path).stat().st_mode if Path(path).exists() else None
        if not path or (mode is not None and stat.S_ISDIR(mode)):
            raise IsADirectoryError(None, "it is a folder")
        if mode is not None and not stat.S_ISREG(mode):
            # open the link itself: the target of /dev/stdout may have no name
            with Path(path).open("w", encoding="utf-8", errors=ESCAPED, newline="") as stream:
                yield stream
            return
        if mode is not None and not os.access(target, os.W_OK):
            raise PermissionError(None, "the file is read-only")
        # an unpredictable name, so that nobody can plant a link there
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
    """Yield the stream for results: standard output if `path` names it, else `replaced(path)`."""
    if path is None or is_stdout(path):
        yield sys.stdout
        sys.stdout.flush()
    else:
        with replaced(path) as stream:
            yield stream
