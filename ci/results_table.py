"""Write the table of measured results into docs/machines.md, from the files in docs/results.

    python ci/results_table.py            # after new results were merged there
    python ci/results_table.py --check    # for CI: does the page's table match the files?

The table is between two marks in the page; the rest of the page is left unchanged.

Exit status: 0 the table is up to date, or was written; 1 with --check: it is not; 2 a file is bad.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from wordpack.backend.registry import ROWS
from wordpack.errors import InputError
from wordpack.report.measurements import Measurements, Point, State
from wordpack.report.sources import read
from wordpack.solving.published import RUNS
from wordpack.system.writing import replaced
from wordpack.text.formatting import duration

ROOT = Path(__file__).resolve().parent.parent
PAGE, RESULTS = ROOT / "docs" / "machines.md", ROOT / "docs" / "results"
BEGIN, END = "<!-- table: python ci/results_table.py -->\n", "<!-- end of the table -->\n"

INSTANCES = ("wordle", "both", "parker", "parker-words", "wrong-wordle")


def cell(point: Point | None) -> str:
    """Return a median, or why there is none."""
    if point is None:
        return ""
    if point.state is not State.MEASURED or point.value is None:
        return str(point.state)
    return duration(point.value)


def newest(found: Measurements, machine: str) -> dict[tuple[str, str], Point]:
    """Return one result per backend and instance: a measured one if any, then the newest."""
    found_by: dict[tuple[str, str], list[Point]] = {}
    for key in sorted(found.lines):
        if (key.machine, key.series, key.rest) == (machine, "search", ""):
            found_by.setdefault((key.backend, key.instance), []).append(found.newest(key))
    return {
        place: max(points, key=lambda point: (point.state is State.MEASURED, point.date))
        for place, points in found_by.items()
    }


def about(facts: dict[str, str], commits: list[str]) -> str:
    """Return what is known of a machine, and the commits measured on it."""
    forms = {"cpu": "{}", "cores": "{} cores", "memory": "{}", "os": "{}", "gpu": "GPU: {}"}
    known = [form.format(facts[key]) for key, form in forms.items() if key in facts]
    return f"{', '.join(known)}; commit {', '.join(commits)}"


def machine_table(found: Measurements, machine: str) -> Iterator[str]:
    """Yield the lines of one machine's table: backends by instances."""
    points = newest(found, machine)
    commits = sorted({point.commit[:8] for point in points.values() if point.commit})
    yield f"Machine `{machine}`: {about(found.machines[machine], commits)}."
    yield ""
    yield f"| backend | {' | '.join(INSTANCES)} |"
    yield "|---" + "|---:" * len(INSTANCES) + "|"
    for row in ROWS:
        shown = [points.get((row.name, instance)) for instance in INSTANCES]
        if any(point and point.state is not State.NOT_AVAILABLE for point in shown):
            yield f"| `{row.name}` | {' | '.join(map(cell, shown))} |"
    times = " | ".join(map(published, INSTANCES))
    yield f"| *the shortest published, on its author's machine* | {times} |"
    yield ""


def published(instance: str) -> str:
    """Return the shortest published time of an instance."""
    times = [
        (seconds, system)
        for system, run in RUNS
        for seconds in run.seconds
        if run.instance == instance
    ]
    if not times:
        return ""
    seconds, system = min(times, key=lambda time: time[0])
    return f"{duration(seconds)} ({system.name}, {system.machine})"


def tables(found: Measurements) -> str:
    """Return the whole text between the marks."""
    return "\n".join(line for machine in found.machines for line in machine_table(found, machine))


def spliced(page: str, lines: str) -> str:
    """Return the page with these lines between its marks; InputError if it has no marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise InputError(f"{PAGE} has no place for the table: {BEGIN.strip()} ... {END.strip()}")
    return before + begin + "\n" + lines + "\n" + end + after


def main() -> int:
    """Write the table into the page, or compare it with the page."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--check", action="store_true")
    check: bool = options.parse_args().check
    try:
        page = PAGE.read_text(encoding="utf-8")
        due = spliced(page, tables(read((str(RESULTS),))))
        if check and due != page:
            sys.stderr.write("docs/machines.md is not up to date: python ci/results_table.py\n")
            return 1
        if due != page:
            with replaced(str(PAGE)) as stream:
                stream.write(due)
    except InputError as fault:
        sys.stderr.write(f"{fault}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
