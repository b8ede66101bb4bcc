"""Write rows of words as text, CSV or JSON; a file is written beside its target and renamed."""

import csv
import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Protocol

from wordpack import leftovers
from wordpack.errors import InputError
from wordpack.places import exists, is_file, is_folder

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
        raise InputError(f"writing {path} failed: {error.strerror}; it is as it was") from None
    finally:
        unfinished.unlink(missing_ok=True)
        if held is not None:
            os.close(held)


def tell(message: str) -> None:
    """Write a line to standard error; where it can go nowhere, the exit status says enough."""
    try:
        sys.stderr.write(message + "\n")
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)


def discard(stream: IO[str]) -> None:
    """Send what is still buffered nowhere: Python would fail once more on it when it exits."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


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


class Writer(Protocol):
    """Writes one answer: first what is known beforehand, then rows, then the rest."""

    def rows(self, head: dict[str, Any], rows: Iterable[tuple[str, ...]]) -> None:
        """Write the rows; where they come from may still be searching."""
        ...

    def end(self, tail: dict[str, Any]) -> None:
        """Write what is known at the end."""
        ...


class TextWriter:
    """One solution a line, words apart by a space; counts alone in a sentence."""

    def __init__(self, stream: IO[str], picks: int) -> None:
        self._stream, self._listed, self._picks = stream, False, picks

    def rows(self, _head: dict[str, Any], rows: Iterable[tuple[str, ...]]) -> None:
        """Write a line for each row."""
        self._listed = True
        self._stream.writelines(" ".join(row) + "\n" for row in rows)

    def end(self, tail: dict[str, Any]) -> None:
        """Write the counts where no rows were written."""
        if not self._listed:
            self._stream.write(f"{tail['packings']} packings, {tail['solutions']} solutions\n")


class CsvWriter(TextWriter):
    """A header word1..wordk and a record for each row; counts alone as two columns."""

    def rows(self, _head: dict[str, Any], rows: Iterable[tuple[str, ...]]) -> None:
        """Write the header and the records."""
        self._listed = True
        writer = csv.writer(self._stream, lineterminator="\n")
        writer.writerow([f"word{place + 1}" for place in range(self._picks)])
        writer.writerows(rows)

    def end(self, tail: dict[str, Any]) -> None:
        """Write the counts where no rows were written."""
        if not self._listed:
            self._stream.write(f"packings,solutions\n{tail['packings']},{tail['solutions']}\n")


class JsonWriter:
    """One object, its rows a line each; the schema is wordpack/schemas/solve.json."""

    def __init__(self, stream: IO[str], _picks: int) -> None:
        self._stream, self._listed = stream, False

    def rows(self, head: dict[str, Any], rows: Iterable[tuple[str, ...]]) -> None:
        """Open the object and write its `results`."""
        self._listed = True
        self._stream.write("{\n" + _members(head) + ',\n"results": [')
        between = "\n"
        for row in rows:
            self._stream.write(between + json.dumps(row, ensure_ascii=False))
            between = ",\n"
        self._stream.write("\n],\n")

    def end(self, tail: dict[str, Any]) -> None:
        """Close the object; with no rows, `tail` is all of it."""
        self._stream.write(("" if self._listed else "{\n") + _members(tail) + "\n}\n")


def _members(values: dict[str, Any]) -> str:
    return ",\n".join(
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in values.items()
    )


WRITERS: dict[str, type[TextWriter | JsonWriter]] = {
    "text": TextWriter,
    "csv": CsvWriter,
    "json": JsonWriter,
}
