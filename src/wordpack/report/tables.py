"""Write all points as tables: CSV with a row per point, JSON with an object per line."""

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
"""The CSV's columns; the command behind each file is only in the JSON, once per file."""

POINTS = ("commit", "date", "state", "value", "low", "high", "samples", "reason", "file")
"""The JSON's values for each point; `file` is an index into `files`."""

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters that make a spreadsheet treat a text as a formula."""


def write_csv(found: Measurements, stream: IO[str]) -> None:
    """Write a row for each point, line by line, ordered by date."""
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
    """Write all of the page's data; `about` says which version made it, when and how."""
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
    """Return a text that no spreadsheet takes as a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
