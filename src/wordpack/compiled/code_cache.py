"""Machine code kept in the user's cache folder between processes, each file with its digest.

If no folder can be written, nothing is kept. Damaged files are ignored, and so are files that
another user could have written, since code runs with the rights of the user who loads it. If
several processes lack the same code, one makes it and the others wait for it.
"""

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from time import monotonic, sleep

from wordpack.system import leftovers, ownership

CACHE = "WORDPACK_CACHE_DIR"
"""The environment variable that names another folder for compiled kernels."""

PATIENCE = 60.0
"""Seconds to wait for another process's code; compiling takes a few, or 30 on busy cores."""


def folder() -> Path | None:
    """Return the folder for compiled code; None for a user without a home.

    Also None, with a warning, if other users can change its content.
    """
    try:
        return _trusted(os.environ.get(CACHE) or _default())
    except (OSError, RuntimeError):  # the current folder was removed; there is no home
        return None


def _default() -> str:
    import platformdirs

    return platformdirs.user_cache_dir("wordpack")


@cache
def _trusted(named: str) -> Path | None:
    """Resolve links in a folder's path; warn once and return None if others can write to it."""
    place = Path(os.path.realpath(named))
    reason = ownership.exposed(place)
    if reason is None:
        return place
    import logging

    # without any configuration this is one line on standard error
    logging.getLogger("wordpack").warning(
        "wordpack: %s, so kernels are compiled anew and not kept: "
        "set %s to a folder that only you can write to",
        reason,
        CACHE,
    )
    return None


def for_children() -> dict[str, str]:
    """Return variables that silently turn off a child's cache if ours is unusable."""
    return {} if folder() else {CACHE: os.devnull}


def read(name: str) -> bytes | None:
    """Return the code kept as `name`; None if missing, damaged or not trusted."""
    place = folder()
    if place is None:
        return None
    try:
        with (place / name).open("rb") as file:
            if not ownership.is_trusted(file.fileno()):
                return None
            digest, _, code = file.read().partition(b"\n")
    except OSError:
        return None
    return code if hashlib.sha256(code).hexdigest().encode() == digest else None


def keep(name: str, code: bytes) -> None:
    """Keep `code` under the file name `name`, if possible."""
    place = folder()
    if place is None:
        return
    unfinished = place / f".{name}.{os.getpid()}"
    # if it cannot be kept, the next process compiles again
    with suppress(OSError):
        ownership.make_private(place)
        leftovers.sweep(place, f".{name}.")
        held = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(held, "wb") as file:
                file.write(hashlib.sha256(code).hexdigest().encode() + b"\n" + code)
            unfinished.replace(place / name)
        finally:
            unfinished.unlink(missing_ok=True)


def once(name: str, make: Callable[[], bytes]) -> bytes:
    """Return the code kept under the file name `name`, or make and keep it.

    If another process is making it, wait for that process for at most PATIENCE seconds.
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
    """Hold a lock, which ends with its process; go on without one if it cannot be taken."""
    place = folder()
    lock = place / f".{name}.lock" if place else None
    held = _locked(lock) if lock else None
    try:
        yield
    finally:
        if lock and held is not None:
            # later processes find the code; waiting ones have this file open
            with suppress(OSError):
                lock.unlink()
            os.close(held)


def _locked(lock: Path) -> int | None:
    """Return the descriptor of the held lock; None after PATIENCE or if locking fails."""
    until = monotonic() + PATIENCE
    # nowhere to write, or a file system without locks
    with suppress(OSError):
        ownership.make_private(lock.parent)
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
