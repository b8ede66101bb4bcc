"""Write the tables of docs/scaling.md from docs/scaling.json, which `scaling.py` has measured.

    python bench/scaling_page.py            # after it has measured
    python bench/scaling_page.py --check    # are the page's tables the file's own?

The tables are `scaling.md.j2`, filled in. Only the text between two marks in the page changes.

Exit status: 0 the tables are up to date, or were written; 1 with --check: they are not.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import jinja2
from scaling_derived import USEFUL, ahead, checks, sizes, useful

from wordpack.system.writing import replaced
from wordpack.text.formatting import duration

BENCH = Path(__file__).resolve().parent
DOCS = BENCH.parent / "docs"
PAGE, VALUES = DOCS / "scaling.md", DOCS / "scaling.json"
BEGIN, END = "<!-- tables: python bench/scaling_page.py -->\n", "<!-- end of the tables -->\n"
SHOWN = (2, 10, 100, 1000)
"""Workers that the table of more workers has columns for."""


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
        enough=USEFUL,
        sizes=[
            (size, [ahead(found, size, workers) for workers in SHOWN], useful(found, size))
            for size in sizes(found)
        ],
    )


def spliced(page: str, lines: str) -> str:
    """Return the page with these lines between its marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{PAGE} has no place for the tables: {BEGIN.strip()} ... {END.strip()}")
    return f"{before}{begin}\n{lines}\n{end}{after}"


def main() -> int:
    """Splice, or compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true")
    check: bool = parser.parse_args().check
    page = PAGE.read_text(encoding="utf-8")
    due = spliced(page, tables(json.loads(VALUES.read_text(encoding="utf-8"))))
    if check and due != page:
        sys.stderr.write("docs/scaling.md is not up to date: python bench/scaling_page.py\n")
        return 1
    if due != page:
        with replaced(str(PAGE)) as stream:
            stream.write(due)
    return 0


if __name__ == "__main__":
    sys.exit(main())
