"""How far a search scales over worker processes: measured and simulated.

    python bench/scaling.py --quick                           a small search: under 20 seconds
    python bench/scaling.py --json docs/scaling.json --plot docs/scaling.svg

Needs `pip install 'wordpack[dask,report]'`; --plot also the extra browser, and a Chromium.

What a task costs scheduler, client and worker is their processors' time over thousands of tasks
that do nothing. Searches on 1 and 2 worker processes of one thread take turns with the threaded
engine on as many threads: the same job (verified, sorted, written in parts), and the search
alone. Efficiency is threaded seconds / cluster seconds; figures are medians of turns, and each
answer is checked after its clock. Workers are up, and have loaded all code, before it.
The simulation of `scaling_model.py` is then compared with these runs, and with runs of tasks
that sleep for (scaled) measured times on more slots than there are cores.
`scaling_page.py` makes tables and the plot from the JSON alone.
"""

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import scaling_page
import scaling_plot
from scaling_searches import BACKEND, Case, compared, ready
from scaling_slices import records, walking, writing
from scaling_tasks import messages, processes, slots

from wordpack.backend import registry
from wordpack.backend.base import Options
from wordpack.compiled.threads import usable_cores
from wordpack.machine.hardware import cpu_model, describe
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
    for workers in (1, 2):
        tell(f"tasks that do nothing, {workers} workers")
        with processes(workers) as client:
            found["messages"][str(workers)] = messages(
                client, 200 if quick else TASKS, 1 if quick else 3
            )
    for workers in (1, 2):
        with ready(workers) as client:
            found["messages"][f"local:{workers}"] = messages(
                client, 200 if quick else TASKS, 1 if quick else 3
            )
            for case in QUICK if quick else CASES:
                tell(f"{case.label}, {workers} workers")
                found["searches"].append(compared(client, case, workers))
    tell("slices in this process")
    # whose solutions 64 bits can count, so that nothing is listed
    case = QUICK[1] if quick else CASES[3]
    found["slice"] = {
        "walking": walking(case, 8, 64 if quick else 2000, 1 if quick else 3),
        "record": records(),
        "part": writing(),
    }
    found["estimates"] = {name: estimate(name) for name in ("6x4", *LARGE)}
    shape = found["searches"][0]["slices"]
    found["slots"] = []
    for workers, threads, mean, each in ((2, 4, 0.05, 4),) if quick else SLOTS:
        tell(f"{workers * threads} slots")
        found["slots"].append(slots(shape, workers, threads, mean, each))
    return rounded(found)


def estimate(name: str) -> float:
    """Return the seconds of counting that bitset_rows expects on one thread."""
    module: Any = registry.row(BACKEND).load()
    seconds: float = module.seconds(
        Case(name, listing=False, turns=1).problem(), Options(threads=1)
    )
    return seconds


def rounded(values: Any) -> Any:
    """Return plain values with five digits of each number that is no integer."""
    if isinstance(values, dict):
        return {key: rounded(value) for key, value in values.items()}
    if isinstance(values, list):
        return [rounded(value) for value in values]
    return float(f"{values:.5g}") if isinstance(values, float) else values


def tell(doing: str) -> None:
    """Say what is done, where somebody looks on."""
    if sys.stderr.isatty():
        print(f"... {doing}", file=sys.stderr)


def asked() -> argparse.Namespace:
    """Return the options; leave where a file could not be written."""
    parser = argparse.ArgumentParser(description="How far a search scales over workers.")
    parser.add_argument("--quick", action="store_true", help="a small search, one turn")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep what is measured")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw it, as SVG")
    options = parser.parse_args()
    for path in filter(None, (options.json, options.plot)):
        if not path.absolute().parent.is_dir():
            parser.error(f"{path}: there is no such folder")
    if options.plot:
        scaling_plot.check()
    return options


def main() -> None:
    """Measure, then show."""
    options = asked()
    print(f"{cpu_model()}, {usable_cores()} usable cores, Python {sys.version.split()[0]}")
    found = measure(quick=options.quick)
    if options.json:
        with replaced(str(options.json)) as stream:
            stream.write(json.dumps(found, indent=1) + "\n")
    print(scaling_page.tables(found), end="")
    if options.plot:
        scaling_plot.draw(found, options.plot)


if __name__ == "__main__":
    main()
