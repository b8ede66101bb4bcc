"""What a slice costs a worker and the client besides its search: part of `bench/scaling.py`."""

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
from scaling_searches import BACKEND, Case
from scaling_tasks import DIFFER

from wordpack.backend import registry
from wordpack.backend.base import Options
from wordpack.backend.cutting import Slices
from wordpack.cluster import parts
from wordpack.cluster.checkpoint import kept
from wordpack.packing.problem import Problem

RECORDS = 1000


def walking(case: Case, few: int, many: int, turns: int) -> dict[str, float]:
    """Return what one slice more costs: the same search in few slices and in many, on one thread.

    The difference is what it takes to prepare a slice and to walk to its part of the frontier.
    """
    problem = case.problem()
    options = Options(count_only=True, threads=1)
    module: Any = registry.row(BACKEND).load()
    cuts = [module.cut(problem, options, slices) for slices in (few, many)]
    times: list[tuple[float, float]] = []
    ready = 0.0
    for _ in range(turns):
        took = [_all_slices(case, problem, options, cut) for cut in cuts]
        times.append((took[0][0], took[1][0]))
        ready = took[1][1]
    more = len(cuts[1]) - len(cuts[0])
    return {
        "slices": len(cuts[1]),
        "each": median((b - a) / more for a, b in times),
        "prepare": ready / len(cuts[1]),
    }


def _all_slices(case: Case, problem: Problem, options: Options, cut: Slices) -> tuple[float, float]:
    """Return the seconds of all slices one after the other, and those of preparing them."""
    module: Any = registry.row(BACKEND).load()
    ready, packings, solutions, begun = 0.0, 0, 0, perf_counter()
    for i in range(len(cut)):
        started = perf_counter()
        search = module.prepare_slice(problem, options, cut, i)
        ready += perf_counter() - started
        answer = search.run()
        counts = answer.counts()
        packings += counts.packings
        solutions += counts.solutions
    taken = perf_counter() - begun
    case.check(packings, solutions)
    return taken, ready


def records() -> float:
    """Return the seconds in which the client keeps the record of a slice."""
    work = {f"nodes_{i}": 123_456_789 for i in range(6)}
    record = {"backend": BACKEND, "packings": 1, "solutions": 1, "work": work, "seconds": 1.0}
    with kept(None, dict.fromkeys(DIFFER, ""), resume=False) as checkpoint:
        started = perf_counter()
        for i in range(RECORDS):
            checkpoint.add(i, record | {"worker": "tcp://127.0.0.1:12345"})
        return (perf_counter() - started) / RECORDS


def writing() -> float:
    """Return the seconds of a part of one row: a file written, read for its sha256, renamed."""
    table = np.zeros((1, 6), np.int32)
    with TemporaryDirectory() as folder:
        started = perf_counter()
        for i in range(RECORDS):
            parts.write(Path(folder), parts.name(i, 0), table)
        return (perf_counter() - started) / RECORDS
