"""How a cluster shares work: the requested plan, and the number of slices."""

from dataclasses import dataclass, replace
from math import ceil

from wordpack.backend.base import Options
from wordpack.backend.row import Row
from wordpack.cluster import parts
from wordpack.packing.problem import Problem

SECONDS = 1.0
"""Seconds that a slice takes one core, about: far longer than Dask's overhead per task."""

WAVES = 8
"""The fewest slices per worker thread, so that the slowest slice does not decide the time."""

LEAST = 0.1
"""WAVES makes no slice shorter than this, in seconds: a task costs its processes 4 ms."""

MOST = 20_000
"""The most slices: more would keep the scheduler busy for longer than the workers."""

SHORT = 0.05
"""A search shorter than this, in seconds, is not cut."""

LISTING = 3e-7
"""Seconds one core takes to verify, sort and write a packing: longer than to find it."""

PACKINGS = parts.ROWS // 2
"""Packings of a slice, about: a slice with more than a part holds is searched again in halves."""


def slices_for(row: Row, problem: Problem, options: Options, threads: int) -> int:
    """Return how many slices to cut a search into for workers with `threads` threads in all."""
    backend = row.load()
    seconds = backend.seconds(problem, replace(options, threads=1)) or 0.0
    if options.count_only:
        return how_many(seconds, 0.0, threads)
    # the estimates below a frontier are closer than the plan's
    packings = sum(backend.cut(problem, options, WAVES * threads).packings)
    return how_many(seconds + LISTING * packings, packings, threads)


def how_many(seconds: float, packings: float, threads: int) -> int:
    """Return the number of slices, given one core's seconds and the number of packings."""
    if seconds < SHORT:
        return 1
    waves = min(WAVES * threads, ceil(seconds / LEAST))
    least = max(waves, ceil(packings / PACKINGS))
    return max(1, min(MOST, max(least, round(seconds / SECONDS))))


@dataclass(frozen=True)
class Sharing:
    """How a cluster is to run a search."""

    backend: str = "auto"
    """The backend of every worker; with 'auto' each worker uses its own best one."""
    slices: int | None = None
    folder: str | None = None
    """The folder that keeps finished tasks."""
    resume: bool = False
    words: str | None = None
    """A digest of the words, if packings become words: other words may have the same letters."""
