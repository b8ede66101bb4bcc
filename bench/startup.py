"""Ratios of whole processes and of searches, measured in one run: `make figures`.

Commands are timed in turn (A B A B ...), and each ratio is the median of the pairs' ratios, so
that a machine whose speed drifts slows both sides. Every run of a solver must give the known
counts. The first run of each command is not counted, because it fills caches.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

from wordpack.backend import registry
from wordpack.backend.base import Options, Search
from wordpack.compiled.threads import usable_cores
from wordpack.machine.hardware import cpu_model
from wordpack.packing.answer import Packings, verify
from wordpack.solving.instances import INSTANCES, Instance
from wordpack.solving.loading import load


def once(command: list[str]) -> float:
    """Return the seconds of one run of `command`; check its answer if it solves parker."""
    started = perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  ours
    taken = perf_counter() - started
    if "solve" in command and len(set(done.stdout.splitlines())) != 831:  # noqa: PLR2004  parker's
        sys.exit("wordpack solve parker was wrong: nothing is shown")
    return taken


def paired(one: list[str], two: list[str], pairs: int) -> tuple[float, float, float]:
    """Return the median seconds of both commands, and the median of the pairs' ratios."""
    once(one)
    once(two)
    times = [(once(one), once(two)) for _ in range(pairs)]
    return (
        median(a for a, _ in times),
        median(b for _, b in times),
        median(a / b for a, b in times),
    )


def whole_processes(pairs: int) -> None:
    """Print the ratio of each command's time to that of the import it is compared with."""
    wordpack = shutil.which("wordpack", path=str(_folder_of(sys.executable)))
    if wordpack is None:
        sys.exit("there is no wordpack command beside this Python: run pip install . first")
    for arguments, module in ((["solve", "parker"], "numba"), (["list"], "numpy")):
        imports = [sys.executable, "-c", f"import {module}"]
        a, b, ratio = paired([wordpack, *arguments], imports, pairs)
        name = " ".join(["wordpack", *arguments])
        print(f"{name:<24}{a:7.3f} s   import {module} {b:.3f} s   ratio {ratio:.2f}")


def _folder_of(executable: str) -> str:
    return executable.rpartition("/")[0]


def timed(run: Callable[[], Packings], digest: str, runs: int) -> tuple[float, float]:
    """Return median and least seconds of `runs` calls after one that is not counted.

    After each clock the answer is verified and its digest compared.
    """
    times = []
    for _ in range(runs + 1):
        started = perf_counter()
        answer = run()
        times.append(perf_counter() - started)
        verify(answer)
        if answer.digest() != digest:
            sys.exit("a search was wrong: nothing is shown")
    counted = times[1:] or times
    return median(counted), min(counted)


def searching(instance: Instance, backend: str, options: Options) -> Search:
    """Return a prepared search."""
    problem = load(instance.spec).problem
    return registry.row(backend).load().prepare(problem, options)


def listing(search: Search) -> Packings:
    """Run a search that lists."""
    answer = search.run()
    assert isinstance(answer, Packings)  # noqa: S101  it was not asked to count only
    return answer


def digest_of(instance: Instance) -> str:
    """Return the known digest of an instance."""
    if instance.expected is None or instance.expected.digest is None:
        sys.exit(f"no digest is known for {instance.name}")
    return instance.expected.digest


def in_process(runs: int) -> None:
    """Print the times of loading, and of rarest_letter on one thread and on more."""
    parker = INSTANCES["parker"]
    loads = []
    for _ in range(runs):
        started = perf_counter()
        loaded = load(parker.spec)
        loads.append(perf_counter() - started)
        if len(loaded.signatures[0]) != 5977:  # noqa: PLR2004  facts of the list
            sys.exit("loading parker was wrong: nothing is shown")
    print(f"load and group parker   {median(loads) * 1e3:8.2f} ms  (least {min(loads) * 1e3:.2f})")
    single = 0.0
    for threads in sorted({1, min(2, usable_cores()), usable_cores()}):
        search = searching(parker, "rarest_letter", Options(threads=threads))
        middle, least = timed(lambda search=search: listing(search), digest_of(parker), runs)
        single = single or middle
        print(
            f"rarest_letter parker    {middle * 1e3:8.2f} ms  (least {least * 1e3:.2f})  "
            f"{search.device}, ratio to one thread {middle / single:.2f}"
        )


def pure_python() -> None:
    """Print one full run of filtered_lists on wordle, and its ratio to filtered_arrays."""
    wordle = INSTANCES["wordle"]
    seconds = {}
    for backend in ("filtered_lists", "filtered_arrays"):
        search = searching(wordle, backend, Options())
        seconds[backend], _ = timed(lambda search=search: listing(search), digest_of(wordle), 0)
        ratio = seconds[backend] / seconds["filtered_lists"]
        print(f"{backend} wordle{seconds[backend]:10.2f} s   ratio to filtered_lists {ratio:.2f}")


def main() -> None:
    """Run all measurements."""
    parser = argparse.ArgumentParser(description="Compare start-up and search times.")
    parser.add_argument("--pairs", type=int, default=15, help="paired runs of each command")
    parser.add_argument("--runs", type=int, default=50, help="runs in process")
    parser.add_argument("--quick", action="store_true", help="leave out the minutes of Python")
    options = parser.parse_args()
    print(f"{cpu_model()}, {usable_cores()} usable cores, Python {sys.version.split()[0]}")
    whole_processes(options.pairs)
    in_process(options.runs)
    if not options.quick:
        pure_python()


if __name__ == "__main__":
    main()
