"""The page of `bench/growth.py --plot`: points and the lines fitted to them."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from plotly.graph_objects import Figure, Scatter
from plotly.subplots import make_subplots

PANELS = ("seconds, by signatures", "nodes, by signatures", "seconds, by letters of a word")
LETTERS = 3
"""The panel whose horizontal axis is not logarithmic."""
COLOURS = ("#4477aa", "#66ccee", "#228833", "#ee6677", "#ccbb44", "#aa3377")


@dataclass(frozen=True)
class Curve:
    """Points drawn in one colour; `power` is the exponent and factor of their fitted line."""

    panel: int
    name: str
    x: Sequence[int]
    y: Sequence[float]
    power: tuple[float, float] | None = None


def figure(title: str, curves: Iterable[Curve]) -> Figure:
    """Return the panels side by side."""
    drawn = make_subplots(1, len(PANELS), subplot_titles=PANELS)
    for curve, colour in zip(curves, cycle(COLOURS), strict=False):
        marks = {"marker_color": colour, "line_color": colour, "legendgroup": curve.name}
        mode = "markers" if curve.power else "lines+markers"
        points = Scatter(x=curve.x, y=curve.y, name=curve.name, mode=mode, **marks)
        drawn.add_trace(points, 1, curve.panel)
        if curve.power:
            exponent, factor = curve.power
            line = [factor * x**exponent for x in curve.x]
            fitted = Scatter(x=curve.x, y=line, mode="lines", showlegend=False, **marks)
            drawn.add_trace(fitted, 1, curve.panel)
    drawn.update_yaxes(type="log")
    for panel in range(1, len(PANELS) + 1):
        if panel != LETTERS:
            drawn.update_xaxes(type="log", col=panel)
    return drawn.update_layout(title=title, legend={"orientation": "h"})


def write(path: Path, title: str, curves: Iterable[Curve]) -> None:
    """Write the self-contained page atomically."""
    whole = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        whole.write_text(figure(title, curves).to_html(), encoding="utf-8")
        whole.replace(path)
    finally:
        whole.unlink(missing_ok=True)
