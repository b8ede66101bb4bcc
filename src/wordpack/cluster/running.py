"""Run numbered tasks on the workers of a cluster, and keep what each of them answers.

Dask does the scheduling: a worker that is lost has its tasks run by others, one that is new gets
some. A task that fails is run `TRIES` times, and one that ends its workers as often as the
scheduler allows; then the run ends, and says which task it was.
"""

import queue
import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from wordpack import __version__
from wordpack.cluster import parts
from wordpack.cluster.checkpoint import Checkpoint, Record
from wordpack.cluster.members import refused
from wordpack.cluster.parts import said_failed
from wordpack.errors import InputError, WrongAnswer
from wordpack.text.progress import tasks_bar

if TYPE_CHECKING:
    from distributed import Client, Future

TRIES = 3
"""How often a task that raises is run."""

PATIENCE = 60.0
"""Seconds for which no worker may be able to go on."""

GONE = "the scheduler is gone"

TICK = 1.0
"""Seconds between looks at the workers."""


@dataclass(frozen=True)
class Task:
    """One piece of a run."""

    number: int
    what: str
    """For a person: 'slice 17, nodes 120 to 180 of 2 words'."""
    cost: float
    """About how long it takes, in any unit."""


class Job(Protocol):
    """What workers need to run any task of a run; it is sent to each of them once."""

    def perform(self, number: int) -> Record:
        """Run a task; return plain values, and as `tables` arrays that the client is to write."""
        ...


def run(client: "Client", job: Job, tasks: Sequence[Task]) -> Iterator[tuple[Task, Record]]:
    """Yield tasks as they are finished, each with its record, which has `seconds` and `worker`.

    Raises InputError for a task that failed for good, WrongAnswer for a wrong answer, and cancels
    what is queued where the caller stops early.
    """
    name = uuid.uuid4().hex
    try:
        futures, order = _sent(client, job, tasks, name)
    except OSError:  # what Dask raises where a line is closed is one
        raise InputError(GONE) from None
    finished: queue.SimpleQueue[Future[Record]] = queue.SimpleQueue()
    due = dict(zip((future.key for future in futures), order, strict=True))
    for future in futures:
        future.add_done_callback(finished.put)
    try:
        while due:
            future = _next(client, finished)
            task = due.pop(future.key)
            yield task, _answer(client, future, task)
            future.release()
    finally:
        with suppress(Exception):  # the scheduler may be gone
            client.cancel([future for future in futures if future.key in due])


def _sent(
    client: "Client", job: Job, tasks: Sequence[Task], name: str
) -> "tuple[list[Future[Record]], list[Task]]":
    """Hand all tasks to the scheduler; return their futures, and the tasks in the same order."""
    # a task, not data put on a worker, so that it is made again where that worker is lost
    held = client.submit(_itself, job, key=f"wordpack-job-{name}", pure=False)
    # the longest first, so that none of them is begun last
    order = sorted(tasks, key=lambda task: -task.cost)
    futures = client.map(
        _perform,
        [task.number for task in order],
        job=held,
        version=__version__,
        # by which Dask knows them as one group, and hands them out as workers get free
        key=[(f"wordpack-{name}", task.number) for task in order],
        retries=TRIES - 1,
        pure=False,
    )
    return futures, order


def finish(
    client: "Client", job: Job, tasks: Sequence[Task], kept: Checkpoint, what: str = "slices"
) -> None:
    """Run the tasks that `kept` does not have, and keep them; arrays are written as parts."""
    todo = [task for task in tasks if task.number not in kept.done]
    if not todo:
        return
    with tasks_bar(len(tasks), sum(task.cost for task in tasks), len(todo), what) as told:
        for task, record in run(client, job, todo):
            for i, table in enumerate(record.pop("tables", [])):
                with said_failed(kept.folder):
                    part = parts.write(kept.folder, parts.name(task.number, i), table)
                record.setdefault("files", []).append(part)
            kept.add(task.number, record)
            told(task.cost)


class _Watch:
    """Looks whether any worker goes on while the client waits."""

    def __init__(self, client: "Client") -> None:
        self._client, self._since = client, monotonic()

    def look(self) -> None:
        """Raise InputError where none could go on for too long, or the scheduler is gone."""
        workers = self._workers()
        if self._client.status != "running":
            raise InputError(GONE)
        if any(worker["status"] == "running" for worker in workers):
            self._since = monotonic()
        elif monotonic() - self._since > PATIENCE:
            paused = "are paused for want of memory" if workers else "are gone"
            raise InputError(
                f"all workers {paused}, for {PATIENCE:.0f} s: "
                "give them more memory, or start others"
            )

    def _workers(self) -> list[dict[str, Any]]:
        """Return what the scheduler says of its workers; InputError where it says nothing."""
        said: list[dict[str, Any]] = []

        def ask() -> None:
            with suppress(Exception):  # the scheduler may be gone
                said.extend(self._client.scheduler_info(n_workers=-1)["workers"].values())

        # Dask waits for ever for a scheduler that stands still
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        asking.join(PATIENCE)
        if asking.is_alive():
            raise InputError(f"the scheduler has not answered for {PATIENCE:.0f} s")
        return said


def _next(client: "Client", finished: "queue.SimpleQueue[Future[Record]]") -> "Future[Record]":
    """Wait for a task; InputError where no worker goes on for too long."""
    watch = _Watch(client)
    while True:
        with suppress(queue.Empty):
            return finished.get(timeout=TICK)
        watch.look()


def _result(client: "Client", future: "Future[Record]") -> Record:
    """Return what a finished task answered, which is made again where its worker is lost since."""
    watch = _Watch(client)
    while True:
        try:
            record: Record = future.result(timeout=PATIENCE)
        except TimeoutError:
            if future.status == "error":
                raise  # the task's own
            watch.look()
        else:
            return record


def _answer(client: "Client", future: "Future[Record]", task: Task) -> Record:
    from distributed import KilledWorker

    try:
        return _result(client, future)
    except WrongAnswer as error:
        raise WrongAnswer(f"{task.what}: {error}") from None
    except KilledWorker as error:
        many = error.allowed_failures + 1
        raise InputError(
            f"{task.what} failed: {many} workers ended while they ran it, the last of them "
            f"{error.last_worker.address}; their logs may say why (out of memory?)"
        ) from None
    except Exception as error:
        # what Dask raises if a line is closed is an OSError, perhaps before the client knows of it
        closed = isinstance(error, OSError) and future.status != "error"
        if closed or future.status == "cancelled" or client.status != "running":
            raise InputError(GONE) from None
        if future.status != "error" and isinstance(error, InputError):
            raise  # not the task's
        said = str(error) or type(error).__name__
        raise InputError(f"{task.what} failed {TRIES} times: {said}") from error


def _itself(job: Job) -> Job:
    return job


def _perform(number: int, *, job: Job, version: str) -> dict[str, Any]:
    """Run a task, in a worker."""
    from distributed import get_worker

    worker = get_worker()
    if version != __version__:  # it came after the run had begun
        raise InputError(refused(worker.address, __version__))
    started = perf_counter()
    record = job.perform(number)
    return record | {"seconds": perf_counter() - started, "worker": worker.address}
