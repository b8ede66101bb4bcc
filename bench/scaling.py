"""Measure and simulate how far a search scales over worker processes.

    python bench/scaling.py --quick                   a small search: under 20 seconds
    python bench/scaling.py --json docs/scaling.json
    python bench/scaling.py --page                    write docs/scaling.md's tables from that file

Needs `pip install 'wordpack[dask,report]'`.

The cost of a task to scheduler, client and worker is their processor time over thousands of tasks
that do nothing. Searches on 1 and 2 worker processes of one thread take turns with the threaded
engine on as many threads, which does the same job: search, verify, sort, write parts. Efficiency
is threaded seconds / cluster seconds. Figures are medians of turns, and each answer is checked
after its clock has stopped. Workers have loaded all code before.
The simulation of `scaling_model.py` is compared with these runs, and with runs of tasks that sleep
for measured times (scaled) on more slots than there are cores.
"""

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scaling_page import PAGE, VALUES, spliced, tables
from scaling_searches import Case, compared, engine, ready
from scaling_tasks import messages, processes, slots, walking

from wordpack.machine.hardware import describe
from wordpack.system.writing import replaced

CASES = (
    Case("6x4", listing=True, turns=3),
    Case("6x4", listing=False, turns=5),
    Case("wrong-wordle", listing=True, turns=7),
    Case("4x5", listing=False, turns=5),
)
QUICK = (Case("wrong-wordle", listing=True, turns=1), Case("wrong-wordle", listing=False, turns=1))

LARGE = ("5x4", "7x3", "13x2")
"""Families that are too long to be measured here."""
TASKS = 2000
SLOTS = ((2, 5, 0.25, 8), (4, 25, 1.0, 8), (4, 25, 0.1, 8), (10, 100, 5.0, 4))
"""Worker processes, threads of each, mean seconds of a task, tasks for each thread."""


def measure(*, quick: bool) -> dict[str, Any]:
    """Return all that is measured, as plain values."""
    machine = describe()
    found: dict[str, Any] = {
        "schema": 1,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {key: machine[key] for key in ("cpu", "cores", "memory_bytes", "os", "python")},
        "messages": {},
        "searches": [],
    }
    tasks, turns = (200, 1) if quick else (TASKS, 3)
    for workers in (1, 2):
        with processes(workers) as client:
            found["messages"][str(workers)] = messages(client, tasks, turns)
    for workers in (1, 2):
        with ready(workers) as client:
            found["messages"][f"local:{workers}"] = messages(client, tasks, turns)
            for case in QUICK if quick else CASES:
                found["searches"].append(compared(client, case, workers))
    # whose solutions 64 bits can count, so that nothing is listed
    case = QUICK[1] if quick else CASES[3]
    found["slice"] = {"walking": walking(case, 8, 64 if quick else 2000, turns)}
    found["estimates"] = {name: estimate(name) for name in ("6x4", *LARGE)}
    shape = found["searches"][0]["slices"]
    found["slots"] = []
    for workers, threads, mean, each in ((2, 4, 0.05, 4),) if quick else SLOTS:
        found["slots"].append(slots(shape, workers, threads, mean, each))
    kept: dict[str, Any] = json.loads(
        json.dumps(found), parse_float=lambda x: float(f"{float(x):.5g}")
    )
    return kept


def estimate(name: str) -> float:
    """Return the seconds of counting that the backend expects on one thread."""
    case = Case(name, listing=False, turns=1)
    seconds: float = engine().seconds(case.problem(), case.options(1))
    return seconds


def main() -> None:
    """Measure and show, or write the page."""
    parser = argparse.ArgumentParser(description="How far a search scales over workers.")
    parser.add_argument("--quick", action="store_true", help="a small search, one turn")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep what is measured")
    parser.add_argument("--page", action="store_true", help="measure nothing; write the tables")
    options = parser.parse_args()
    if options.page:
        page = PAGE.read_text(encoding="utf-8")
        lines = tables(json.loads(VALUES.read_text(encoding="utf-8")))
        with replaced(str(PAGE)) as stream:
            stream.write(spliced(page, lines))
        return
    if options.json and not options.json.absolute().parent.is_dir():
        parser.error(f"{options.json}: there is no such folder")
    found = measure(quick=options.quick)
    if options.json:
        with replaced(str(options.json)) as stream:
            stream.write(json.dumps(found, indent=1) + "\n")
    print(tables(found), end="")


if __name__ == "__main__":
    main()
