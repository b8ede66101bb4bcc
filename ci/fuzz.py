"""Feed mutated words, notations, options and results to wordpack; compare with plain rules.

    python ci/fuzz.py [--inputs 1000000] [--first 0] [--seed 1] [--kind text] [--processes 1]

Input i of a seed is the same on every machine. Accepted input is compared with a slow reader
written from the rules. A refusal must be an InputError or one line, and where the rules are simple
enough they must refuse the input too.

It prints how many inputs of each kind were accepted. Exit status: 0 nothing failed; 1 an input
raised something else, differed or took over five minutes, or memory grew by more than ROOM after
the first tenth. A failing input is named by its seed and number, and printed after Hypothesis has
made it small; --first NUMBER --inputs 1 runs it again.
"""

import argparse
import ctypes
import gc
import os
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from fuzz_exchange import try_merge, try_packed, try_report
from fuzz_hints import try_hints
from fuzz_lists import try_alphabet, try_command, try_family, try_text
from fuzz_results import render_seeds, try_race, try_results

from generators import hints, results, words
from generators.strategies import told
from long_loop import Counts, Fault, run_in_processes
from wordpack.testing.draw import Draw, Seeded

ROOM = 64 << 20
"""Bytes by which peak memory may grow after the first tenth of the inputs."""

TIDY = 5_000
"""Free memory is returned to the system every so many inputs."""


class Kind(NamedTuple):
    """A kind of input: what draws it, what checks it, and its share in a thousand."""

    draw: Callable[[Draw], Any]
    check: Callable[[Any], bool]
    share: int


KINDS = {
    "text": Kind(words.word_list, try_text, 250),
    "alphabet": Kind(words.alphabet, try_alphabet, 210),
    "family": Kind(words.family, try_family, 210),
    "options": Kind(words.solve_arguments, try_command, 5),
    "hints": Kind(hints.hints, try_hints, 200),
    "asking": Kind(hints.arguments, try_command, 5),
    "results": Kind(results.results, try_results, 50),
    "race": Kind(results.race, try_race, 50),
    "packed": Kind(results.packed, try_packed, 15),
    "merge": Kind(results.merge, try_merge, 4),
    "report": Kind(results.report, try_report, 1),
}


def try_number(kinds: Sequence[str], seed: int, number: int) -> Counts:
    """Try the input with this number."""
    if number % TIDY == 0:
        tidy()
    own = f"{seed}:{number}"
    shares = [KINDS[each].share for each in kinds]
    # not the input's own seed, whose first choice would then depend on the kind
    kind = Random(f"{own}:kind").choices(kinds, shares)[0]  # noqa: S311  no secret
    draw = Seeded(own)
    value = KINDS[kind].draw(draw)
    try:
        accepted = KINDS[kind].check(value)
    except Exception as raised:  # any other exception is what we look for
        said = told(KINDS[kind].draw, KINDS[kind].check, draw.drawn, raised)
        raise Fault(f"{kind} of seed {own}\n{traceback.format_exc()}{said}") from raised
    return Counter({(kind, "accepted" if accepted else "refused"): 1})


def tidy() -> None:
    """Return free memory to the system: pages of megabytes between small objects leave holes."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's
    if trim is not None:
        trim(0)


def prepare(folder: str, *, pages: bool) -> None:
    """Write the files that the inputs name into this process's own folder."""
    # about escapes that unicode_escape does not know
    warnings.simplefilter("ignore", DeprecationWarning)
    os.chdir(tempfile.mkdtemp(dir=folder))
    Path("five").write_text("fjord\ngucks\nnymph\nvibex\nwaltz\n")
    Path("twice").write_text("fjord\nFJORD\nwaltz\nhello\n")
    Path("empty").write_text("")
    Path("long").write_text("\n".join(["a" * 70, "a" * 60, "a" * 59 + "b", "b" * 39]))
    if pages:
        render_seeds()


def main() -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    numbers = range(given.first, given.first + given.inputs)
    trial, pages = partial(try_number, given.kind, given.seed), {"results", "race", "report"}
    with tempfile.TemporaryDirectory() as folder:
        begin = partial(prepare, folder, pages=bool(pages & set(given.kind)))
        outcome = run_in_processes(trial, numbers, given.processes, begin)
    counts = outcome.counts
    for kind in given.kind:
        both = counts[kind, "accepted"], counts[kind, "refused"]
        print(f"{kind:<9}{both[0]:>10,} accepted {both[1]:>10,} refused")  # noqa: T201  its purpose
    grown = f"{outcome.grown >> 20} of them after the first tenth"
    print(f"peak memory {outcome.peak >> 20} MiB, {grown}")  # noqa: T201
    if outcome.fault:
        print(outcome.fault)  # noqa: T201
    return 1 if outcome.fault or outcome.grown > ROOM else 0


if __name__ == "__main__":
    sys.exit(main())
