"""The plot of `bench/scaling.py`, drawn by plotly and written as SVG by a Chromium.

    python bench/scaling_plot.py docs/scaling.json docs/scaling.svg

The same file gives the same picture: what plotly names at random is drawn from a fixed seed.
"""

import json
import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from scaling_derived import LONG, UNREAD, WORKERS, ahead, lengths, sizes

from wordpack.system.writing import replaced

COLOURS = (
    *("#4477aa", "#228833", "#ee6677", "#aa3377", "#66ccee", "#ccbb44", "#444444", "#ee8833"),
    "#882255",
)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTH, HEIGHT = 1000, 480

SEED = """let state = 1;
Math.random = () => (state = (state * 16807) % 2147483647) / 2147483647;"""
"""The generator of Park and Miller (1988)."""


def check() -> None:
    """Leave with status 2 where a plot could not be drawn."""
    for package, extra in (("plotly", "report"), ("playwright", "browser")):
        if find_spec(package) is None:
            print(f"--plot needs {package}: pip install 'wordpack[{extra}]'", file=sys.stderr)
            sys.exit(2)
    if browser() is None:
        print("--plot needs a Chromium: apt install chromium", file=sys.stderr)
        sys.exit(2)


def browser() -> str | None:
    """Return the system's Chromium."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def figure(found: dict[str, Any]) -> Any:
    """Return efficiency by workers, and time by length of slices."""
    from plotly.graph_objects import Scatter
    from plotly.subplots import make_subplots

    titles = (
        "Efficiency by workers",
        f"Time by mean length of a slice, {LONG:,.0f} s of one core",
    )
    drawn = make_subplots(1, 2, subplot_titles=titles, horizontal_spacing=0.09)
    for size, colour in zip(sizes(found), COLOURS, strict=False):
        runs = [ahead(found, size, workers) for workers in WORKERS]
        marks = {"legendgroup": size.name, "line_color": colour, "marker_color": colour}
        ran = [run.efficiency for run in runs]
        drawn.add_trace(
            Scatter(x=WORKERS, y=ran, mode="lines+markers", name=size.name, **marks), 1, 1
        )
        # the clock of what was measured stops before the client reads
        name = size.name.removesuffix(UNREAD)
        measured = [run for run in found["searches"] if run["case"] == name and not size.merge]
        drawn.add_trace(
            Scatter(
                x=[run["cores"] for run in measured],
                y=[run["efficiency"] for run in measured],
                mode="markers",
                showlegend=False,
                marker={"symbol": "x", "size": 10, "color": colour},
                legendgroup=size.name,
            ),
            1,
            1,
        )
    for workers, colour in zip((10, 100, 1000), COLOURS, strict=False):
        points = list(lengths(found, workers))
        marks = {"legendgroup": f"{workers}", "line_color": colour, "marker_color": colour}
        drawn.add_trace(
            Scatter(
                x=[length for length, _ in points],
                y=[seconds for _, seconds in points],
                mode="lines+markers",
                name=f"{workers:,} workers",
                **marks,
            ),
            1,
            2,
        )
    drawn.update_xaxes(type="log", dtick=1, title="workers", col=1)
    drawn.update_xaxes(type="log", dtick=1, title="seconds of a slice", col=2)
    drawn.update_yaxes(type="log", title="efficiency", range=[-3, 0.4], dtick=1, col=1)
    drawn.update_yaxes(type="log", title="seconds of the run", dtick=1, col=2)
    # an opaque ground, so that a dark page does not swallow the axes
    return drawn.update_layout(
        template="plotly_white",
        width=WIDTH,
        height=HEIGHT,
        paper_bgcolor="white",
        font={"family": "sans-serif", "size": 12, "color": "#222222"},
        legend={"orientation": "h", "y": -0.18},
        margin={"l": 60, "r": 20, "t": 40, "b": 110},
        title=None,
    )


def draw(found: dict[str, Any], path: Path) -> None:
    """Write the plot; the file is whole or not there."""
    from playwright.sync_api import sync_playwright
    from plotly.offline import get_plotlyjs

    # as root, which CI often is, Chromium has no sandbox
    alone = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=browser(), args=alone)
        page = started.new_page()
        page.set_content("<div id=plot></div>")
        page.evaluate(SEED)
        page.add_script_tag(content=get_plotlyjs())
        address: str = page.evaluate(
            "([figure, size]) => Plotly.toImage(figure, {format: 'svg', ...size})",
            [json.loads(figure(found).to_json()), {"width": WIDTH, "height": HEIGHT}],
        )
        started.close()
    with replaced(str(path)) as stream:
        stream.write(unquote(address.partition(",")[2]) + "\n")


if __name__ == "__main__":
    check()
    draw(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2]))
