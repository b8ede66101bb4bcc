"""Check whether another user of this machine can change a folder or file that we would trust.

Code from a cache runs with the rights of the user who loads it, so it must belong to that user or
root. OpenSSH trusts a key file by the same rule: check owner and mode of the file and of each
folder above it.
"""

import os
import stat
from pathlib import Path

ROOT, UNKNOWN = 0, 65534
"""User numbers. A container shows UNKNOWN as the owner if it does not know the real one."""

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
OTHERS_ENTER = stat.S_IXGRP | stat.S_IXOTH


def exposed(place: Path) -> str | None:
    """Return why other users could change the content of `place`; None if they cannot.

    `place` is an absolute path of a folder, without links. A missing folder is not exposed.
    """
    me = os.geteuid()
    for folder in (*reversed(place.parents), place):
        try:
            found = folder.stat()
        except OSError:
            return None  # missing, or closed to us as well
        if not stat.S_ISDIR(found.st_mode):
            return None
        known = (ROOT, me) if folder == place else (ROOT, me, UNKNOWN)
        if found.st_uid not in known:
            return f"{folder} belongs to another user (number {found.st_uid})"
        # in a sticky folder such as /tmp nobody can replace another user's files
        if found.st_mode & OTHERS_WRITE and (folder == place or not found.st_mode & stat.S_ISVTX):
            return f"other users can write to {folder}"
        if found.st_uid == me and not found.st_mode & OTHERS_ENTER:
            return None  # nobody else can enter it
    return None


def is_trusted(file: int) -> bool:
    """Return whether an open file is ours or root's and only its owner can write to it."""
    found = os.fstat(file)
    return found.st_uid in (ROOT, os.geteuid()) and not found.st_mode & OTHERS_WRITE


def make_private(folder: Path) -> None:
    """Create a folder and its missing parents, accessible to this user only."""
    if not os.path.isdir(folder):  # noqa: PTH112  a Path's own method raises for names too long
        make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
