"""Make the page's data for charts, speed-ups and histories, as compact JSON.

A line's history is whole numbers with one common exponent of ten, at least five digits each. Lines
of the same files share one list of commits. Names are indices into lists, because a page of 400,000
points repeats each name thousands of times.
"""

from __future__ import annotations

import json
from math import floor, log10
from typing import TYPE_CHECKING, Any

from wordpack.report.growth_rates import share
from wordpack.report.measurements import Key, Measurements, Origin, Point, State
from wordpack.report.numbers import moment, plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wordpack.report.latest import Line
    from wordpack.report.level_shifts import Step
    from wordpack.solving.published import Run, System

DIGITS = 5

WIDEST = 1e9
"""The largest ratio of a line's values at which they are stored as whole numbers."""

LEAST = 1e-290
"""Below this a power of ten would leave the range of a float."""

STATES = {State.FAILED: "f", State.WRONG: "w", State.NOT_AVAILABLE: None, State.UNPROVEN: "u"}
"""What a history stores in place of a value."""


class _Places(dict[Any, int]):
    """Number things in the order of their first use."""

    def __missing__(self, thing: Any) -> int:
        self[thing] = len(self)
        return self[thing]


def data(
    found: Measurements,
    lines: Sequence[Line],
    steps: Mapping[Key, Sequence[Step]],
    published: Sequence[tuple[System, Run]],
) -> dict[str, Any]:
    """Return everything that the page's script needs, as plain values for JSON."""
    texts, whens, origins, axes = _Places(), _Places(), _Places(), _Places()
    rows, histories, changes = [], [], {}
    for line in lines:
        key, point = line.key, line.point
        points = found.points(key)
        names = [texts[plain(name)] for name in (*key, point.state.value)]
        traced = [origins[point.origin], whens[point.date, point.commit]]
        rows.append([*names, *_figures(point), *traced, share(key.rest)])
        when = tuple(whens[each.date, each.commit] for each in points)
        where = tuple(origins[each.origin] for each in points)
        histories.append([axes[when, where], *_numbers(points)])
        if key in steps:
            changes[line.place] = [
                [when[each.place], each.before, each.after, each.certain] for each in steps[key]
            ]
    return {
        "machines": [*map(plain, found.machines)],
        "series": {
            plain(each.name): [plain(each.title), plain(each.unit)]
            for each in found.series.values()
        },
        "texts": list(texts),
        "lines": rows,
        "whens": [[date, moment(date), commit] for date, commit in whens],
        "axes": [[list(when), list(where)] for when, where in axes],
        "histories": histories,
        "steps": changes,
        "origins": [_origin(found.origins[place]) for place in origins],
        "published": [_published(system, run) for system, run in published],
    }


def _figures(point: Point) -> list[float | None]:
    return [point.value, point.low, point.high, point.count]


def _origin(origin: Origin) -> list[str]:
    return [plain(origin.file), plain(origin.command)]


def _published(system: System, run: Run) -> list[str | list[float]]:
    author = f"{system.author}, {system.year}"
    return [run.instance, system.name, author, system.machine, run.time, list(run.seconds)]


def _numbers(points: Sequence[Point]) -> tuple[int, list[float | str | None]]:
    """Return an exponent of ten and each point's value in that unit, or a sign for its state."""
    measured = [
        each.value
        for each in points
        if each.state is State.MEASURED and each.value is not None and each.value > LEAST
    ]
    whole = bool(measured) and max(measured) < WIDEST * min(measured)
    exponent = floor(log10(min(measured))) - DIGITS + 1 if whole else 0
    scale = 10.0**-exponent

    def number(point: Point) -> float | str | None:
        if point.state is not State.MEASURED or point.value is None:
            return STATES.get(point.state)
        return round(point.value * scale) if whole else float(f"{point.value:.{DIGITS}g}")

    return exponent, [number(each) for each in points]


def embedded(document: dict[str, Any]) -> str:
    """Return JSON that is safe inside a script element and reads the same in JavaScript."""
    text = json.dumps(document, allow_nan=False, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text
