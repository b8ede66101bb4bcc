"""Keep what PoCL compiles between processes, and only where it is as it was written.

PoCL ends the process where a file of its own cache is damaged, so it gets a folder of ours: one
whose files have the hashes that were noted when they had been loaded and run, else a new one that
takes the other's place once they have. Where nothing can be written, each process compiles.
Cost: to hash some ten small files.
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
"""PoCL's environment variables: where the user has set one, nothing is changed."""

SEAL = "sealed.json"

CODE = {".so", ".bc"}
"""How the names of PoCL's files end that hold code."""

FORGOTTEN = "tempfile_"
"""How the names of empty files begin of which PoCL 3 leaves one in its folder for each process."""

BESIDE = "wordpack-opencl-"
"""How the names of folders begin that last as long as their process."""


class PoclCache:
    """The folder that PoCL uses in this process."""

    def __init__(self, kept: Path | None) -> None:
        """Use the folder `kept` where it is sound, and replace it where it is not."""
        self._kept, self._folder, self._sealed = kept, kept, False

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Name the folder to PoCL, which looks for it when OpenCL starts."""
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
                leftovers.hold(self._folder)  # as long as this process lives
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
        """Keep what was compiled, for later processes: it has been loaded and run."""
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
        assert self._kept and self._folder  # noqa: S101, PT018  `seal` has looked
        beside = self._kept.with_name(f".{self._kept.name}.{os.getpid()}")
        old = self._kept.with_name(f".{self._kept.name}.{os.getpid()}.old")
        try:
            shutil.copytree(self._folder, beside)
            _seal(beside)
            with suppress(FileNotFoundError):
                self._kept.rename(old)
            with suppress(OSError):  # another process was quicker
                beside.rename(self._kept)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
            shutil.rmtree(old, ignore_errors=True)


def _is_sound(folder: Path) -> bool:
    """Whether the folder can be written to, by us alone, and holds just what was sealed."""
    if ownership.exposed(Path(os.path.realpath(folder))):
        return False
    try:
        noted = json.loads(_content(folder / SEAL))
        return bool(noted == _hashes(folder) and os.access(folder, os.W_OK))
    except (OSError, ValueError):
        return False


def _seal(folder: Path) -> None:
    # with a umask of 002 what PoCL makes could be changed by its group
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
    """Return the sha256 of all code in a folder, by its path in it.

    Raises OSError if another user could have written some of it, or its folder.
    """
    found = {}
    for path in _parts(folder):
        if path.is_dir():
            with _trusted(path):
                continue
        found[path.relative_to(folder).as_posix()] = hashlib.sha256(_content(path)).hexdigest()
    return found


def _parts(folder: Path) -> list[Path]:
    """Return the paths of all code and of all folders in a folder."""
    return sorted(path for path in folder.rglob("*") if path.suffix in CODE or path.is_dir())


def _content(path: Path) -> bytes:
    """Read a file; OSError if another user could have written it."""
    with _trusted(path) as opened, open(opened, "rb", closefd=False) as file:
        return file.read()


@contextmanager
def _trusted(path: Path) -> Iterator[int]:
    """Give the open file or folder; OSError for a link, and if another user could have made it.

    The folder above may have been open to others before, so that what is in it may be theirs.
    """
    opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if not ownership.is_trusted(opened):
            raise PermissionError(f"another user may have written {path}")
        yield opened
    finally:
        os.close(opened)
