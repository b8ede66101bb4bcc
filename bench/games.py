"""Time whole games of the hint solver, and their growth with both lists; each answer is verified.

For each named play and backend it prints the times of prepare and of the first run after it, and
the median of later runs (wall time until the guesses of all games are on the host, and by the
device's own clock if it has one). The games of every run are compared with the known ones.
`--device` measures only the device's backend and the CPU's, and no growth.
"""

import argparse
import sys
from collections.abc import Iterator
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from wordpack.backend.base import Options
from wordpack.backend.registry import of_workload, row
from wordpack.errors import Unavailable
from wordpack.games.instances import PLAYS
from wordpack.games.loading import checked, load
from wordpack.games.play import Games, Play
from wordpack.solving.judge import judge
from wordpack.text.formatting import duration

RUNS, SECONDS = 11, 5.0
"""The most timed runs, and the seconds after which no further run starts."""

LEFT_OUT = {("hint_arrays", "play-best-start-12972")}
"""These take half a minute per run."""

SHARES = (0.125, 0.25, 0.5, 1.0)


def compared(games: Any, name: str) -> None:
    """Raise SystemExit unless the games of a named play are the known ones."""
    if judge({"digest": games.digest()}, PLAYS[name].expected).strength != "expected":
        raise SystemExit(f"WRONG: the games of {name} differ from the known ones")


def times(backend: str, name: str, play: Play) -> dict[str, float]:
    """Return the seconds that a backend takes for a named play."""
    started = perf_counter()
    search: Any = row(backend).load().prepare(play, Options())
    prepared = perf_counter()
    games = search.run()
    found = {"prepare": prepared - started, "first": perf_counter() - prepared}
    checked(games, play)
    compared(games, name)
    walls, owns, clock = [], [], search.clock
    began = perf_counter()
    while len(walls) < RUNS and (not walls or perf_counter() - began < SECONDS):
        before = clock.mark() if clock else None
        started = perf_counter()
        games = search.run()
        walls.append(perf_counter() - started)
        if clock:
            owns.append(float(clock.seconds_between(before, clock.mark())))
        compared(games, name)
    return found | {"wall": median(walls)} | ({"device": median(owns)} if owns else {})


def named(backends: list[str]) -> Iterator[str]:
    """Yield a line for each play and backend that accepts it."""
    for name in PLAYS:
        play = load(PLAYS[name].spec)
        for backend in backends:
            module = row(backend).load()
            if (backend, name) in LEFT_OUT:
                continue
            try:
                module.probe()
            except Unavailable:
                continue
            if module.accepts(play, Options()) is None:  # type: ignore[arg-type]
                cells = [f"{what} {duration(s)}" for what, s in times(backend, name, play).items()]
                yield f"{name:<23}{backend:<18}{', '.join(cells)}"


def growth() -> Iterator[str]:
    """Yield a line per share of the answers, and of 12,972 start words, by `game_tree`."""
    whole = load(PLAYS["play-best-start-12972"].spec)
    random = np.random.default_rng(2022)
    orders = [random.permutation(len(rows)) for rows in (whole.answers, whole.starts)]
    for shares in (*((share, 1.0) for share in SHARES), *((1.0, share) for share in SHARES[:-1])):
        kept = [
            np.sort(order[: round(share * len(order))])
            for order, share in zip(orders, shares, strict=True)
        ]
        play = Play(whole.answers[kept[0]], whole.starts[kept[1]], whole.letters)
        search: Any = row("game_tree").load().prepare(play, Options())
        walls = []
        for _ in range(5):
            started = perf_counter()
            games: Games = search.run()
            walls.append(perf_counter() - started)
            checked(games, play)
        each = median(walls) / play.games
        yield (
            f"{len(play.answers):>6,} answers {len(play.starts):>7,} start words "
            f"{duration(median(walls)):>9} {1e9 * each:>6.1f} ns a game"
        )


def main() -> int:
    """Print the figures; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--device", choices=("cuda", "opencl"))
    device = parser.parse_args().device
    backends = [each.name for each in of_workload("play")]
    if device:
        backends = ["game_tree", f"game_tree_{device}"]
        try:
            print(row(backends[1]).load().probe())
        except Unavailable as reason:
            print(f"{device} cannot run here: {reason}", file=sys.stderr)
            return 2
    for line in named(backends):
        print(line, flush=True)
    for line in () if device else growth():
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
