"""Machine code kept in the user's cache folder between processes, each file with its digest.

Where no folder can be written, nothing is kept; what was damaged is as if it had never been kept.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from wordpack import leftovers

CACHE = "WORDPACK_CACHE_DIR"
"""The environment variable that names another folder for compiled kernels."""


def folder() -> Path | None:
    """Return the folder for what is compiled; None for a user without a home."""
    if named := os.environ.get(CACHE):
        return Path(named)
    import platformdirs

    try:
        return Path(platformdirs.user_cache_dir("wordpack"))
    except RuntimeError:
        return None


def read(name: str) -> bytes | None:
    """Return what was kept under the file name `name`, None where it is missing or damaged."""
    place = folder()
    if place is None:
        return None
    try:
        digest, _, code = (place / name).read_bytes().partition(b"\n")
    except OSError:
        return None
    return code if hashlib.sha256(code).hexdigest().encode() == digest else None


def keep(name: str, code: bytes) -> None:
    """Keep `code` under the file name `name`, where that can be done."""
    place = folder()
    if place is None:
        return
    unfinished = place / f".{name}.{os.getpid()}"
    # nowhere to keep it: the next process compiles again
    with suppress(OSError):
        place.mkdir(parents=True, exist_ok=True)
        leftovers.sweep(place, f".{name}.")
        try:
            unfinished.write_bytes(hashlib.sha256(code).hexdigest().encode() + b"\n" + code)
            unfinished.replace(place / name)
        finally:
            unfinished.unlink(missing_ok=True)
