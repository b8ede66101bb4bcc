"""How a cluster is to share work: on whose request, and into how many slices."""

from dataclasses import dataclass, replace
from math import ceil

from wordpack.backend.base import Options
from wordpack.backend.row import Row
from wordpack.cluster import parts
from wordpack.packing.problem import Problem

SECONDS = 1.0
"""About how long one core works at a slice: long beside what Dask needs for a task."""

WAVES = 8
"""Slices for each thread of the workers, at least, so that the slowest does not decide."""

LEAST = 0.1
"""Seconds of a slice below which WAVES does not cut: a task costs its processes 4 ms."""

MOST = 20_000
"""Slices: more would keep the scheduler busy for longer than workers."""

SHORT = 0.05
"""Seconds of a search that is not worth cutting."""

LISTING = 3e-7
"""Seconds in which one core verifies, sorts and writes a packing: more than to find it."""

PACKINGS = parts.ROWS // 2
"""Packings of a slice, about: one that has more than a part's is searched again in halves."""


def slices_for(row: Row, problem: Problem, options: Options, threads: int) -> int:
    """Return how many slices a search should be cut into for workers of so many threads."""
    backend = row.load()
    seconds = backend.seconds(problem, replace(options, threads=1)) or 0.0
    if options.count_only:
        return how_many(seconds, 0.0, threads)
    # below a frontier they are estimated more closely than by the plan
    packings = sum(backend.cut(problem, options, WAVES * threads).packings)
    return how_many(seconds + LISTING * packings, packings, threads)


def how_many(seconds: float, packings: float, threads: int) -> int:
    """Return how many slices are made of work for one core that lists so many packings."""
    if seconds < SHORT:
        return 1
    waves = min(WAVES * threads, ceil(seconds / LEAST))
    least = max(waves, ceil(packings / PACKINGS))
    return max(1, min(MOST, max(least, round(seconds / SECONDS))))


@dataclass(frozen=True)
class Sharing:
    """What a search is to be on a cluster."""

    backend: str = "auto"
    """The one that all workers use; 'auto' is the best that each of them has."""
    slices: int | None = None
    folder: str | None = None
    """Where what is finished is kept."""
    resume: bool = False
    words: str | None = None
    """What tells words from others of the same letters, where packings become words."""
