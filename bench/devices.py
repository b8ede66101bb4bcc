"""What a device gives beside the planned search on this machine's CPU: `make figures`.

Runs of the two take turns, so that a machine whose speed drifts slows both; a search's time is
from inputs on the device to rows on the host. Then many small searches at once, beside the same
ones one after the other. Every answer is verified and its digest or its counts compared.
"""

import sys
from statistics import median
from time import perf_counter

import numpy as np
from startup import digest_of, searching
from threads import once

from wordpack.backend import registry
from wordpack.backend.base import Options
from wordpack.compiled.threads import usable_cores
from wordpack.errors import Unavailable
from wordpack.kernels.device import opencl
from wordpack.kernels.search import bitset_rows
from wordpack.machine.hardware import cpu_model
from wordpack.packing.problem import Group, Problem
from wordpack.solving.instances import INSTANCES
from wordpack.solving.loading import load

TURNS = {"parker": 51, "wordle": 51, "wrong-wordle": 15}

SAMPLES, SIZE = 1000, 1500
"""Searches of a batch, and the signatures of parker that each has."""


def beside(name: str) -> None:
    """Print the medians of one instance."""
    instance, digest = INSTANCES[name], digest_of(INSTANCES[name])
    started = perf_counter()
    device = searching(instance, "opencl", Options())
    prepared = perf_counter() - started
    cpu = searching(instance, "bitset_rows", Options())
    turns = [(once(device, digest), once(cpu, digest)) for _ in range(TURNS[name] + 1)]
    (first, _), *times = turns
    print(
        f"{name:<14}prepare {prepared * 1e3:8.1f} ms   first {first * 1e3:8.2f} ms   "
        f"search {median(a for a, _ in times) * 1e3:8.2f} ms   "
        f"cpu {median(b for _, b in times) * 1e3:8.2f} ms   "
        f"ratio {median(a / b for a, b in times):.2f}"
    )


def samples() -> list[Problem]:
    """Return searches for five words in random parts of parker's list."""
    random, group = np.random.default_rng(1), load(INSTANCES["parker"].spec).problem.groups[0]
    chosen = [np.sort(random.choice(len(group.masks), SIZE, replace=False)) for _ in range(SAMPLES)]
    return [Problem((Group(group.masks[s], 5, group.weights[s]),), 26) for s in chosen]


def together() -> None:
    """Print what many searches take at once, and one after the other."""
    problems, counting = samples(), Options(count_only=True)
    started = perf_counter()
    batch = opencl.prepare_batch(problems, counting)
    prepared = perf_counter() - started
    batch.run()
    started = perf_counter()
    found = batch.run()
    taken = perf_counter() - started
    alone = [bitset_rows.prepare(problem, counting) for problem in problems]
    started = perf_counter()
    known = [search.run() for search in alone]
    one_by_one = perf_counter() - started
    if found != known:
        sys.exit("a batch was wrong: nothing is shown")
    print(
        f"{SAMPLES} samples of {SIZE} words: prepare {prepared:.2f} s   "
        f"at once {taken * 1e3:.1f} ms   one by one on the CPU {one_by_one * 1e3:.1f} ms"
    )


def main() -> None:
    """Run all measurements, where there is a device."""
    try:
        used = registry.row("opencl").load().probe()
    except Unavailable as reason:
        print(f"opencl cannot run here: {reason}")
        return
    print(f"{used}; {cpu_model()}, {usable_cores()} usable cores")
    for name in TURNS:
        beside(name)
    together()


if __name__ == "__main__":
    main()
