"""Write rows of words as text, CSV or JSON, and lines to standard error."""

import csv
import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import IO, Any, Protocol


def tell(message: str) -> None:
    """Write a line to standard error, if possible; otherwise the exit status says enough."""
    try:
        sys.stderr.write(message + "\n")
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)


def discard(stream: IO[str]) -> None:
    """Discard buffered output, on which Python would fail again at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Writer(Protocol):
    """Writes one answer: the values known beforehand, then the rows, then the rest."""

    def rows(self, head: dict[str, Any], rows: Iterable[tuple[str, ...]]) -> None:
        """Write the rows; the search may still be producing them."""
        ...

    def end(self, tail: dict[str, Any]) -> None:
        """Write the values known at the end."""
        ...


class TextWriter:
    """One solution per line, words separated by a space; counts alone as a sentence."""

    def __init__(self, stream: IO[str], picks: int) -> None:
        self._stream, self._listed, self._picks = stream, False, picks

    def rows(self, _head: dict[str, Any], rows: Iterable[tuple[str, ...]]) -> None:
        """Write a line for each row."""
        self._listed = True
        self._stream.writelines(" ".join(row) + "\n" for row in rows)

    def end(self, tail: dict[str, Any]) -> None:
        """Write the counts if no rows were written."""
        if not self._listed:
            self._stream.write(f"{tail['packings']} packings, {tail['solutions']} solutions\n")


def columns(picks: int) -> list[str]:
    """Return the column names for rows of `picks` words."""
    return [f"word{place + 1}" for place in range(picks)]


class CsvWriter(TextWriter):
    """A header word1..wordk and one record per row; counts alone as two columns."""

    def rows(self, _head: dict[str, Any], rows: Iterable[tuple[str, ...]]) -> None:
        """Write the header and the records."""
        self._listed = True
        writer = csv.writer(self._stream, lineterminator="\n")
        writer.writerow(columns(self._picks))
        writer.writerows(rows)

    def end(self, tail: dict[str, Any]) -> None:
        """Write the counts if no rows were written."""
        if not self._listed:
            self._stream.write(f"packings,solutions\n{tail['packings']},{tail['solutions']}\n")


class JsonWriter:
    """One object with one line per row; the schema is wordpack/schemas/solve.json."""

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
        """Close the object; if no rows were written, it holds only `tail`."""
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
