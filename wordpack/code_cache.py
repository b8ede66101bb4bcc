"""Machine code kept in the user's cache folder between processes, each file with its digest.

Where no folder can be written, nothing is kept; what was damaged is as if it had never been kept.
Of processes that lack the same code one makes it, and the others wait for it.
"""

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from wordpack import leftovers

CACHE = "WORDPACK_CACHE_DIR"
"""The environment variable that names another folder for compiled kernels."""

PATIENCE = 60.0
"""Seconds to wait for another process's code; a kernel compiles in a few, on busy cores in 30."""


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


def once(name: str, make: Callable[[], bytes]) -> bytes:
    """Return what is kept under the file name `name`; what is not there is made and kept.

    Where another process is making it, wait for that for PATIENCE seconds at most.
    """
    kept = read(name)
    if kept is None:
        with _alone(name):
            kept = read(name)
            if kept is None:
                kept = make()
                keep(name, kept)
    return kept


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """Hold a lock, which ends with its process; where it cannot be had, go on without."""
    place = folder()
    lock = place / f".{name}.lock" if place else None
    held = _locked(lock) if lock else None
    try:
        yield
    finally:
        if lock and held is not None:
            # who comes later finds the code; who waited has this file open
            with suppress(OSError):
                lock.unlink()
            os.close(held)


def _locked(lock: Path) -> int | None:
    """Return the descriptor that holds the lock; None after PATIENCE, and where none can be."""
    until = monotonic() + PATIENCE
    # nowhere to write, or a file system without locks
    with suppress(OSError):
        lock.parent.mkdir(parents=True, exist_ok=True)
        held = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            while True:
                try:
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    if monotonic() > until:
                        raise
                    sleep(0.05)
                else:
                    return held
        except BaseException:
            os.close(held)
            raise
    return None
