"""A device's speed-up over the planned search on this machine's CPU: `make figures`.

Device and CPU take turns, so that a machine whose speed drifts slows both. A search is timed from
inputs on the device to rows on the host. Every answer is verified and its digest compared.
"""

from statistics import median
from time import perf_counter

from startup import digest_of, searching
from threads import once

from wordpack.backend import registry
from wordpack.backend.base import Options
from wordpack.compiled.threads import usable_cores
from wordpack.errors import Unavailable
from wordpack.machine.hardware import cpu_model
from wordpack.solving.instances import INSTANCES

TURNS = {"parker": 51, "wordle": 51, "wrong-wordle": 15}


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


def main() -> None:
    """Run all measurements if there is a device."""
    try:
        used = registry.row("opencl").load().probe()
    except Unavailable as reason:
        print(f"opencl cannot run here: {reason}")
        return
    print(f"{used}; {cpu_model()}, {usable_cores()} usable cores")
    for name in TURNS:
        beside(name)


if __name__ == "__main__":
    main()
