"""Draw counters as SVG in a page: a search's levels, its work beside others', rounds of games."""

from __future__ import annotations

import math
from html import escape

WIDTH, LINE, LEFT, ROOM = 640, 22, 220, 90
DOTS = 41
"""Nodes in one line of dots."""
MOST = 600
"""Nodes of a level that are drawn as dots; more are drawn as a bar."""

CAPTION = (
    "The counters of every backend added up, on a logarithmic scale. They count different things "
    "(nodes, passes, sets of letters): only orders of magnitude compare."
)

TITLES = {
    "iterations": "passes of the innermost loop",
    "leaves": "candidates tested at the last level",
    "kept": "states or lists kept",
    "branches": "branches at the root",
}


def tree(work: dict[str, int]) -> str:
    """Draw a line for each counter: a dot for each node, or a bar if there are too many."""
    rows = [(title(name), count) for name, count in work.items()]
    return figure(rows, "Counters of this search, level by level")


def comparison(totals: dict[str, int], name: str) -> str:
    """Draw the sum of the counters of every backend, on a logarithmic scale; `name` stands out."""
    most = math.log1p(max(totals.values()))
    parts = []
    for place, (each, total) in enumerate(sorted(totals.items(), key=lambda pair: pair[1])):
        parts += bar(place, each, total, math.log1p(total) / most, 1.0 if each == name else 0.35)
    return svg(parts, len(totals), CAPTION)


def rounds(distribution: dict[int, int]) -> str:
    """Draw how many games are still open before each guess."""
    rows = [
        (f"open before guess {guess}", sum(n for at, n in distribution.items() if at >= guess))
        for guess in range(1, max(distribution) + 1)
    ]
    return figure(rows, "Games still open before each guess")


def title(counter: str) -> str:
    """Return what a counter counts, for a person."""
    kind, _, level = counter.partition("_")
    return f"nodes at depth {level}" if kind == "nodes" else TITLES.get(counter, counter)


def figure(rows: list[tuple[str, int]], label: str) -> str:
    """Draw a line for each row: dots while there are few nodes, else a logarithmic bar."""
    most = math.log1p(max(count for _, count in rows))
    parts: list[str] = []
    line = 0
    for name, count in rows:
        if count <= MOST:
            parts += dots(line, name, count)
            line += max(1, math.ceil(count / DOTS))
        else:
            parts += bar(line, name, count, math.log1p(count) / most, 1.0)
            line += 1
    return svg(parts, line, label)


def dots(line: int, name: str, count: int) -> list[str]:
    """Draw a dot for each node."""
    parts = label(line, name, count)
    for node in range(count):
        here = min(DOTS, count - node // DOTS * DOTS)  # dots of this line, which is centred
        x = LEFT + 4 * (DOTS - here) + 8 * (node % DOTS)
        y = (line + node // DOTS) * LINE + 11
        parts.append(f'<circle cx="{x}" cy="{y}" r="3"/>')
    return parts


def bar(line: int, name: str, count: int, share: float, strength: float) -> list[str]:
    """Draw a bar of a share of the width."""
    width = max(1.0, share * (WIDTH - LEFT - ROOM))
    place = f'x="{LEFT}" y="{line * LINE + 4}" width="{width:.1f}" height="14"'
    return [*label(line, name, count), f'<rect {place} fill-opacity="{strength}"/>']


def label(line: int, name: str, count: int) -> list[str]:
    """Write a row's name at its left and its number at its right."""
    y = line * LINE + 16
    return [
        f'<text x="{LEFT - 12}" y="{y}" text-anchor="end">{escape(name)}</text>',
        f'<text x="{WIDTH}" y="{y}" text-anchor="end">{count:,}</text>',
    ]


def svg(parts: list[str], lines: int, label: str) -> str:
    """Return a MyST block with the drawing, in the colour of the page's text."""
    body = "".join(parts)
    return (
        f"```{{raw}} html\n"
        f'<figure class="search"><svg viewBox="0 0 {WIDTH} {lines * LINE}" role="img" '
        f'aria-label="{escape(label)}" fill="currentColor" font-size="13" '
        f'style="max-width: {WIDTH}px; width: 100%">{body}</svg>'
        f"<figcaption>{escape(label)}</figcaption></figure>\n"
        f"```\n\n"
    )
