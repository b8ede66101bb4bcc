"""The tables of docs/scaling.md, made from docs/scaling.json: part of `bench/scaling.py`."""

import sys
from pathlib import Path
from typing import Any

import jinja2
from scaling_derived import ahead, checks, sizes

from wordpack.text.formatting import duration

BENCH = Path(__file__).resolve().parent
DOCS = BENCH.parent / "docs"
PAGE, VALUES = DOCS / "scaling.md", DOCS / "scaling.json"
BEGIN, END = "<!-- tables: python bench/scaling.py --page -->\n", "<!-- end of the tables -->\n"
SHOWN = (2, 10, 100, 1000)
"""Numbers of workers that the last table has columns for."""


def tables(found: dict[str, Any]) -> str:
    """Return all tables, as Markdown."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(BENCH),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701  Markdown
    )
    environment.filters["duration"] = duration
    return environment.get_template("scaling.md.j2").render(
        found=found,
        checks=checks(found),
        shown=SHOWN,
        sizes=[(size, [ahead(found, size, n) for n in SHOWN]) for size in sizes(found)],
    )


def spliced(page: str, lines: str) -> str:
    """Return the page with these lines between its marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{PAGE} has no place for the tables: {BEGIN.strip()} ... {END.strip()}")
    return f"{before}{begin}\n{lines}\n{end}{after}"
