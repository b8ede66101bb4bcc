"""Write the tables of docs/scaling.md from docs/scaling.json, which `scaling.py` has measured.

    python bench/scaling_page.py            # after it has measured
    python bench/scaling_page.py --check    # are the page's tables the file's own?

They stand between two marks in the page; nothing else of it is touched.

Exit status: 0 the tables are up to date, or were written; 1 with --check: they are not.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scaling_derived import USEFUL, Size, ahead, checks, sizes, useful

from wordpack.system.writing import replaced
from wordpack.text.formatting import duration

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE, VALUES = DOCS / "scaling.md", DOCS / "scaling.json"
BEGIN, END = "<!-- tables: python bench/scaling_page.py -->\n", "<!-- end of the tables -->\n"
SHOWN = (2, 10, 100, 1000)
"""Workers that the table of what lies ahead has columns for."""


def line(*cells: Any) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def head(*cells: str) -> Iterator[str]:
    """Yield a table's head; all columns but the first are numbers."""
    yield line(*cells)
    yield "|---" + "|---:" * (len(cells) - 1) + "|"


def machine(found: dict[str, Any]) -> Iterator[str]:
    """Yield what was measured where."""
    about = found["machine"]
    yield (
        f"Measured {found['date']} on {about['cpu']}, {about['cores']} cores, "
        f"{about['memory_bytes'] / 2**30:.0f} GiB, {about['os']}, {about['python']}."
    )


def messages(found: dict[str, Any]) -> Iterator[str]:
    """Yield what a task that does nothing costs."""
    yield from head(
        *("a task that does nothing", "scheduler", "client", "worker"),
        *("by the clock", "before the first", "alone", "tasks"),
    )
    for name, row in found["messages"].items():
        local = name.startswith("local")
        workers = int(name.removeprefix("local:"))
        where = "`--cluster local`" if local else "scheduler in a process of its own"
        yield line(
            f"{where}, {workers} worker{'s' * (workers > 1)}",
            "with the client" if local else duration(row["scheduler"]),
            *(duration(row[key]) for key in ("client", "worker", "wall", "submit", "round")),
            f"{row['tasks']:,}",
        )


def slices(found: dict[str, Any]) -> Iterator[str]:
    """Yield what a slice costs besides its search."""
    own = found["slice"]
    yield from head("what comes to a slice", "seconds")
    yield line("prepare it", duration(own["walking"]["prepare"]))
    yield line("prepare it and walk to its part of the frontier", duration(own["walking"]["each"]))
    yield line("a part of one row written, with its sha256", duration(own["part"]))
    yield line("its record kept by the client", duration(own["record"]))


def searches(found: dict[str, Any]) -> Iterator[str]:
    """Yield cluster beside threads."""
    yield from head(
        *("search", "cores", "slices", "cluster", "threads, the same job", "efficiency"),
        *(
            "threads, search alone",
            "that / cluster",
            "plan and cut",
            "shipped",
            "check of all parts",
        ),
    )
    for run in found["searches"]:
        yield line(
            *(run["case"], run["cores"], len(run["slices"]), duration(run["cluster"])),
            *(duration(run["same_job"]), f"{run['efficiency']:.2f}", duration(run["search"])),
            *(
                f"{run['against_search']:.2f}",
                duration(run["plan"]),
                f"{run['bytes'] / 1e3:,.0f} kB",
            ),
            "" if run["merge"] is None else duration(run["merge"]),
        )


def held_against(found: dict[str, Any]) -> Iterator[str]:
    """Yield the simulation beside runs that were measured."""
    yield from head("run", "slots", "slices", "measured", "simulated", "differs by")
    for run in checks(found):
        yield line(
            *(run.name, f"{run.slots:,}", f"{run.slices:,}", duration(run.reality)),
            *(duration(run.simulated), f"{run.simulated / run.reality - 1:+.0%}"),
        )


def looking_ahead(found: dict[str, Any]) -> Iterator[str]:
    """Yield the efficiency of more workers than there are here."""
    yield from head(
        *("search", "one core"),
        *(f"{workers:,} workers" for workers in SHOWN),
        f"workers at {USEFUL:.0%}",
    )
    for size in sizes(found):
        runs = [ahead(found, size, workers) for workers in SHOWN]
        yield line(
            size.name,
            about(size),
            *(f"{run.efficiency:.2f} ({duration(run.simulated.seconds)})" for run in runs),
            f"{useful(found, size):,}",
        )


def about(size: Size) -> str:
    """Return the work of a search; what is only estimated is called so."""
    return f"about {duration(size.work)}" if size.estimated else duration(size.work)


TABLES = {
    "A task that does nothing": messages,
    "A slice besides its search": slices,
    "Searches": searches,
    "The simulation beside what was measured": held_against,
    "More workers, simulated": looking_ahead,
}


def tables(found: dict[str, Any]) -> Iterator[str]:
    """Yield all tables, line by line."""
    yield from machine(found)
    for title, lines in TABLES.items():
        yield from ("", f"### {title}", "")
        yield from lines(found)


def spliced(page: str, lines: str) -> str:
    """Return the page with these lines between its marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{PAGE} has no place for the tables: {BEGIN.strip()} ... {END.strip()}")
    return f"{before}{begin}\n{lines}\n\n{end}{after}"


def main() -> int:
    """Splice, or compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true")
    check: bool = parser.parse_args().check
    page = PAGE.read_text(encoding="utf-8")
    due = spliced(page, "\n".join(tables(json.loads(VALUES.read_text(encoding="utf-8")))))
    if check and due != page:
        sys.stderr.write("docs/scaling.md is not up to date: python bench/scaling_page.py\n")
        return 1
    if due != page:
        with replaced(str(PAGE)) as stream:
            stream.write(due)
    return 0


if __name__ == "__main__":
    sys.exit(main())
