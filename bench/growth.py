"""How time, nodes and memory of the planned search grow with the list and with word length.

    python bench/growth.py --quick                fewer sizes, one round: under 20 seconds
    python bench/growth.py --plot growth.html     with a plot, for which plotly is needed

The samples of a list are nested: each is the first part of one permutation of its signatures,
drawn by a fixed seed, so that all sizes share their luck. Every point is measured in fresh
processes, in rounds that alternate in direction, so that a machine whose speed drifts tilts no
line. Before a point is shown, its packings and solutions are compared with the counts of
`subset_sums`, which does not search, and listed packings are verified.

Times are medians, on one thread. Memory is the peak of a process after one prepare and one search,
less the peak of a process that loads the same words and all compiled code but does not search.
Exponents are least squares on logarithms; ± gives their standard error, which ignores that
nested samples share their luck. A search has a fixed cost of some 0.1 ms, which flattens the line
for small samples: look at the exponent of the upper sizes too. Each size has its own plan, so
lines have steps where the plan changes.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import numpy as np
from growth_point import LONG, Point, Row

from wordpack.compiled.threads import usable_cores
from wordpack.machine.hardware import cpu_model

SHARES = 2.0 ** (-np.arange(9, -1, -1) / 3)
"""From an eighth of the list to all of it, three to an octave."""
SAMPLED = ((5, 5), (4, 5))
FAMILIES = (*((3, length) for length in range(3, 9)), *((4, length) for length in range(4, 7)))
SLOW = {(3, 4), (4, 4)}
"""Families that --quick leaves out."""
UPPER = 0.5
"""Sizes from this share of the list up are also fitted by themselves."""
QUANTITIES = ("nodes", "prepare", "search")

POINT = Path(__file__).with_name("growth_point.py")
"""The program that measures one point."""


def apart(point: Point, *, searching: bool) -> Row:
    """Return what a fresh process measures; exit with its message if it fails."""
    # ru_maxrss starts at the parent's memory, so this process must load no compiled code
    order = json.dumps({"point": asdict(point), "searching": searching})
    command = [sys.executable, str(POINT), order]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  ours
    if done.returncode:
        sys.exit(done.stderr.strip() or f"{point.name} ended with status {done.returncode}")
    return Row(**json.loads(done.stdout))


def measure(points: Sequence[Point], rounds: int) -> dict[Point, Row]:
    """Return the medians over all rounds; a long search has one round."""
    apart(points[0], searching=True)  # compiles if needed, and is not counted
    found: dict[Point, list[Row]] = {point: [] for point in points}
    for turn in range(rounds):
        for at, point in enumerate(points if turn % 2 == 0 else points[::-1], 1):
            if sys.stderr.isatty():
                print(f"\r{at} of {len(points)}, round {turn + 1}", end="\r", file=sys.stderr)
            if not found[point] or found[point][0].search <= LONG:
                loaded, row = (apart(point, searching=each) for each in (False, True))
                found[point].append(replace(row, memory=row.memory - loaded.memory))
    return {point: _medians(rows) for point, rows in found.items()}


def _medians(rows: list[Row]) -> Row:
    times = (median(getattr(row, what) for row in rows) for what in ("prepare", "search", "memory"))
    return Row(rows[0].signatures, rows[0].packings, rows[0].nodes, *times)


def fit(rows: Sequence[Row], quantity: str) -> tuple[float, float, float]:
    """Return an exponent, its standard error, and the factor before the power."""
    sizes = np.log([row.signatures for row in rows])
    values = np.log([getattr(row, quantity) for row in rows])
    (exponent, shift), covariance = np.polyfit(sizes, values, 1, cov=True)
    return float(exponent), float(covariance[0, 0] ** 0.5), float(np.exp(shift))


def table(named: Iterable[tuple[str, Row]]) -> None:
    """Print a line for each row."""
    print(f"{'':6}signatures       packings          nodes  prepare ms    search ms      MB")
    for name, row in named:
        print(
            f"{name:<6}{row.signatures:>10,}{row.packings:>15,}{row.nodes:>15,}"
            f"{row.prepare * 1e3:>12.2f}{row.search * 1e3:>13.2f}{row.memory / 1e6:>8.1f}"
        )


def exponents(label: str, rows: Sequence[Row]) -> None:
    """Print the exponents below their columns."""
    cells = []
    for quantity in QUANTITIES:
        exponent, error, _ = fit(rows, quantity)
        cells.append(f"{exponent:.2f} ± {error:.2f}")
    print(f"{label:<31}{cells[0]:>15}{cells[1]:>12}{cells[2]:>13}")


def plot(path: Path, samples: dict[str, list[Row]], families: dict[Point, Row]) -> None:
    """Write a page with all points and the fitted lines."""
    from growth_plot import Curve, write

    curves = []
    for family, rows in samples.items():
        for quantity in QUANTITIES:
            exponent, _, factor = fit(rows, quantity)
            name = f"{family} {quantity}, exponent {exponent:.2f}"
            sizes = [row.signatures for row in rows]
            values = [getattr(row, quantity) for row in rows]
            panel = 2 if quantity == "nodes" else 1
            curves.append(Curve(panel, name, sizes, values, (exponent, factor)))
    for count in sorted({point.count for point in families}):
        several = {point.length: row for point, row in families.items() if point.count == count}
        for quantity in ("prepare", "search"):
            values = [getattr(row, quantity) for row in several.values()]
            curves.append(Curve(3, f"{count} words, {quantity}", list(several), values))
    write(path, f"bitset_rows on words_alpha, one thread of {cpu_model()}", curves)


def asked() -> argparse.Namespace:
    """Return the options; exit if the plot could not be written."""
    parser = argparse.ArgumentParser(description="How time and memory grow with the problem.")
    parser.add_argument("--quick", action="store_true", help="fewer sizes, one round")
    parser.add_argument("--rounds", type=int, default=2, help="fresh processes for each point")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write a page with a plot")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"--rounds is {options.rounds}: it must be at least 1")
    if options.plot and find_spec("plotly") is None:
        print("--plot needs plotly: pip install 'wordpack[report]'", file=sys.stderr)
        sys.exit(2)
    if options.plot and not options.plot.absolute().parent.is_dir():
        parser.error(f"--plot {options.plot}: there is no such folder")
    return options


def main() -> None:
    """Measure all points, then print them."""
    options = asked()
    shares = [float(share) for share in (SHARES[::3] if options.quick else SHARES)]
    samples = {
        f"{count}x{length}": [Point(count, length, share) for share in shares]
        for count, length in SAMPLED
    }
    families = [Point(*each) for each in FAMILIES if not (options.quick and each in SLOW)]
    points = list(dict.fromkeys([*(p for each in samples.values() for p in each), *families]))
    rows = measure(points, 1 if options.quick else options.rounds)
    print(f"{cpu_model()}, {usable_cores()} usable cores, Python {sys.version.split()[0]}")
    for name, sample in samples.items():
        listed = "listed" if sample[0].listed else "counted"
        print(f"\n{name} of words_alpha: nested samples, packings {listed}")
        table((f"{point.share:.3f}", rows[point]) for point in sample)
        exponents("exponent", [rows[point] for point in sample])
        if len(upper := [rows[point] for point in sample if point.share >= UPPER]) > 2:  # noqa: PLR2004
            exponents("exponent, from half the list up", upper)
    print("\nWord length: packings of more than 20 letters listed, others counted")
    table((point.name, rows[point]) for point in families)
    if options.plot:
        drawn = {name: [rows[point] for point in sample] for name, sample in samples.items()}
        plot(options.plot, drawn, {point: rows[point] for point in families})
        print(f"\n{options.plot} has the plot")


if __name__ == "__main__":
    main()
