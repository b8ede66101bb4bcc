"""Ratios of whole processes and of searches, measured in one run: `make bench`.

Commands are timed in turn (A B A B ...), and each ratio is the median of the pairs' ratios, so
that a machine whose speed drifts slows both sides. Every run of a solver is checked: its counts
must be those known. The first run of each command is not counted: it fills caches.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

from wordpack import registry
from wordpack.backend import Options
from wordpack.hardware import cpu_model, usable_cores
from wordpack.instances import INSTANCES
from wordpack.loading import load
from wordpack.packing import Packings, verify


def once(command: list[str]) -> float:
    """Return the seconds of one run of `command`; CalledProcessError where it fails."""
    started = perf_counter()
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603  our own commands
    return perf_counter() - started


def paired(one: list[str], two: list[str], pairs: int) -> tuple[float, float, float]:
    """Return the median seconds of both commands and of their ratio, pair by pair."""
    once(one)
    once(two)
    times = [(once(one), once(two)) for _ in range(pairs)]
    return (
        median(a for a, _ in times),
        median(b for _, b in times),
        median(a / b for a, b in times),
    )


def whole_processes(pairs: int) -> None:
    """Print the ratios of commands to the imports that they are measured against."""
    wordpack = shutil.which("wordpack", path=str(_folder_of(sys.executable)))
    if wordpack is None:
        sys.exit("no wordpack command beside this Python: pip install . first")
    solved = [wordpack, "solve", "parker", "--format", "json"]
    found = json.loads(subprocess.run(solved, check=True, capture_output=True).stdout)  # noqa: S603
    if (found["packings"], found["solutions"], found["verified"]) != (538, 831, "expected"):
        sys.exit("wordpack solve parker is wrong: nothing was timed")
    for arguments, module in ((["solve", "parker"], "numba"), (["list"], "numpy")):
        imports = [sys.executable, "-c", f"import {module}"]
        a, b, ratio = paired([wordpack, *arguments], imports, pairs)
        name = " ".join(["wordpack", *arguments])
        print(f"{name:<24}{a:7.3f} s   import {module} {b:.3f} s   ratio {ratio:.2f}")


def _folder_of(executable: str) -> str:
    return executable.rpartition("/")[0]


def best(run: Callable[[], object], runs: int) -> tuple[float, float]:
    """Return median and least seconds of `runs` calls, after one that is not counted."""
    run()
    times = []
    for _ in range(runs):
        started = perf_counter()
        run()
        times.append(perf_counter() - started)
    return median(times), min(times)


def in_process(runs: int) -> None:
    """Print the times of loading and of rarest_letter on one thread and on more."""
    parker = INSTANCES["parker"]
    middle, least = best(lambda: load(parker.spec), runs)
    print(f"load and group parker   {middle * 1e3:7.2f} ms  (least {least * 1e3:.2f})")
    problem = load(parker.spec).problem
    single = 0.0
    for threads in sorted({1, min(2, usable_cores()), usable_cores()}):
        options = Options(threads=threads)
        search = registry.row("rarest_letter").load().prepare(problem, options)
        answer = search.run()
        assert isinstance(answer, Packings)  # noqa: S101  it was not asked to count only
        verify(answer)
        if parker.expected is None or answer.digest() != parker.expected.digest:
            sys.exit("rarest_letter is wrong: nothing was timed")
        middle, least = best(search.run, runs)
        single = single or middle
        print(
            f"rarest_letter parker    {middle * 1e3:7.2f} ms  (least {least * 1e3:.2f})  "
            f"{search.device}, ratio to one thread {middle / single:.2f}"
        )


def main() -> None:
    """Run all measurements."""
    parser = argparse.ArgumentParser(description="Ratios of start-up and search times.")
    parser.add_argument("--pairs", type=int, default=15, help="paired runs of each command")
    parser.add_argument("--runs", type=int, default=50, help="runs in process")
    options = parser.parse_args()
    print(f"{cpu_model()}, {usable_cores()} usable cores, Python {sys.version.split()[0]}")
    whole_processes(options.pairs)
    in_process(options.runs)


if __name__ == "__main__":
    main()
