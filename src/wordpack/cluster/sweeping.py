"""Sweeps on many workers: neighbouring points are grouped into tasks of about a second.

A task returns only its points' numbers. Only the client reads lists; each worker gets the words'
signatures once, with the job.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from wordpack import __version__
from wordpack.cluster import checkpoint, running
from wordpack.cluster.checkpoint import Checkpoint, Record
from wordpack.cluster.connection import check, connected
from wordpack.cluster.members import has_gpu, members
from wordpack.cluster.running import Task
from wordpack.cluster.sharing import MOST, SECONDS, WAVES, Sharing
from wordpack.solving.sweep import Axes, Layout, laid_out
from wordpack.solving.sweep_counting import Where, count_points, estimated, rows_of
from wordpack.text.formatting import counted

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

    from wordpack.cluster.security import Certificates


@dataclass(frozen=True)
class SweepJob:
    """Groups of points of a sweep, for workers."""

    layout: Layout
    bounds: tuple[int, ...]
    """Task i counts the points bounds[i] <= point < bounds[i + 1]."""

    def perform(self, number: int) -> Record:
        """Count the points of a task."""
        points = self.layout.points[self.bounds[number] : self.bounds[number + 1]]
        where = Where(threads=1, devices=has_gpu())
        return {"found": list(count_points(self.layout, points, where))}


@dataclass
class Swept:
    """The rows of a sweep, and how the work was shared."""

    rows: list[dict[str, Any]]
    """The rows, with the keys of sweep_counting.FIELDS, in the points' order."""
    workers: str
    tasks: int
    resumed: int
    """Tasks that an earlier run had finished."""


def grouped(costs: list[float], tasks: int) -> tuple[int, ...]:
    """Return the bounds of at most `tasks` groups of neighbours, of similar cost; none is empty."""
    size = sum(costs) / tasks
    # a point belongs to the group whose share of the total holds the point's middle
    middles = np.cumsum(costs) - np.array(costs) / 2
    changes = np.flatnonzero(np.diff((middles / size).astype(np.int64))) + 1
    return (0, *changes.tolist(), len(costs))


def sweep_on(
    address: str, axes: Axes, plan: Sharing, security: "Certificates | Security | None" = None
) -> Swept:
    """Count all points of `axes` on the cluster at `address`, as `sweep` does in one process.

    `plan.slices` is the approximate number of tasks, `security` as for `connected`. Raises
    InputError if the cluster cannot be reached, the plan's folder holds another run, or a point
    fails for good; WrongAnswer if two algorithms disagree. Errors about a point name it.
    """
    check(address, security)
    layout = laid_out(axes)
    with connected(address, security) as client:
        return _sweep(client, layout, plan)


def _sweep(client: "Client", layout: Layout, plan: Sharing) -> Swept:
    workers = members(client)
    costs = estimated(layout)
    asked = plan.slices or checkpoint.asked_before(plan.folder, resume=plan.resume)
    asked = asked or min(MOST, max(WAVES * workers.threads, round(sum(costs) / SECONDS)))
    bounds = grouped(costs, asked)
    identity = {
        "wordpack": __version__,
        "kind": "sweep",
        "points": layout.digest,
        "asked": asked,
        "tasks": len(bounds) - 1,
        "plan": hashlib.sha256(repr(bounds).encode()).hexdigest(),
    }
    tasks = [
        Task(i, _what(layout, i, first, last), sum(costs[first:last]))
        for i, (first, last) in enumerate(pairwise(bounds))
    ]
    with checkpoint.kept(plan.folder, identity, resume=plan.resume) as kept:
        resumed = len(kept.done)
        with checkpoint.said_kept(kept, len(tasks), "groups of points"):
            running.finish(client, SweepJob(layout, bounds), tasks, kept, "groups of points")
        rows = list(rows_of(layout, _found(kept, len(tasks))))
    return Swept(rows, str(workers), len(tasks), resumed)


def _found(kept: Checkpoint, tasks: int) -> Iterator[dict[str, Any]]:
    """Yield the counts of each point, in order."""
    for number in range(tasks):
        yield from kept.done[number]["found"]


def _what(layout: Layout, number: int, first: int, last: int) -> str:
    """Return a task's description for a person."""
    ends = dict.fromkeys(layout.said(layout.points[i]) for i in (first, last - 1))
    return f"group {number} of {counted(last - first, 'point')} ({' to '.join(ends)})"
