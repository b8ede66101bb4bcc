"""One search on many workers: its tree is cut once into slices, and each slice is a task.

A worker that can reach the checkpoint's folder writes its packings there as parts. Otherwise it
sends them with its record, and the client writes them. Everything else sent back is numbers.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from wordpack import __version__
from wordpack.backend.base import Options, Search
from wordpack.backend.cutting import Slices
from wordpack.backend.row import Row
from wordpack.cluster import checkpoint, parts, running
from wordpack.cluster.checkpoint import Checkpoint, Record, sees
from wordpack.cluster.members import Members, has_gpu, members, row_here, said
from wordpack.cluster.running import Task
from wordpack.cluster.sharing import Sharing, slices_for
from wordpack.packing.answer import Answer, Counts, Packings, concatenate, verify
from wordpack.packing.problem import Problem
from wordpack.text.formatting import counted

if TYPE_CHECKING:
    from distributed import Client

DEVICE = Lock()
"""Keeps a worker's threads from using its GPU's memory at the same time."""


@dataclass(frozen=True)
class SliceJob:
    """Slices of a search, for workers."""

    problem: Problem
    options: Options
    cut: Slices
    backend: str
    folder: str
    run: str
    """The id of the folder's run: a worker that finds it there sees the same folder."""

    def perform(self, number: int) -> Record:
        """Search a slice."""
        row = row_here(self.backend, gpu=has_gpu())
        if not row.start_up:
            return self._search(row, number)
        with DEVICE:
            return self._search(row, number)

    def _search(self, row: Row, number: int) -> Record:
        options = replace(row.honoured(self.options), threads=None if row.start_up else 1)
        search = row.load().prepare_slice(self.problem, options, self.cut, number)
        record: Record = {"backend": row.name}
        if self.options.count_only:
            answer = search.run(work=True)
            counts = answer.counts()
            return record | {
                "packings": counts.packings,
                "solutions": counts.solutions,
                "work": counts.work,
            }
        here = sees(self.folder, self.run)
        packings = solutions = 0
        files: list[Record] = []
        tables = []
        for i, part in enumerate(search.parts(parts.ROWS)):
            verify(part)
            packings += len(part)
            solutions += part.solutions()
            table = parts.table_of(part)
            if here:
                files.append(parts.write(Path(self.folder), parts.name(number, i), table))
            else:
                tables.append(table)
        record |= {"packings": packings, "solutions": solutions, "files": files}
        return record | ({"tables": tables} if tables else {})


def _digest_of(problem: Problem) -> str:
    """Return the sha256 (hex) of a problem's letters and each group's count, masks, weights."""
    sha = hashlib.sha256(np.array([problem.letters, len(problem.groups)], "<u8").data)
    for group in problem.groups:
        sha.update(np.array([group.count, len(group.masks)], "<u8").data)
        sha.update(group.masks.astype("<u8").data)
        sha.update(group.weights.astype("<i8").data)
    return sha.hexdigest()


@contextmanager
def prepared(
    problem: Problem, options: Options, client: "Client", row: Row, plan: Sharing
) -> Iterator["ClusterSearch"]:
    """Check the workers, plan, cut, and give the search.

    Without a folder in the plan, its parts are deleted after the block. `row` is a backend that
    cuts, such as bitset_rows. Raises InputError if a worker has another version, or the folder
    holds another run.
    """
    workers = members(client)
    asked = plan.slices or checkpoint.asked_before(plan.folder, resume=plan.resume)
    asked = asked or slices_for(row, problem, options, workers.threads)
    cut = row.load().cut(problem, options, asked)
    identity = {
        "wordpack": __version__,
        "kind": "search",
        "words": plan.words,
        "problem": _digest_of(problem),
        "listing": not options.count_only,
        "asked": asked,
        "tasks": len(cut),
        "plan": cut.identity(),
    }
    with (
        checkpoint.kept(plan.folder, identity, resume=plan.resume) as kept,
        checkpoint.said_kept(kept, len(cut), "slices"),
    ):
        job = SliceJob(problem, options, cut, plan.backend, str(kept.folder.resolve()), kept.run)
        yield ClusterSearch(problem, options, client, workers, job, kept)


class ClusterSearch(Search):
    """A search on the workers of a cluster; each `run` keeps what earlier ones have found."""

    def __init__(
        self,
        problem: Problem,
        options: Options,
        client: "Client",
        workers: Members,
        job: SliceJob,
        kept: Checkpoint,
    ) -> None:
        self._problem, self._options, self._client = problem, options, client
        self._job, self._kept = job, kept
        self.workers, self.cut = workers, job.cut
        self.resumed = len(kept.done)
        """Slices that an earlier run had finished."""

    @property
    def device(self) -> str:
        """The cluster, and the backends that ran slices once that is known."""
        used = Counter(str(record["backend"]) for record in self._kept.done.values())
        return f"{self.workers}" + (f" ({said(used)})" if used else "")

    @property
    def busy(self) -> float:
        """The sum of all workers' busy time, in seconds."""
        return sum(float(record["seconds"]) for record in self._kept.done.values())

    def run(self, *, work: bool = False) -> Answer:
        """Return all packings in canonical order, or with count_only their exact numbers.

        With `work`, a search that lists counts once more and returns the numbers and counters.
        """
        if work and not self._options.count_only:
            return self._counted()
        self.finish()
        if self._options.count_only:
            return self._sum(list(self._kept.done.values()), work=work)
        return concatenate(self._problem, list(self.parts(parts.ROWS)))

    def parts(self, max_rows: int) -> Iterator[Packings]:
        """Yield the packings in canonical order, at most `max_rows` at a time."""
        self.finish()
        files = [self._kept.folder / str(part["name"]) for part in self.files()]
        yield from parts.merged(self._problem, files, max_rows)

    def files(self) -> list[Record]:
        """Return the record of each part, in the order of slices: `name`, `rows` and `sha256`."""
        done = self._kept.done
        return [part for number in sorted(done) for part in done[number].get("files", [])]

    def finish(self) -> None:
        """Run all unfinished slices on the workers."""
        running.finish(self._client, self._job, self._tasks(), self._kept)

    def _counted(self) -> Counts:
        job = replace(self._job, options=replace(self._options, count_only=True))
        found = [record for _, record in running.run(self._client, job, self._tasks())]
        return self._sum(found, work=True)

    def _sum(self, records: list[Record], *, work: bool) -> Counts:
        found = Counter(self.cut.work)
        for record in records:
            found.update(record["work"])
        return Counts(
            sum(int(record["packings"]) for record in records),
            sum(int(record["solutions"]) for record in records),
            dict(found) if work else {},
        )

    def _tasks(self) -> list[Task]:
        cut = self.cut
        return [
            Task(
                number,
                f"slice {number} (nodes {cut.bounds[number]:,} to {cut.bounds[number + 1]:,} of "
                f"{counted(cut.depth, 'word')})",
                1 + cut.nodes[number] + cut.packings[number],
            )
            for number in range(len(cut))
        ]
