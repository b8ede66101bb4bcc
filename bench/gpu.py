"""Time every instance on a GPU beside the CPU engine; each answer is verified before it is shown.

A row's times, in milliseconds: prepare; the first run after it; the median of later runs (wall,
from device-resident inputs to the result on the host); the same by the device's own clock if it has
one (marks around a run, so it includes the copy to the host); and the median of whole solves, from
host masks to host result, prepare included. `--first` times one answer in this fresh process.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from wordpack import __version__
from wordpack.backend.base import Options
from wordpack.backend.registry import row
from wordpack.compiled.code_cache import CACHE
from wordpack.errors import Unavailable
from wordpack.machine import hardware
from wordpack.machine.metering import facts_of, metered
from wordpack.packing.answer import Answer, Packings
from wordpack.packing.problem import Problem
from wordpack.solving.instances import Instance, instance
from wordpack.solving.judge import Second, judge, numbers
from wordpack.solving.loading import load

LISTED = ("parker", "wordle", "wordle-12974", "wordle-12947", "both", "wrong-wordle", "4x6", "3x7")
COUNTED = ("6x4", "7x3", "wrong-wordle")
SUMS_ONLY = ("7x3",)
"""These have too many packings to visit one by one."""

RUNS, SECONDS = 21, 3.0
"""The most timed runs of one kind, and the seconds after which no further run starts."""

COLUMNS = ("prepare", "first", "wall", "device", "whole", "vs cpu")


def repeated(call: Callable[[], float | None]) -> list[float]:
    """Return the results of repeated calls, within the limits above; stop at None."""
    began, found = perf_counter(), []
    while len(found) < RUNS and (not found or perf_counter() - began < SECONDS):
        said = call()
        if said is not None:
            found.append(said)
        else:
            break
    return found


def checked(found: Answer, known: Instance, other: dict[str, Any] | None) -> dict[str, Any]:
    """Return counts and digest of an answer; raise SystemExit if it is wrong."""
    answer = numbers(found)
    second = Second(other, "agreed", "the CPU engine") if other else None
    verdict = judge(answer, known.expected, lambda: second, valid=isinstance(found, Packings))
    if verdict.differs:
        raise SystemExit(f"WRONG: {known.name}: {verdict.differs}")
    return answer | {"verified": verdict.strength}


def measured(
    backend: str, known: Instance, problem: Problem, options: Options, other: dict[str, Any] | None
) -> dict[str, Any]:
    """Return the figures of one backend that accepts the problem."""
    module = row(backend).load()
    module.prepare(problem, options).run()  # compiles, and starts the device: --first measures that

    def run() -> float:
        started = perf_counter()
        found = search.run()
        taken = perf_counter() - started
        checked(found, known, other)
        return taken

    def own() -> float | None:
        clock = search.clock
        if clock is None:
            return None
        begin = clock.mark()
        found = search.run()
        taken = float(clock.seconds_between(begin, clock.mark()))
        checked(found, known, other)
        return taken

    def whole() -> float:
        started = perf_counter()
        found = module.prepare(problem, options).run()
        taken = perf_counter() - started
        checked(found, known, other)
        return taken

    started = perf_counter()
    search = module.prepare(problem, options)
    prepare = perf_counter() - started
    facts = facts_of(search)
    started = perf_counter()
    answer = search.run()
    first = perf_counter() - started
    proof = checked(answer, known, other)
    with metered(facts) as readings:
        walls = repeated(run)
    owns = repeated(own)
    wholes = repeated(whole)
    return {
        "instance": known.name + (" (count)" if options.count_only else ""),
        "backend": backend,
        "on": search.device,
        "device_facts": facts,
        "seconds": {"prepare": prepare, "first": first, "wall": walls, "device": owns,
                    "whole": wholes},
        "readings": readings,
    } | proof  # fmt: skip


def shown(one: dict[str, Any], against: dict[str, Any]) -> str:
    """Return one line of the table: times in milliseconds, medians of repeated runs."""
    seconds = one["seconds"]
    times = [seconds["prepare"], seconds["first"]]
    times += [median(seconds[kind]) if seconds[kind] else None for kind in COLUMNS[2:5]]
    cells = ["" if time is None else f"{1e3 * time:.4g}" for time in times]
    cells.append(f"{median(against['seconds']['wall']) / median(seconds['wall']):.3g}x")
    head = f"{one['instance']:<22}{one['backend']:<20}" + "".join(f"{cell:>10}" for cell in cells)
    return f"{head}  {one['packings']} / {one['solutions']} {one['verified']}"


def first_calls(device: str) -> dict[str, float]:
    """Return the seconds of parker's answer in fresh processes: cold cache, then warm."""
    found = {}
    command = [sys.executable, __file__, "--first", device]
    with TemporaryDirectory() as folder:
        caches = os.environ | {CACHE: folder, "POCL_CACHE_DIR": folder}
        for kind in ("nothing kept", "code kept"):
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=caches)  # noqa: S603  it is this file
            found[kind] = float(done.stdout.splitlines()[-1])
    return found


def first(device: str) -> float:
    """Answer parker once in this process; return the seconds from masks to result."""
    problem = load(instance("parker").spec).problem
    started = perf_counter()
    found = row(device).load().prepare(problem, Options()).run()
    taken = perf_counter() - started
    checked(found, instance("parker"), None)
    return taken


def figures(device: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the figures of each instance and backend, and the CPU's for comparison."""
    counting = Options(count_only=True)
    for name, options in (
        *((name, Options()) for name in LISTED),
        *((name, counting) for name in COUNTED),
    ):
        known = instance(name)
        problem = load(known.spec).problem
        sums = options.count_only and row("subset_sums").load().accepts(problem, options) is None
        processor = "subset_sums" if sums else "bitset_rows"
        against = measured(processor, known, problem, options, None)
        yield against, against
        for backend in (
            (f"subset_sums_{device}",) if name in SUMS_ONLY else (device, f"subset_sums_{device}")
        ):
            if row(backend).load().accepts(problem, options) is None:
                yield measured(backend, known, problem, options, against), against


def main() -> int:
    """Measure, print the table, write the JSON; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("device", nargs="?", default="cuda", choices=("cuda", "opencl"))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--probe", action="store_true", help="say what would run, or why not")
    parser.add_argument("--first", action="store_true", help="print the seconds of a first answer")
    arguments = parser.parse_args()
    device = arguments.device
    if arguments.first:
        print(first(device))
        return 0
    try:
        print(f"{device}: {row(device).load().probe()}", flush=True)
    except Unavailable as reason:
        print(f"{device} cannot run here: {reason}", file=sys.stderr)
        return 2
    if arguments.probe:
        return 0
    stored: dict[str, Any] = {"wordpack": __version__, "machine": hardware.describe()}
    stored["first_calls"], stored["rows"] = first_calls(device), []
    calls = ", ".join(f"{kind} {1e3 * time:.0f} ms" for kind, time in stored["first_calls"].items())
    print(f"parker in a fresh process, from masks to result: {calls}\n\ntimes in ms")
    print(f"{'instance':<22}{'backend':<20}" + "".join(f"{name:>10}" for name in COLUMNS))
    for one, against in figures(device):
        print(shown(one, against), flush=True)
        stored["rows"].append(one)
        if arguments.json:
            arguments.json.write_text(json.dumps(stored, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
