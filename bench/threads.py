"""The speed-up of each compiled backend by more threads: `make figures`.

Runs with one thread and with more take turns, so that a machine whose speed drifts slows both. The
speed-up is the median of the turns' ratios. Every answer is verified and its digest compared.
"""

import argparse
import sys
from statistics import median
from time import perf_counter

from startup import digest_of, listing, searching, timed

from wordpack.backend import registry
from wordpack.backend.base import Options, Search
from wordpack.compiled.threads import usable_cores
from wordpack.machine.hardware import cpu_model
from wordpack.solving.instances import INSTANCES, Instance
from wordpack.solving.loading import load

PROBLEMS = (
    ("bitset_rows", "parker", 101),
    ("bitset_rows", "wrong-wordle", 15),
    ("rarest_letter", "parker", 25),
    ("dancing_links", "parker", 9),
    ("dancing_links", "parker-words", 9),
    ("neighbour_pairs", "wordle-12947", 5),
    ("graph_cliques_compiled", "parker", 5),
    ("partitioned_triples", "wrong-wordle", 1),
)
"""Backend, instance, and how many turns are timed."""


def once(search: Search, digest: str) -> float:
    """Return the seconds of one run."""
    return timed(lambda: listing(search), digest, 0)[0]


def _preparing(backend: str, instance: Instance) -> float:
    """Return the seconds of another prepare, with its code compiled and loaded already."""
    problem = load(instance.spec).problem
    started = perf_counter()
    registry.row(backend).load().prepare(problem, Options())
    return perf_counter() - started


def main() -> None:
    """Run all measurements."""
    parser = argparse.ArgumentParser(description="Measure the speed-up by threads.")
    parser.add_argument("--threads", type=int, default=usable_cores())
    parser.add_argument("--quick", action="store_true", help="leave out what takes a minute")
    options = parser.parse_args()
    print(f"{cpu_model()}, {usable_cores()} usable cores, Python {sys.version.split()[0]}")
    for backend, name, turns in PROBLEMS:
        if options.quick and turns == 1:
            continue
        instance, digest = INSTANCES[name], digest_of(INSTANCES[name])
        one, many = (
            searching(instance, backend, Options(threads=threads))
            for threads in (1, options.threads)
        )
        prepared = [_preparing(backend, instance) for _ in range(turns if turns > 1 else 0)]
        for search in (one, many) if turns > 1 else ():
            once(search, digest)  # touches the memory, and is not counted
        times = [(once(one, digest), once(many, digest)) for _ in range(turns)]
        print(
            f"{backend:<23}{name:<14}1 thread {median(a for a, _ in times):9.4f} s   "
            f"{options.threads} threads {median(b for _, b in times):9.4f} s   "
            f"speed-up {median(a / b for a, b in times):.2f}"
            + (f"   prepare {median(prepared) * 1e3:.1f} ms" if prepared else "")
        )


if __name__ == "__main__":
    main()
