"""Cache what PoCL compiles between processes, and use the cache only if it is intact.

PoCL kills the process if a file of its cache is damaged, so it gets a folder of ours. The folder is
used if its files match the hashes noted after they last loaded and ran. Otherwise PoCL gets a new
folder, which replaces the old one once its files have loaded and run. If nothing can be written,
each process compiles.
Cost: hashing about ten small files.
"""

import atexit
import hashlib
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from wordpack.system import leftovers, ownership

USERS = ("POCL_CACHE_DIR", "POCL_KERNEL_CACHE")
"""PoCL's environment variables; if the user has set one, nothing is changed."""

SEAL = "sealed.json"

CODE = {".so", ".bc"}
"""Suffixes of PoCL's files that hold code."""

FORGOTTEN = "tempfile_"
"""Prefix of the empty files that PoCL 3 leaves in its folder, one per process."""

BESIDE = "wordpack-opencl-"
"""Prefix of the folders that are removed when their process ends."""


class PoclCache:
    """The folder that PoCL uses in this process."""

    def __init__(self, kept: Path | None) -> None:
        """Use the folder `kept` if it is sound, and replace it if not."""
        self._kept, self._folder, self._sealed = kept, kept, False

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Tell PoCL the folder while OpenCL starts, which is when PoCL looks for it."""
        if any(name in os.environ for name in USERS):
            self._sealed = True
            yield
            return
        with suppress(OSError):  # there is no temporary folder
            leftovers.sweep(Path(tempfile.gettempdir()), BESIDE)
        if self._kept is None or not _is_sound(self._kept):
            try:
                self._folder = Path(tempfile.mkdtemp(prefix=BESIDE))
            except OSError:
                self._folder = None
            else:
                leftovers.hold(self._folder)  # until this process ends
                atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        # without a folder there is no cache, and kernels are compiled in memory
        name, value = (
            ("POCL_CACHE_DIR", str(self._folder)) if self._folder else ("POCL_KERNEL_CACHE", "0")
        )
        os.environ[name] = value
        try:
            yield
        finally:
            del os.environ[name]

    def seal(self) -> None:
        """Keep the compiled code for later processes, once it has loaded and run."""
        if self._sealed or self._kept is None or self._folder is None:
            return
        self._sealed = True
        with suppress(OSError):
            if self._folder == self._kept:
                leftovers.sweep(self._kept, FORGOTTEN)
                _seal(self._kept)
                return
            ownership.make_private(self._kept.parent)
            leftovers.sweep(self._kept.parent, f".{self._kept.name}.")
            self._replace_kept()

    def _replace_kept(self) -> None:
        assert self._kept and self._folder  # noqa: S101, PT018  `seal` has checked
        beside = self._kept.with_name(f".{self._kept.name}.{os.getpid()}")
        old = self._kept.with_name(f".{self._kept.name}.{os.getpid()}.old")
        try:
            shutil.copytree(self._folder, beside)
            _seal(beside)
            with suppress(FileNotFoundError):
                self._kept.rename(old)
            with suppress(OSError):  # another process was faster
                beside.rename(self._kept)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
            shutil.rmtree(old, ignore_errors=True)


def _is_sound(folder: Path) -> bool:
    """Whether only we can write to the folder and it holds exactly what was sealed."""
    if ownership.exposed(Path(os.path.realpath(folder))):
        return False
    try:
        noted = json.loads(_content(folder / SEAL))
        return bool(noted == _hashes(folder) and os.access(folder, os.W_OK))
    except (OSError, ValueError):
        return False


def _seal(folder: Path) -> None:
    # with a umask of 002 the group could change PoCL's files
    for path in (folder, *_parts(folder)):
        if path.stat().st_mode & ownership.OTHERS_WRITE:
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~ownership.OTHERS_WRITE)
    unfinished = folder / f".{SEAL}.{os.getpid()}"
    unfinished.unlink(missing_ok=True)
    held = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(held, "w", encoding="utf-8") as file:
        json.dump(_hashes(folder), file)
    unfinished.replace(folder / SEAL)


def _hashes(folder: Path) -> dict[str, str]:
    """Return the sha256 of each code file in a folder, by relative path.

    Raises OSError if another user could have written a file or folder in it.
    """
    found = {}
    for path in _parts(folder):
        if path.is_dir():
            with _trusted(path):
                continue
        found[path.relative_to(folder).as_posix()] = hashlib.sha256(_content(path)).hexdigest()
    return found


def _parts(folder: Path) -> list[Path]:
    """Return the paths of all code files and folders in a folder."""
    return sorted(path for path in folder.rglob("*") if path.suffix in CODE or path.is_dir())


def _content(path: Path) -> bytes:
    """Read a file; raise OSError if another user could have written it."""
    with _trusted(path) as opened, open(opened, "rb", closefd=False) as file:
        return file.read()


@contextmanager
def _trusted(path: Path) -> Iterator[int]:
    """Open a file or folder; raise OSError for a link or if another user could have made it.

    The folder above may once have been open to others, so its contents may be theirs.
    """
    opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if not ownership.is_trusted(opened):
            raise PermissionError(f"another user may have written {path}")
        yield opened
    finally:
        os.close(opened)
