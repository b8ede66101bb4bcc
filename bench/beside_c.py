"""Our engine beside the fastest C programs, in turn, on the same cores: `make bench-c`.

The C programs come from github.com/stew675/standup5x5 (s25, v25 for AVX2, 525 for AVX-512). Build
them outside this project as their Makefile says, with gcc and clang. They print their own times,
each turn in a fresh process. Ours are measured in one warm process that has loaded Python and the
kernels already; a fresh process of ours needs some 200 ms for that, shown in the last line. Every
answer of ours is verified before its time counts. The ratios are medians over the turns, against
the program with the lowest median.

    python bench/beside_c.py --words words_alpha.txt ~/standup5x5/525 ~/standup5x5/v25
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from startup import digest_of

from wordpack.backend.base import Options
from wordpack.compiled.threads import usable_cores
from wordpack.kernels.search.bitset_rows import BitsetRows
from wordpack.machine.hardware import cpu_model
from wordpack.packing.answer import Packings, verify
from wordpack.packing.realization import solutions
from wordpack.solving.instances import INSTANCES
from wordpack.solving.loading import load
from wordpack.solving.spec import GroupSpec, Source, Spec

SOLUTIONS = 831
STEPS = {
    "search": ("Main Algorithm",),
    "prepare + search": ("Frequency Set Build", "Main Algorithm"),
    "file to solutions": ("Total",),
}


def theirs(program: str, words: Path, threads: int) -> dict[str, float]:
    """Return the seconds of each step of one run of a C program, checked by its count."""
    command = [str(Path(program).resolve()), "-v", "-t", str(threads), "-f", words.name]
    # in its own folder, because it writes its solutions to the working directory
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / words.name).symlink_to(words)
        done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder)  # noqa: S603
    if "NUM SOLUTIONS = 538" not in done.stdout:
        sys.exit(f"{program} was wrong: nothing is shown")
    lines = dict(re.findall(r"^(\w[\w ]*?) += ([0-9.]+)s$", done.stdout, re.MULTILINE))
    return {step: sum(float(lines[each]) for each in parts) for step, parts in STEPS.items()}


def ours(words: Path, threads: int) -> dict[str, float]:
    """Return the seconds of each of our steps; the answer is verified outside the timing."""
    parker = INSTANCES["parker"]
    started = perf_counter()
    loaded = load(Spec((GroupSpec(Source(str(words), embedded=False), 5, 5),)))
    read = perf_counter()
    search = BitsetRows().prepare(loaded.problem, Options(threads=threads))
    prepared = perf_counter()
    found = search.run()
    searched = perf_counter()
    assert isinstance(found, Packings)  # noqa: S101  it lists
    rows = list(solutions(found, loaded.signatures))
    ended = perf_counter()
    verify(found)
    if found.digest() != digest_of(parker) or len(set(rows)) != SOLUTIONS:
        sys.exit("ours was wrong: nothing is shown")
    return {
        "search": searched - prepared,
        "prepare + search": searched - read,
        "file to solutions": ended - started,
    }


def wall(command: list[str], words: Path) -> float:
    """Return the seconds of a whole process; a C program gets the words as its last argument."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / words.name).symlink_to(words)
        last = [words.name] if command[-1] == "-f" else []
        started = perf_counter()
        subprocess.run([*command, *last], check=True, capture_output=True, cwd=folder)  # noqa: S603
        return perf_counter() - started


def main() -> None:
    """Run all programs in turns; print medians and ratios."""
    parser = argparse.ArgumentParser(description="Compare our engine with the fastest C programs.")
    parser.add_argument("programs", nargs="+", help="built programs of standup5x5")
    parser.add_argument("--words", type=Path, required=True, help="words_alpha.txt, read by all")
    parser.add_argument("--turns", type=int, default=101)
    options = parser.parse_args()
    words = options.words.resolve()
    print(f"{cpu_model()}, {usable_cores()} usable cores, Python {sys.version.split()[0]}")
    for threads in sorted({1, min(2, usable_cores()), usable_cores()}):
        ours(words, threads)
        turns = [
            (
                {each: theirs(each, words, threads) for each in options.programs},
                ours(words, threads),
            )
            for _ in range(options.turns)
        ]
        for step in STEPS:
            middle = {p: median(c[p][step] for c, _ in turns) for p in options.programs}
            best = min(middle, key=lambda program: middle[program])
            own = median(mine[step] for _, mine in turns)
            ratio = median(mine[step] / c[best][step] for c, mine in turns)
            print(
                f"{threads} thread{'s'[: threads > 1]:<1}  {step:<18} ours {own * 1e3:6.2f} ms   "
                f"{Path(best).name} {middle[best] * 1e3:6.2f} ms   ratio {ratio:.2f}"
            )
    ours_alone = [sys.executable, "-m", "wordpack", "solve", "--words", str(words)]
    best = options.programs[0]
    whole = [
        (wall(ours_alone, words), wall([str(Path(best).resolve()), "-f"], words)) for _ in range(9)
    ]
    print(
        f"whole processes     ours {median(a for a, _ in whole) * 1e3:6.1f} ms   "
        f"{Path(best).name} {median(b for _, b in whole) * 1e3:6.1f} ms"
    )


if __name__ == "__main__":
    main()
