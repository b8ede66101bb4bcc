"""Searches on worker processes beside the threaded engine: part of `bench/scaling.py`.

What is compared does the same work on as many cores: search, verify, sort each part, write it as
.npy with its sha256; workers of one thread, which share nothing, beside threads of one process.
Workers are started, and have loaded all code, before a clock runs; planning
and cutting are timed by themselves. Every answer is checked after its clock.
"""

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from distributed import Client

from wordpack.backend import registry
from wordpack.backend.base import Options
from wordpack.cluster import parts
from wordpack.cluster.connection import connected
from wordpack.cluster.searching import prepared
from wordpack.cluster.sharing import Sharing
from wordpack.packing.answer import Packings, verify
from wordpack.packing.problem import Problem
from wordpack.solving.instances import instance
from wordpack.solving.loading import load

BACKEND = "bitset_rows"


def engine() -> Any:
    """Return the backend that is measured."""
    return registry.row(BACKEND).load()


@dataclass(frozen=True)
class Case:
    """An instance, and whether its packings are listed to parts or only counted."""

    name: str
    listing: bool
    turns: int

    @property
    def label(self) -> str:
        """What a table calls it."""
        return f"{self.name}, {'listed to parts' if self.listing else 'counted'}"

    def options(self, threads: int | None = None) -> Options:
        """Return what both sides are asked."""
        return Options(count_only=not self.listing, threads=threads)

    def problem(self) -> Problem:
        """Load it."""
        return load(instance(self.name).spec).problem

    def check(self, packings: int, solutions: int) -> None:
        """Leave unless the numbers are those known."""
        known = instance(self.name).expected
        if known is None or (packings, solutions) != (known.packings, known.solutions):
            sys.exit(f"{self.name} was wrong, {packings:,} packings: nothing is shown")


def threaded(case: Case, problem: Problem, threads: int) -> float:
    """Return the seconds of the same job in this process, all of it on so many threads.

    While search.parts() searches, as many threads more verify, sort, and write .npy parts with
    their sha256, by the functions that workers use; one thread alone does it all in turn. Where
    packings are counted, it is the search.
    """
    search = engine().prepare(problem, case.options(threads))
    with TemporaryDirectory() as folder, ThreadPoolExecutor(threads) as others:

        def kept(i: int, part: Packings) -> tuple[int, int]:
            verify(part)
            parts.write(Path(folder), parts.name(0, i), parts.table_of(part))
            return len(part), part.solutions()

        each = others.map if threads > 1 else map
        started = perf_counter()
        if case.listing:
            done = list(each(kept, count(), search.parts(parts.ROWS)))
        else:
            answer = search.run()
        taken = perf_counter() - started
    if case.listing:
        case.check(*map(sum, zip(*done, strict=True)))
    else:
        counts = answer.counts()
        case.check(counts.packings, counts.solutions)
    return taken


def shared(client: Client, case: Case, problem: Problem) -> dict[str, Any]:
    """Return what a run on the client's workers takes; its answer is checked.

    `plan` is the seconds to plan and cut, and `slices` has the seconds of each slice
    in the order in which the scheduler gives them out.
    """
    row = registry.row(BACKEND)
    with TemporaryDirectory() as folder:
        plan = Sharing(BACKEND, None, folder=f"{folder}/run")
        started = perf_counter()
        with prepared(problem, case.options(), client, row, plan) as search:
            planned = perf_counter() - started
            started = perf_counter()
            search.finish()
            taken = perf_counter() - started
            lines = Path(folder, "run/done.jsonl").read_text(encoding="utf-8").splitlines()
            done = [json.loads(line) for line in lines]
            case.check(*(sum(each[key] for each in done) for key in ("packings", "solutions")))
            cut = search.cut
            cost = [1 + nodes + found for nodes, found in zip(cut.nodes, cut.packings, strict=True)]
            done.sort(key=lambda record: -cost[record["task"]])
            return {
                "seconds": taken,
                "slices": [each["seconds"] for each in done],
                "plan": planned,
            }


@contextmanager
def ready(workers: int) -> Iterator[Client]:
    """Give a client of `local:N` whose workers have loaded all code."""
    with connected(f"local:{workers}") as client:
        client.wait_for_workers(workers)
        client.run(load_code)
        yield client


def load_code() -> None:
    """Import and load what a search needs, in a worker."""
    toy = Case("toy", listing=True, turns=1)
    engine().prepare(toy.problem(), toy.options(1)).run()


def compared(client: Client, case: Case, cores: int) -> dict[str, Any]:
    """Return a case's medians on `cores` workers and on as many threads, which take turns."""
    problem = case.problem()
    runs, same_job = [], []
    for _ in range(case.turns):
        runs.append(shared(client, case, problem))
        same_job.append(threaded(case, problem, cores))
    taken = [run["seconds"] for run in runs]
    return {
        "case": case.label,
        "cores": cores,
        "turns": case.turns,
        "cluster": median(taken),
        "same_job": median(same_job),
        "efficiency": median(a / b for a, b in zip(same_job, taken, strict=True)),
        "plan": median(run["plan"] for run in runs),
        "run": taken[-1],
        "slices": runs[-1]["slices"],
    }
