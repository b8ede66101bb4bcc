"""Compare every backend of packings with plain Python, and with its own other answers.

    python ci/differential.py [--problems 100000] [--first 0] [--seed 8] [--processes 2] [--long]
    python ci/differential.py --backend NAME --problem LITERAL

Problem i of a seed is the same on every machine, and so are the options drawn for each backend.
Where a backend takes a problem, it counts and lists; for half of the problems it does both again,
for half it lists in parts, for one in ten its root is cut into slices. Each answer is compared
with that of `plain_packings`: packings, solutions, rows, digest; and counters must not depend on
threads, chunks and buffers. A device is asked one problem in five. Small problems get the simplest
plan of bitset_rows and devices: with --long they are planned as if they were long.

Exit status: 0 all agree, and how often each backend ran and each shape had a packing; 1 a
backend differs, raises, ends its process or takes over LIMIT seconds: its problem, made small, is
printed as a Python literal, which --problem takes; 2 what was asked for cannot be run.
"""

import argparse
import faulthandler
import multiprocessing
import signal
import sys
import threading
from ast import literal_eval
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from random import Random
from typing import Any

from differential_checks import ON_DEVICE, Check, built, too_large
from differential_shapes import SHAPES, problem
from differential_shrinking import TESTS, fault, shrunk
from plain_packings import PlainProblem, TooMany, solve

from wordpack.backend import registry
from wordpack.backend.row import Row
from wordpack.errors import Unavailable
from wordpack.kernels.search import planner

LIMIT = 300.0
"""Seconds that one problem may take in all backends, on a busy machine that compiles first."""

COLUMNS = ("ran", "non-zero", "refused", "too large", "left out")
"""What is counted of each backend; left out were problems of which a device is asked some only."""


@dataclass
class Tally:
    """What was run: by shape and by backend, how often, and how often with a packing."""

    problems: Counter[str] = field(default_factory=Counter)
    ran: Counter[str] = field(default_factory=Counter)
    some: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    large: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    plain: int = 0
    """Problems that plain Python solved."""
    fault: str = ""

    def add(self, other: "Tally") -> None:
        """Add what another process has run."""
        for name in ("problems", "ran", "some", "refused", "large", "left"):
            getattr(self, name).update(getattr(other, name))
        self.compared += other.compared
        self.plain += other.plain
        self.fault = self.fault or other.fault


def available(name: str | None = None) -> tuple[list[Row], dict[str, str]]:
    """Return the backends of packings that can run here, and why the others cannot."""
    rows, absent = [], {}
    for row in registry.of_workload("packing"):
        if name in (None, row.name):
            try:
                row.load().probe()
            except Unavailable as reason:
                absent[row.name] = str(reason)
            else:
                rows.append(row)
    return rows, absent


def compare(rows: list[Row], numbers: range, seed: int) -> Tally:
    """Compare the backends on the problems of these numbers, up to the first fault."""
    tally, shapes = Tally(), list(SHAPES)
    for number in numbers:
        if _stop.is_set():
            break
        _current[number % len(_current)] = number
        faulthandler.dump_traceback_later(LIMIT, exit=True)
        own, shape = f"{seed}:{number}", shapes[number % len(shapes)]
        plain = problem(Random(own), shape)  # noqa: S311  no secret
        if not _one(rows, plain, own, shape, tally):
            break
    faulthandler.cancel_dump_traceback_later()
    return tally


def _one(rows: list[Row], plain: PlainProblem, own: str, shape: str, tally: Tally) -> bool:
    """Compare the backends on one problem; False where one differs, which the tally then says."""
    tally.problems[shape] += 1
    try:
        due = solve(plain, TESTS)
    except TooMany:
        return True
    tally.plain += 1
    tally.some[shape] += bool(due.rows)
    for row in rows:
        share = ON_DEVICE if row.start_up else 1.0
        if Random(f"{own}:{row.start_up}").random() >= share:  # noqa: S311  no secret
            tally.left[row.name] += 1
            continue
        if too_large(row, built(plain)):
            tally.large[row.name] += 1
            continue
        check = Check(row, plain, due, own)
        try:
            taken = check.run()
        except Exception as raised:
            tally.fault = told(row, plain, own, shape, raised)
            return False
        tally.compared += check.compared
        which = tally.ran if taken else tally.refused
        which[row.name] += 1
        tally.some[row.name] += taken and bool(due.rows)
    return True


def told(row: Row, plain: PlainProblem, own: str, shape: str, raised: Exception) -> str:
    """Return the fault with its problem, made small where it shows itself again."""
    small = shrunk(row, plain, own)
    said = fault(row, small, solve(small, TESTS), own)
    kind = f"{type(raised).__name__}: {raised}"
    lines = [f"{row.name} on problem {own} ({shape}): {kind}"]
    if said is None:
        lines.append("the same problem has no fault when it is tried again; it is")
    elif small != plain:
        lines.append(f"made small: {type(said).__name__}: {said}")
    return "\n".join([*lines, small.literal()])


_stop: Any = threading.Event()
_current: Any = [0]
"""The number of the problem that each process is at, for the parent to say where one has ended."""


def _begin(stop: Any, current: Any, long: bool) -> None:
    """Take what a process shares with its parent, to which Ctrl-C is left."""
    global _stop, _current
    _stop, _current = stop, current
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    plan_as(long=long)


def plan_as(*, long: bool) -> None:
    """With `long`, let the planner try all that it tries where a search takes seconds."""
    if long:
        planner.CHEAP = planner.LONG = -1.0


def in_processes(
    rows: list[Row], numbers: range, seed: int, processes: int, *, long: bool = False
) -> Tally:
    """Compare in so many processes at once, each with a share of the problems."""
    context = multiprocessing.get_context("spawn")
    stop, tally = context.Event(), Tally()
    current: Any = context.Array("q", processes)
    with ProcessPoolExecutor(processes, context, _begin, (stop, current, long)) as executor:
        running: set[Future[Tally]] = {
            executor.submit(compare, rows, numbers[start::processes], seed)
            for start in range(processes)
        }
        while running:
            try:
                done, running = wait(running, 60, FIRST_COMPLETED)
                for each in done:
                    tally.add(each.result())
            except KeyboardInterrupt:
                stop.set()
            except BrokenProcessPool:
                at = ", ".join(f"{seed}:{number}" for number in current)
                tally.fault = tally.fault or f"a process has ended at one of the problems {at}"
            if tally.fault:
                stop.set()
            sys.stderr.write(f"problem {max(current):,}, the last is {numbers[-1]:,}\n")
    return tally


def report(rows: list[Row], absent: dict[str, str], tally: Tally) -> int:
    """Print the numbers and the fault; return the exit status."""
    total = tally.problems.total()
    print(f"problems {total:,}, of them solved in plain Python {tally.plain:,}")  # noqa: T201  its purpose
    print(f"answers compared {tally.compared:,}")  # noqa: T201
    print(f"{'shape':<24}{'problems':>10}{'non-zero':>10}")  # noqa: T201
    for shape in tally.problems:
        print(f"{shape:<24}{tally.problems[shape]:>10,}{tally.some[shape]:>10,}")  # noqa: T201
    print(f"{'backend':<24}" + "".join(f"{column:>10}" for column in COLUMNS))  # noqa: T201
    for name in [row.name for row in rows]:
        every = (tally.ran, tally.some, tally.refused, tally.large, tally.left)
        print(f"{name:<24}" + "".join(f"{counter[name]:>10,}" for counter in every))  # noqa: T201
    for name, reason in absent.items():
        print(f"{name:<24}cannot run here: {reason}")  # noqa: T201
    if tally.fault:
        print(tally.fault)  # noqa: T201
    return 1 if tally.fault else 0


def main() -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--problems", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first problem")
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--long", action="store_true", help="plan as for problems of seconds")
    parser.add_argument("--backend", choices=[row.name for row in registry.of_workload("packing")])
    parser.add_argument("--problem", type=literal_eval, help="the literal that a fault came with")
    asked = parser.parse_args()
    # also where a shell that started us in the background has it ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rows, absent = available(asked.backend)
    if asked.problem:
        plan_as(long=asked.long)
        plain, tally = PlainProblem.read(asked.problem), Tally()
        _one(rows, plain, str(asked.seed), "given", tally)
    else:
        numbers = range(asked.first, asked.first + asked.problems)
        tally = in_processes(rows, numbers, asked.seed, asked.processes, long=asked.long)
    return report(rows, absent, tally)


if __name__ == "__main__":
    sys.exit(main())
