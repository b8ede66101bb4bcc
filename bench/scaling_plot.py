"""The plot of `bench/scaling.py`, drawn by plotly and written as SVG by a Chromium.

    python bench/scaling_plot.py docs/scaling.json docs/scaling.svg

Needs `pip install 'wordpack[report,browser]'` and a Chromium.
The same file gives the same picture: what plotly names at random is drawn from a fixed seed.
"""

import json
import os
import shutil
import sys
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


def browser() -> str:
    """Return the system's Chromium."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    return found or sys.exit("the plot needs a Chromium: apt install chromium")


def figure(found: dict[str, Any]) -> Any:
    """Return efficiency by workers, and time by length of slices."""
    from plotly.graph_objects import Scatter
    from plotly.subplots import make_subplots

    titles = (
        "Efficiency by workers",
        f"Time by mean length of a slice, {LONG:,.0f} s of one core",
    )
    drawn = make_subplots(1, 2, subplot_titles=titles, horizontal_spacing=0.09)

    def add(col: int, x: Any, y: Any, **look: Any) -> None:
        drawn.add_trace(Scatter(x=x, y=y, **look), 1, col)

    def line(name: str, group: str, colour: str) -> dict[str, Any]:
        marks = {"line_color": colour, "marker_color": colour}
        return {"mode": "lines+markers", "name": name, "legendgroup": group, **marks}

    for size, colour in zip(sizes(found), COLOURS, strict=False):
        ran = [ahead(found, size, workers).efficiency for workers in WORKERS]
        add(1, WORKERS, ran, **line(size.name, size.name, colour))
        # the clock of what was measured stops before the client reads
        name = size.name.removesuffix(UNREAD)
        measured = [run for run in found["searches"] if run["case"] == name and not size.merge]
        add(
            1,
            [run["cores"] for run in measured],
            [run["efficiency"] for run in measured],
            mode="markers",
            showlegend=False,
            marker={"symbol": "x", "size": 10, "color": colour},
            legendgroup=size.name,
        )
    for workers, colour in zip((10, 100, 1000), COLOURS, strict=False):
        x, y = zip(*lengths(found, workers), strict=True)
        add(2, x, y, **line(f"{workers:,} workers", f"{workers}", colour))
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
    draw(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2]))
