"""The ladder of kernels/README.md: from the community's plan to a device, one number per rung.

Times are medians of the search alone; the plan, rows and device buffers are prepared before. Every
answer is verified and its digest, or its two counts, compared before its time is shown. Prints a
Markdown table.
"""

import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

from startup import digest_of, timed

from wordpack.backend import registry
from wordpack.backend.base import Options, Search
from wordpack.compiled.threads import usable_cores
from wordpack.errors import Unavailable
from wordpack.kernels.search.bitset_rows import WholeRows
from wordpack.kernels.search.plan import plain
from wordpack.kernels.search.planner import Planned, choose
from wordpack.machine.hardware import cpu_model
from wordpack.packing.answer import Packings
from wordpack.packing.problem import Problem
from wordpack.solving.instances import instance
from wordpack.solving.judge import judge, numbers
from wordpack.solving.loading import load
from wordpack.text.formatting import duration

LISTED, COUNTED = ("parker", "wrong-wordle"), "6x4"

MOST = 1e8
"""A rung with more estimated nodes than this is not run."""

RUNS = 15

Rung = tuple[str, Callable[[Problem], Search]]


def rungs() -> list[Rung]:
    """Return the name of each rung, and how to prepare its search."""
    one, all_cores = Options(threads=1), Options()
    return [
        ("rows of bits, rarest letter first", _unplanned),
        ("and a plan: cuts, order, gates", lambda p: WholeRows(p, one, choose(p))),
        ("and all cores", lambda p: WholeRows(p, all_cores, choose(p))),
        ("level by level, OpenCL", lambda p: _backend("opencl", p, all_cores)),
        ("level by level, CUDA", lambda p: _backend("cuda", p, all_cores)),
    ]


class TooLong(Exception):  # noqa: N818  a reason, not an error
    """Raised for a search that takes too long; its message is the estimated nodes."""


def _unplanned(problem: Problem) -> Search:
    planned = Planned(plain(problem))
    if planned.cost > MOST:
        raise TooLong(f"{planned.cost:.0e}")
    return WholeRows(problem, Options(threads=1), planned)


def _backend(name: str, problem: Problem, options: Options) -> Search:
    backend = registry.row(name).load()
    backend.probe()
    return backend.prepare(problem, options)


def listed(prepare: Callable[[Problem], Search], name: str) -> str:
    """Return the median time of one rung on one instance, or why there is none."""
    known = instance(name)
    problem = load(known.spec).problem
    try:
        search = prepare(problem)
    except Unavailable:
        return "not here"
    except TooLong as nodes:
        return f"{nodes} nodes"

    def run() -> Packings:
        found = search.run()
        assert isinstance(found, Packings)  # noqa: S101  it lists
        return found

    return duration(timed(run, digest_of(known), RUNS)[0])


def counted(name: str) -> str:
    """Return the median time in which a backend counts, or why there is none."""
    expected = instance(COUNTED).expected
    problem = load(instance(COUNTED).spec).problem
    try:
        search = _backend(name, problem, Options(count_only=True))
    except Unavailable:
        return "not here"
    times = []
    for _ in range(RUNS // 5 + 1):
        started = perf_counter()
        found = search.run()
        times.append(perf_counter() - started)
        if judge(numbers(found), expected).strength != "expected":
            sys.exit(f"{name} was wrong: nothing is shown")
    return duration(median(times[1:]))


def main() -> None:
    """Print both ladders."""
    print(f"{cpu_model()}, {usable_cores()} usable cores, Python {sys.version.split()[0]}\n")
    print(f"| listing | {' | '.join(LISTED)} |\n|---|{'---|' * len(LISTED)}")
    for what, prepare in rungs():
        print(f"| {what} | {' | '.join(listed(prepare, name) for name in LISTED)} |")
    print(f"\n| counting | {COUNTED} |\n|---|---|")
    for name in ("merged_states", "subset_sums", "subset_sums_opencl", "subset_sums_cuda"):
        print(f"| {name} | {counted(name)} |")


if __name__ == "__main__":
    main()
