"""Feed mutated words, notations, options and results to wordpack; compare with plain rules.

    python ci/fuzz.py [--inputs 1000000] [--seed 1] [--kind text]

Each input is made from the seeds beside this file and a random number of mutations, the same for a
seed. What is read is compared with a slow reader written from the rules; what is refused must be
refused by the rules too where they are that plain, and always as InputError or as one line. An
input that failed becomes a seed.

Exit status: 0 nothing failed, and how many inputs of each kind were accepted; 1 an input, shown
with the seed that makes it, raised something else, differed, took over LIMIT seconds, or memory
has grown by more than ROOM after the first tenth.
"""

import argparse
import ctypes
import gc
import os
import resource
import signal
import sys
import tempfile
import threading
import traceback
import warnings
from collections import Counter
from pathlib import Path
from random import Random
from time import monotonic, sleep

from fuzz_exchange import try_merge, try_packed, try_report
from fuzz_hints import try_asking, try_hints
from fuzz_lists import try_alphabet, try_family, try_options, try_text
from fuzz_results import render_seeds, try_race, try_results

LIMIT = 60.0
"""Seconds that one input may take, on a busy machine that may have to compile first."""

ROOM = 64 << 20
"""Bytes by which peak memory may grow after the first tenth of the inputs."""

TIDY = 5_000
"""Inputs after which memory that is free is given back."""

KINDS = {
    "text": (try_text, 250),
    "alphabet": (try_alphabet, 210),
    "family": (try_family, 210),
    "options": (try_options, 5),
    "hints": (try_hints, 200),
    "asking": (try_asking, 5),
    "results": (try_results, 50),
    "race": (try_race, 50),
    "packed": (try_packed, 15),
    "merge": (try_merge, 4),
    "report": (try_report, 1),
}
"""What tries each kind of input, and how many of a thousand are such."""


class Watch:
    """Ends the process where one input takes too long, whatever it is doing."""

    def __init__(self) -> None:
        self.now, self.since = "", monotonic()
        threading.Thread(target=self._look, daemon=True).start()

    def begin(self, what: str) -> None:
        """Start the clock for another input."""
        self.now, self.since = what, monotonic()

    def _look(self) -> None:
        while True:
            sleep(1)
            if monotonic() - self.since > LIMIT:
                os.write(2, f"{self.now} has taken {LIMIT:g} s\n".encode())
                os._exit(1)


def peak() -> int:
    """Return the most memory that this process has had, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def tidy() -> None:
    """Give free memory back: pages of some megabytes, between small things, leave holes."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's
    if trim is not None:
        trim(0)


def fuzz(inputs: int, seed: int, kinds: dict[str, int]) -> int:
    """Try so many inputs; print the numbers and return the exit status."""
    counts, watch, before = {kind: Counter[bool]() for kind in kinds}, Watch(), 0
    try:
        for number in range(inputs):
            own = f"{seed}:{number}"
            random = Random(own)  # noqa: S311  no secret
            kind = random.choices(list(kinds), list(kinds.values()))[0]
            if number % TIDY == 0:
                tidy()
            watch.begin(f"{kind} of seed {own}")
            try:
                counts[kind][KINDS[kind][0](random)] += 1
            except Exception:  # any other exception is what we look for
                print(f"{kind} of seed {own}\n{traceback.format_exc()}")  # noqa: T201  its purpose
                return 1
            if number == inputs // 10:
                before = peak()
    except KeyboardInterrupt:
        print(f"interrupted after {number:,} inputs")  # noqa: T201
    grown = peak() - (before or peak())
    for kind, found in counts.items():
        print(f"{kind:<9}{found[True]:>10,} accepted {found[False]:>10,} refused")  # noqa: T201
    print(f"peak memory {peak() >> 20} MiB, {grown >> 20} of them after the first tenth")  # noqa: T201
    return 1 if grown > ROOM else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=list(KINDS))
    asked = parser.parse_args()
    # also where a shell that started us in the background has it ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # of escapes that unicode_escape does not know
    warnings.simplefilter("ignore", DeprecationWarning)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("five").write_text("fjord\ngucks\nnymph\nvibex\nwaltz\n")
        Path("twice").write_text("fjord\nFJORD\nwaltz\nhello\n")
        Path("empty").write_text("")
        words = ["a" * 70, "a" * 60, "a" * 59 + "b", "b" * 39]
        Path("long").write_text("\n".join(words))
        if {"results", "race", "report"} & set(asked.kind):
            render_seeds()
        status = fuzz(asked.inputs, asked.seed, {kind: KINDS[kind][1] for kind in asked.kind})
        os.chdir("/")
    sys.exit(status)
