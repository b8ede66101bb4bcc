"""What Dask needs for a task, and what a slice costs besides its search: part of `scaling.py`.

A scheduler and workers in processes of their own, as on a real cluster, so that the seconds of
processor that scheduler, client and workers use for a task are known one from the other. A
machine that others use too slows a clock, and hardly these.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from logging import CRITICAL
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep, time
from typing import Any

from distributed import Client
from distributed.deploy.subprocess import SubprocessCluster
from scaling_model import spread
from scaling_searches import Case, engine

from wordpack.backend.base import Options
from wordpack.backend.cutting import Slices
from wordpack.cluster import running
from wordpack.cluster.checkpoint import kept
from wordpack.cluster.connection import connected
from wordpack.cluster.running import Task
from wordpack.packing.problem import Problem

DIFFER = ("wordpack", "kind", "words", "problem", "listing", "tasks", "plan")


@dataclass(frozen=True)
class Sleeping:
    """Tasks that only sleep; each answers which one it was, and when it began."""

    seconds: tuple[float, ...]

    def perform(self, number: int) -> dict[str, Any]:
        """Sleep; a task of no seconds does nothing."""
        began = time()
        if self.seconds[number]:
            sleep(self.seconds[number])
        return {"slept": number, "began": began}


@contextmanager
def processes(workers: int, threads: int = 1) -> Iterator[Client]:
    """Give a client of a scheduler and workers that are processes of this machine."""
    # workers must find this module
    os.environ |= {"PYTHONPATH": str(Path(__file__).parent), "PYTHONSAFEPATH": "1"}
    with (
        TemporaryDirectory() as folder,
        SubprocessCluster(
            n_workers=workers,
            threads_per_worker=threads,
            worker_class="distributed.Worker",
            worker_kwargs={"dashboard": False, "local_directory": folder},
            scheduler_kwargs={"scheduler_file": f"{folder}/scheduler.json"},
            dashboard_address=None,
            silence_logs=CRITICAL,
        ) as cluster,
        connected(cluster.scheduler_address) as client,
    ):
        client.wait_for_workers(workers, timeout=120)
        yield client


def timed(client: Client, seconds: Sequence[float]) -> tuple[float, float]:
    """Return the seconds of a run of tasks that sleep so long, and those before the first began.

    Each must have answered once.
    """
    tasks = [Task(i, f"task {i}", 1 + taken) for i, taken in enumerate(seconds)]
    identity = dict.fromkeys(DIFFER, "")
    with kept(None, identity, resume=False) as checkpoint:
        date, started = time(), perf_counter()
        running.finish(client, Sleeping(tuple(seconds)), tasks, checkpoint)
        taken = perf_counter() - started
        before = min(record["began"] for record in checkpoint.done.values()) - date
        answers = {number: record["slept"] for number, record in checkpoint.done.items()}
    if answers != {i: i for i in range(len(tasks))}:
        sys.exit("a task was lost or ran twice: nothing is shown")
    return taken, before


def messages(client: Client, tasks: int, turns: int) -> dict[str, float]:
    """Return what a task that does nothing costs.

    `wall` is the clock's seconds for each, `submit` those of them that pass before the first one
    begins; `scheduler`, `client` and `worker` seconds of processor in these processes, the last
    one of all workers together; `round` the seconds of a run of one task.
    """
    timed(client, [0.0] * 50)  # it imports, and is not counted
    rows = []
    for _ in range(turns):
        before = _processors(client)
        wall, submit = timed(client, [0.0] * tasks)
        spent = [after - begun for after, begun in zip(_processors(client), before, strict=True)]
        rows.append([each / tasks for each in (wall, submit, *spent)])
    names = ("wall", "submit", "scheduler", "client", "worker")
    columns = map(median, zip(*rows, strict=True))
    alone = median(timed(client, [0.0])[0] for _ in range(5 * turns))
    return dict(zip(names, columns, strict=True)) | {"round": alone, "tasks": tasks}


def _processors(client: Client) -> tuple[float, float, float]:
    """Return the seconds of processor used so far by scheduler, client and all workers."""
    workers = sum(client.run(process_time).values())
    scheduler: float = client.run_on_scheduler(process_time)
    return scheduler, process_time(), workers


def slots(shape: Sequence[float], workers: int, threads: int, mean: float, each: int) -> Any:
    """Return the clock's seconds of a run on `workers` * `threads` slots, each with `each` tasks.

    Tasks sleep for times spread as `shape` is, `mean` seconds on average. Before and after, as
    many tasks that do nothing show what messages cost in just this arrangement.
    """
    many = workers * threads * each
    seconds = spread(shape, many, mean)
    with processes(workers, threads) as client:
        timed(client, [0.0] * 50)
        before = timed(client, [0.0] * many)
        taken, _ = timed(client, seconds)
        after = timed(client, [0.0] * many)
    return {
        "workers": workers,
        "threads": threads,
        "tasks": many,
        "mean": mean,
        "message": (before[0] + after[0]) / 2 / many,
        "submit": (before[1] + after[1]) / 2 / many,
        "reality": taken,
    }


def walking(case: Case, few: int, many: int, turns: int) -> dict[str, float]:
    """Return what one slice more costs: the same search in few slices and in many, on one thread.

    The difference is what it takes to prepare a slice and to walk to its part of the frontier.
    """
    problem, options = case.problem(), case.options(1)
    less, more = (engine().cut(problem, options, slices) for slices in (few, many))
    each = []
    for _ in range(turns):
        coarse = _all_slices(case, problem, options, less)
        fine = _all_slices(case, problem, options, more)
        each.append((fine - coarse) / (len(more) - len(less)))
    return {"slices": len(more), "each": median(each)}


def _all_slices(case: Case, problem: Problem, options: Options, cut: Slices) -> float:
    """Return the seconds of all slices, prepared and searched one after the other."""
    begun = perf_counter()
    searches = (engine().prepare_slice(problem, options, cut, i) for i in range(len(cut)))
    answers = [search.run().counts() for search in searches]
    taken = perf_counter() - begun
    case.check(sum(each.packings for each in answers), sum(each.solutions for each in answers))
    return taken
