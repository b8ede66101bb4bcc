"""Count the instructions of one search with callgrind, repeatable on a noisy machine.

    python bench/instructions.py                      our search of parker, one thread
    python bench/instructions.py --instance wordle
    python bench/instructions.py --program ~/standup5x5/v25 --words words_alpha.txt

Needs valgrind, which does not support AVX-512: on x86 our kernels are compiled for a Haswell, and a
C program should be built with -mno-avx512f. Our figure is the difference between a process with
many searches and a process with one, divided by the searches, so it excludes reading and planning.
A program's figure is its whole run, reading and output included. Compare each only with its own
earlier figures.
"""

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from wordpack.backend.base import Options
from wordpack.kernels.search.bitset_rows import BitsetRows
from wordpack.packing.answer import Packings
from wordpack.solving.instances import instance
from wordpack.solving.judge import judge, numbers
from wordpack.solving.loading import load

COUNT_OF_SEARCHES = "--searches"

SEARCHES = 50
"""Searches counted together, because processes differ by some ten million instructions."""


def counted(command: list[str], cwd: Path | None = None) -> int:
    """Return the instructions that `command` executes in user space."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        sys.exit("valgrind is not installed: Debian and Ubuntu have it as valgrind")
    environment = dict(os.environ) | {"PYTHONHASHSEED": "0"}
    if platform.machine() == "x86_64":
        environment["NUMBA_CPU_NAME"] = "haswell"
    # once without valgrind, because compiling under it takes minutes
    subprocess.run(command, check=True, capture_output=True, cwd=cwd, env=environment)  # noqa: S603
    with tempfile.TemporaryDirectory() as folder:
        out = f"--callgrind-out-file={folder}/out"
        whole = [valgrind, "--tool=callgrind", out, *command]
        done = subprocess.run(  # noqa: S603
            whole, check=True, capture_output=True, text=True, cwd=cwd, env=environment
        )
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None:
        sys.exit(f"callgrind said nothing of {command[0]}:\n{done.stderr[-500:]}")
    return int(found[1])


def search(name: str, searches: int) -> None:
    """Search repeatedly in this process, and verify the last answer."""
    known = instance(name)
    prepared = BitsetRows().prepare(load(known.spec).problem, Options(threads=1))
    for _ in range(searches):
        found = prepared.run()
    assert isinstance(found, Packings)  # noqa: S101  it lists
    if judge(numbers(found), known.expected).differs:
        sys.exit("the search was wrong: nothing is counted")


def main() -> None:
    """Count instructions, or run as the process that is counted."""
    parser = argparse.ArgumentParser(description="Count instructions with callgrind.")
    parser.add_argument("--instance", default="parker")
    parser.add_argument("--program", help="a built program of standup5x5 instead of ours")
    parser.add_argument("--words", type=Path, help="its words_alpha.txt")
    parser.add_argument(COUNT_OF_SEARCHES, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.searches:
        search(options.instance, options.searches)
    elif options.program:
        if options.words is None:
            parser.error("--program needs --words FILE")
        command = [str(Path(options.program).resolve()), "-t", "1", "-f", options.words.name]
        print(f"{Path(options.program).name:<14}{counted(command, options.words.parent):>14,}")
    else:
        ours = [sys.executable, __file__, "--instance", options.instance, COUNT_OF_SEARCHES]
        one, many = counted([*ours, "1"]), counted([*ours, str(1 + SEARCHES)])
        print(f"bitset_rows   {(many - one) // SEARCHES:>14,} for {options.instance}")


if __name__ == "__main__":
    main()
