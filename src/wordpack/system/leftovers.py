"""Remove files of killed processes, recognised by a lock that ends with its process."""

import fcntl
import os
import shutil
import stat
from contextlib import suppress
from glob import escape
from pathlib import Path
from time import time

FRESH = 60.0
"""Seconds for which a file is left alone: its process may not have locked it yet."""


def hold(path: Path) -> int | None:
    """Lock a file or folder for this process; return the descriptor that holds it until closed.

    None if the file system has no locks; nothing is ever removed there either.
    """
    with suppress(OSError):
        number = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(number)
            raise
        return number
    return None


def sweep(folder: Path, before: str, after: str = "") -> None:
    """Remove entries of `folder` named `before`*`after` that no process holds."""
    with suppress(OSError):
        for path in folder.glob(f"{escape(before)}*{escape(after)}"):
            # an entry that cannot be removed must not stop the others' removal
            with suppress(OSError):
                _remove_unheld(path)


def _remove_unheld(path: Path) -> None:
    # do not block on a pipe or follow a link
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        found = os.fstat(number)
        mine = found.st_uid == os.geteuid()
        if not mine or abs(time() - found.st_mtime) < FRESH:
            return
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if stat.S_ISDIR(found.st_mode):
            shutil.rmtree(path)
        elif stat.S_ISREG(found.st_mode):
            path.unlink()
    finally:
        os.close(number)
