"""Fit the exponent of a power law to each growth curve: how time grows with the list.

It is a least-squares fit of the logarithms of times over those of shares. A search that takes eight
times as long on a list of twice the words has the exponent 3.
"""

from __future__ import annotations

from collections import defaultdict
from math import log
from typing import TYPE_CHECKING, NamedTuple

from wordpack.report.measurements import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wordpack.report.latest import Line


class Rate(NamedTuple):
    """The exponent of one growth curve."""

    machine: str
    backend: str
    environment: str
    exponent: float
    shares: tuple[float, ...]


def share(rest: str) -> float | None:
    """Return the share of the list in a line's further parameters, or None."""
    for part in rest.split(", "):
        name, _, text = part.partition("=")
        if name == "share":
            try:
                value = float(text)
            except ValueError:
                return None
            return value if 0 < value < 1e9 else None  # noqa: PLR2004  finite: not NaN either
    return None


def rates(lines: Iterable[Line]) -> list[Rate]:
    """Return the exponent of every curve with at least two different shares."""
    curves: dict[tuple[str, str, str], list[tuple[float, float]]] = defaultdict(list)
    for line in lines:
        size = share(line.key.rest)
        if line.point.state is State.MEASURED and size and line.point.value:
            name = (line.key.machine, line.key.backend, line.key.environment)
            curves[name].append((size, line.point.value))
    found = []
    for name, points in curves.items():
        sizes, times = zip(*sorted(points), strict=True)
        if len(set(sizes)) > 1:
            found.append(Rate(*name, _slope([*map(log, sizes)], [*map(log, times)]), sizes))
    return found


def _slope(x: list[float], y: list[float]) -> float:
    middle_x, middle_y = sum(x) / len(x), sum(y) / len(y)
    above = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, y, strict=True))
    return above / sum((a - middle_x) ** 2 for a in x)
