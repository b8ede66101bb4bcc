"""Time whole games of the hint solver, and their growth with both lists; each answer is verified.

For each named play and backend: prepare, the first run after it, the median of later runs (wall,
to the guesses of all games on the host), the same by the device's own clock where it has one. The
games of every run are compared with those known. `--device` takes the device's backend beside the
processor's alone, and no growth.
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
"""Timed runs, and the time after which no more of them begin."""

LEFT_OUT = {("hint_arrays", "play-best-start-12972")}
"""Half a minute a run."""

SHARES = (0.125, 0.25, 0.5, 1.0)


def compared(games: Any, name: str) -> None:
    """Raise SystemExit where the games of a named play are not those known."""
    if judge({"digest": games.digest()}, PLAYS[name].expected).strength != "expected":
        raise SystemExit(f"WRONG: the games of {name} are others than those known")


def times(backend: str, name: str, play: Play) -> dict[str, float]:
    """Return the seconds of a backend for a named play."""
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
    """Yield a line for each play and backend that takes it."""
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
    """Yield a line for each share of the answers, and of 12,972 start words, by `game_tree`."""
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
