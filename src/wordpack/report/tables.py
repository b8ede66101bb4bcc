"""All points as tables: a CSV file with a row for each, and JSON with an object for each line."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wordpack.report.measurements import Key, Measurements, Point

SCHEMA = 1

COLUMNS = (
    *("machine", "series", "backend", "instance", "parameters", "environment"),
    *("commit", "date", "state", "value", "unit", "low", "high", "samples", "reason"),
    "file",
)
"""The command that makes a file is in the JSON, once for each file."""

POINTS = ("commit", "date", "state", "value", "low", "high", "samples", "reason", "file")
"""What the JSON has of each point; a file by its place among `files`."""

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet calculate with the text behind it."""


def write_csv(found: Measurements, stream: IO[str]) -> None:
    """Write a row for each point, a line's in the order of their dates."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for key in sorted(found.lines):
        names = [_plain(name) for name in key]
        unit = _plain(found.series[key.series].unit)
        for point in found.points(key):
            origin = found.origins[point.origin]
            writer.writerow(
                [
                    *(*names, point.commit, _date(point), point.state, point.value, unit),
                    *(point.low, point.high, point.count, _plain(point.reason)),
                    _plain(origin.file),
                ]
            )


def write_json(found: Measurements, about: dict[str, Any], stream: IO[str]) -> None:
    """Write everything that the page is made of; `about` says who made it, when and how."""
    head = {
        "schema": SCHEMA,
        **about,
        "machines": found.machines,
        "series": [asdict(series) for series in found.series.values()],
        "files": [asdict(origin) for origin in found.origins],
        "devices": [asdict(device) for device in found.devices],
        "points": POINTS,
    }
    stream.write(_text(head).removesuffix("}") + ',"lines":[')
    between = "\n"
    for key in sorted(found.lines):
        stream.write(between + _text(_line(found, key)))
        between = ",\n"
    stream.write("\n]}\n")


def _line(found: Measurements, key: Key) -> dict[str, Any]:
    names = dict(zip(COLUMNS, key, strict=False))
    return names | {
        "points": [
            (
                *(point.commit, _date(point), point.state, point.value, point.low, point.high),
                *(point.count, point.reason, point.origin),
            )
            for point in found.points(key)
        ]
    }


def _date(point: Point) -> str:
    return datetime.fromtimestamp(point.date / 1000, UTC).isoformat(timespec="seconds")


def _plain(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
