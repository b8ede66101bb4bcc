"""Compare every packing backend with plain Python, and with its own other answers.

    python ci/differential.py [--problems 100000] [--first 0] [--seed 8] [--processes 2] [--long]
    python ci/differential.py --backend NAME --problem LITERAL

Problem i of a seed, and the options it is run with, are the same on every machine.
A backend that accepts a problem counts and lists; for half of the problems it does both again,
for half it lists in parts, for one in ten its root is cut into slices. Each answer is compared
with that of `plain_packings`: packings, solutions, rows, digest. Counters must not depend on
threads, chunks and buffers. A device gets one problem in five. Small problems get the simplest
plan of bitset_rows and devices; with --long they are planned as if they were long.

It prints how often each backend ran and each shape had a packing. Exit status: 0 all agree; 1 a
backend differs, raises, ends its process or takes over five minutes; the problem, made small by
Hypothesis, is printed as a literal for --problem; 2 the request cannot be run.
"""

import argparse
import sys
from collections import Counter
from functools import partial

from generators.strategies import told
from long_loop import Counts, Fault, Outcome, run, run_in_processes
from wordpack.backend import registry
from wordpack.backend.row import Row
from wordpack.errors import Unavailable
from wordpack.kernels.search import planner
from wordpack.testing.checks import TESTS, Check, built, too_large
from wordpack.testing.draw import Seeded
from wordpack.testing.plain_packings import TooMany, solve
from wordpack.testing.problems import WHOLE, Case, case, part

COLUMNS = ("ran", "non-zero", "refused", "too large", "left out")
"""What is counted for each backend; "left out" are problems that devices skip."""


def available(name: str | None = None) -> tuple[list[Row], dict[str, str]]:
    """Return the packing backends that can run here, and why the others cannot."""
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


def try_number(rows: list[Row], seed: int, number: int) -> Counts:
    """Compare the backends on this problem; a fault is reported with a small one."""
    given = case(Seeded(f"{seed}:{number}"))
    try:
        return try_case(rows, given)
    except Failed as failed:
        row, raised = failed.args
        said = told(partial(part, given), partial(compared, row), WHOLE, raised)
        raise Fault(f"{row.name} on problem {seed}:{number} ({given.shape}): {said}") from raised


def try_given(rows: list[Row], given: Case, _number: int = 0) -> Counts:
    """Compare the backends on the problem given on the command line."""
    try:
        return try_case(rows, given)
    except Failed as failed:
        row, raised = failed.args
        raise Fault(f"{row.name}: {type(raised).__name__}: {raised}") from raised


class Failed(Exception):  # noqa: N818  what was found, not an error of this script
    """Carries a backend's row and the exception that it raised."""


def try_case(rows: list[Row], given: Case) -> Counts:
    """Compare the backends on a problem; raise Failed at the first fault."""
    counts: Counts = Counter({(given.shape, "problems"): 1})
    try:
        due = solve(given.problem, TESTS)
    except TooMany:
        return counts
    some = bool(due.rows)
    counts.update({("all", "plain"): 1, (given.shape, "non-zero"): some})
    for row in rows:
        if row.start_up and not given.asked.devices:
            counts[row.name, "left out"] += 1
        elif too_large(row, built(given.problem)):
            counts[row.name, "too large"] += 1
        else:
            try:
                answers = Check(row, given, due).run()
            except Exception as raised:
                raise Failed(row, raised) from raised
            counts["all", "compared"] += answers
            counts[row.name, "ran" if answers else "refused"] += 1
            counts[row.name, "non-zero"] += answers > 0 and some
    return counts


def compared(row: Row, given: Case) -> None:
    """Compare one backend, if the problem is small for it and for plain Python."""
    if not too_large(row, built(given.problem)):
        Check(row, given, solve(given.problem, TESTS)).run()


def plan_as(*, long: bool) -> None:
    """With `long`, make the planner try everything that it tries for searches of seconds."""
    if long:
        planner.CHEAP = planner.LONG = -1.0


def report(rows: list[Row], absent: dict[str, str], outcome: Outcome) -> int:
    """Print the numbers and the fault; return the exit status."""
    counts, names = outcome.counts, [row.name for row in rows]
    shapes = [name for name, what in counts if what == "problems"]
    total = sum(counts[shape, "problems"] for shape in shapes)
    lines = [
        f"problems {total:,}, of them solved in plain Python {counts['all', 'plain']:,}",
        f"answers compared {counts['all', 'compared']:,}",
    ]
    for kind, which, columns in [
        ("shape", sorted(shapes), ("problems", "non-zero")),
        ("backend", names, COLUMNS),
    ]:
        lines.append(f"{kind:<24}" + "".join(f"{column:>10}" for column in columns))
        lines += [
            f"{name:<24}" + "".join(f"{counts[name, each]:>10,}" for each in columns)
            for name in which
        ]
    lines += [f"{name:<24}cannot run here: {reason}" for name, reason in absent.items()]
    print("\n".join([*lines, outcome.fault] if outcome.fault else lines))  # noqa: T201  its purpose
    return 1 if outcome.fault else 0


def main() -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--problems", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first problem")
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--long", action="store_true", help="plan as for problems of seconds")
    parser.add_argument("--backend", choices=[row.name for row in registry.of_workload("packing")])
    parser.add_argument(
        "--problem", type=Case.read, help="the literal that a fault was printed with"
    )
    given = parser.parse_args()
    rows, absent = available(given.backend)
    prepare = partial(plan_as, long=given.long)
    if given.problem:
        prepare()
        outcome = run(partial(try_given, rows, given.problem), range(1))
    else:
        numbers = range(given.first, given.first + given.problems)
        trial = partial(try_number, rows, given.seed)
        outcome = run_in_processes(trial, numbers, given.processes, prepare)
    return report(rows, absent, outcome)


if __name__ == "__main__":
    sys.exit(main())
