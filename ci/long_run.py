"""Race and search in a loop in one process, and report anything that keeps growing.

    python ci/long_run.py [--minutes 60] [--turns 1000000]

Each turn races all backends that run here on two instances (each in its own process, some killed
at the end of their budget), searches with several backends in this process, and counts what is
left: this process's memory, descriptors and threads, the processes that it started, and files in
the temporary folder, the cache and shared memory. The script uses its own folders and starts with
a cold cache. It prints one line per turn. Linux only: it reads /proc.

The first half of the turns may grow, while kernels are compiled and modules imported. In the second
half the trend is judged: the median slope over all pairs of turns (Theil-Sen), which one odd turn
does not move. Memory may grow by ROOM, and nothing else by one. Other processes use shared memory
too, so it is shown but not judged.

Exit status: 0 nothing grew; 1 something grew, or a turn went wrong; 2 it cannot be judged.
"""

import argparse
import atexit
import gc
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from itertools import combinations
from pathlib import Path
from statistics import median
from time import monotonic, sleep

SHARED = "shared memory"

ROOM = 4 << 20
"""Bytes by which memory may grow in the second half.

The memory that Python's and C's allocators keep differs by some ten KiB from turn to turn. In an
hour the second half has some 80 turns on idle cores, where a leak of 50 KiB a turn exceeds this. On
busy cores it has 15, where it takes a leak of 300 KiB.
"""

FEWEST = 6
"""The fewest turns that can be judged."""

GRACE = 5.0
"""Seconds within which a killed process and its children must be gone."""

MARK = "WORDPACK_LONG_RUN"
"""An environment variable that identifies processes that have lost their parent."""

RACES = ("toy", "play-all")
SEARCHES = (
    "solve parker --backend bitset_rows",
    "solve parker --backend rarest_letter --format json",
    "solve parker --backend opencl",
    "solve 3x7 --count-only",
    "play --format json",
)

Counts = dict[str, int]


def say(line: str) -> None:
    """Print a line at once, so that a run can be followed in a file."""
    print(line, flush=True)  # noqa: T201  its purpose


def children() -> int:
    """Return how many processes started by this one, or by its children, exist."""
    own = str(os.getpid())
    found, mark = 0, f"{MARK}={own}".encode()
    for place in Path("/proc").glob("[0-9]*"):
        # the process may have ended meanwhile, or be another user's
        with suppress(OSError):
            parent = (place / "stat").read_text().rpartition(")")[2].split()[1]
            # a zombie has no environment any more
            ours = parent == own or mark in (place / "environ").read_bytes().split(b"\0")
            found += ours and place.name != own
    return found


def files(folder: Path) -> int:
    """Return how many files and folders are in a folder, at any depth."""
    return sum(1 for _ in folder.rglob("*"))


def counts(temporary: Path, cache: Path) -> Counts:
    """Return the current counts, after killed processes had time to end."""
    gc.collect()
    until = monotonic() + GRACE
    while (left := children()) and monotonic() < until:
        sleep(0.05)
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return {
        # without the pages of mapped files, which the system loads and drops as it likes
        "memory": int(status["RssAnon"].split()[0]) << 10,
        "descriptors": len(os.listdir("/proc/self/fd")),  # noqa: PTH208  names only, no objects
        "threads": int(status["Threads"]),
        "processes": left,
        "temporary files": files(temporary),
        "cached files": files(cache),
        SHARED: files(Path("/dev/shm")),  # noqa: S108  it is only looked at
    }


def slope(values: list[int]) -> float:
    """Return the median slope over all pairs of turns."""
    pairs = combinations(enumerate(values), 2)
    return median((later - first) / (b - a) for (a, first), (b, later) in pairs)


def judged(turns: list[Counts]) -> list[str]:
    """Return a sentence for each count that has grown."""
    half, wrong = turns[len(turns) // 2 :], []
    for what in sorted(turns[0].keys() - {SHARED}):
        values = [turn[what] for turn in half]
        growth = slope(values) * (len(values) - 1)
        if growth >= (ROOM if what == "memory" else 1):
            number = f"{growth / 2**20:.1f} MiB" if what == "memory" else f"{growth:.0f}"
            wrong.append(f"{what} grew by {number} in the last {len(values)} turns")
    if left := max(turn["processes"] for turn in turns):
        wrong.append(f"{left} processes were left after a turn, {GRACE:g} s after its end")
    return wrong


def turn(folder: Path) -> None:
    """Race and search once; raise RuntimeError if a command fails."""
    from wordpack.commands.main import main

    for instance in RACES:
        race = ("race", instance, "--budget", "5", "--repeat", "2")
        _run(main, *race, "--json", str(folder / f"{instance}.json"))
    for line in SEARCHES:
        backend = line.partition("--backend ")[2].partition(" ")[0]
        if not backend or _is_here(backend):
            _run(main, *line.split(), *(["--output", str(folder / "rows")] * ("solve" in line)))


def _run(main: Callable[[list[str]], int], *arguments: str) -> None:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as err:
        status = main(list(arguments))
    if status:
        raise RuntimeError(f"{' '.join(arguments)} ended with {status}: {err.getvalue()}")


def _is_here(backend: str) -> bool:
    from wordpack.backend import registry
    from wordpack.errors import Unavailable

    try:
        registry.row(backend).load().probe()
    except Unavailable:
        return False
    return True


def run(minutes: float, most: int, act: Callable[[Path], None] = turn) -> int:
    """Run turns, print the counts after each, judge them; return the exit status."""
    if not Path("/proc/self/status").exists():
        say("there is no /proc here: it is Linux's")
        return 2
    own = Path(tempfile.mkdtemp(prefix="wordpack-long-run-"))
    temporary, cache, work = (own / name for name in ("temporary", "cache", "work"))
    for folder in (temporary, cache, work):
        folder.mkdir()
    # registered first, so it runs last when the process exits
    atexit.register(_left_at_the_end, own, temporary)
    os.environ |= {"WORDPACK_CACHE_DIR": str(cache), MARK: str(os.getpid())}
    tempfile.tempdir = os.environ["TMPDIR"] = str(temporary)
    begun, turns = monotonic(), list[Counts]()
    while len(turns) < most and monotonic() - begun < minutes * 60:
        try:
            act(work)
        except RuntimeError as error:
            say(f"turn {len(turns) + 1}: {error}")
            return 1
        turns.append(counts(temporary, cache))
        shown = (f"{name} {number:,}" for name, number in turns[-1].items())
        say(f"turn {len(turns)} at {monotonic() - begun:.0f} s: {', '.join(shown)}")
    if len(turns) < FEWEST:
        say(f"{len(turns)} turns are too few to judge: give more --minutes")
        return 2
    wrong = judged(turns)
    say("\n".join(wrong) if wrong else f"{len(turns)} turns: nothing piles up")
    return 1 if wrong else 0


def _left_at_the_end(own: Path, temporary: Path) -> None:
    left = sorted(path.name for path in temporary.iterdir())
    shutil.rmtree(own, ignore_errors=True)
    if left:
        say(f"left in the temporary folder at the end: {', '.join(left)}")
        os._exit(1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--turns", type=int, default=1_000_000)
    asked = parser.parse_args()
    sys.exit(run(asked.minutes, asked.turns))
