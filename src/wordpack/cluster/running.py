"""Run numbered tasks on the workers of a cluster, and keep each task's record.

Dask does the scheduling: it gives a lost worker's tasks to other workers, and new workers get
tasks too. A task that raises is run `TRIES` times; a task that kills its workers is run as often as
the scheduler allows. Then the run ends with an error that names the task.
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
"""How often a task that raises is run in all."""

PATIENCE = 60.0
"""Seconds to wait while no worker can run tasks, before giving up."""

GONE = "the scheduler is gone"

TICK = 1.0
"""Seconds between checks of the workers."""


@dataclass(frozen=True)
class Task:
    """One piece of a run."""

    number: int
    what: str
    """Its description for a person: 'slice 17 (nodes 120 to 180 of 2 words)'."""
    cost: float
    """About how long it takes, in a unit common to the run's tasks."""


class Job(Protocol):
    """What workers need to run any task of a run; sent to each worker once."""

    def perform(self, number: int) -> Record:
        """Run a task; return plain values, and in `tables` any arrays for the client to write."""
        ...


def run(client: "Client", job: Job, tasks: Sequence[Task]) -> Iterator[tuple[Task, Record]]:
    """Yield tasks as they finish, each with its record, which has `seconds` and `worker`.

    Raises InputError if a task failed for good, WrongAnswer for a wrong answer. Cancels the
    queued tasks if the caller stops early.
    """
    name = uuid.uuid4().hex
    try:
        futures, order = _sent(client, job, tasks, name)
    except OSError:  # Dask's error for a closed connection is an OSError
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
    # sent as a task, not as data, because Dask makes it again if its worker is lost
    held = client.submit(_itself, job, key=f"wordpack-job-{name}", pure=False)
    # the longest first, so that no long task starts last
    order = sorted(tasks, key=lambda task: -task.cost)
    futures = client.map(
        _perform,
        [task.number for task in order],
        job=held,
        version=__version__,
        # such keys make one group, which Dask hands out as workers become free
        key=[(f"wordpack-{name}", task.number) for task in order],
        retries=TRIES - 1,
        pure=False,
    )
    return futures, order


def finish(
    client: "Client", job: Job, tasks: Sequence[Task], kept: Checkpoint, what: str = "slices"
) -> None:
    """Run the tasks that `kept` lacks and keep their records; arrays are written as parts."""
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
    """Checks that some worker can run tasks while the client waits."""

    def __init__(self, client: "Client") -> None:
        self._client, self._since = client, monotonic()

    def look(self) -> None:
        """Raise InputError if no worker could run tasks for too long, or the scheduler is gone."""
        workers = self._workers()
        if self._client.status != "running":
            raise InputError(GONE)
        if any(worker["status"] == "running" for worker in workers):
            self._since = monotonic()
        elif monotonic() - self._since > PATIENCE:
            paused = "been paused for lack of memory" if workers else "been gone"
            raise InputError(
                f"all workers have {paused} for {PATIENCE:.0f} s: "
                "give them more memory, or start others"
            )

    def _workers(self) -> list[dict[str, Any]]:
        """Return what the scheduler says of its workers; InputError if it does not answer."""
        said: list[dict[str, Any]] = []

        def ask() -> None:
            with suppress(Exception):  # the scheduler may be gone
                said.extend(self._client.scheduler_info(n_workers=-1)["workers"].values())

        # Dask waits indefinitely for a scheduler that hangs
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        asking.join(PATIENCE)
        if asking.is_alive():
            raise InputError(f"the scheduler has not answered for {PATIENCE:.0f} s")
        return said


def _next(client: "Client", finished: "queue.SimpleQueue[Future[Record]]") -> "Future[Record]":
    """Wait for a finished task; InputError if no worker can run tasks for too long."""
    watch = _Watch(client)
    while True:
        with suppress(queue.Empty):
            return finished.get(timeout=TICK)
        watch.look()


def _result(client: "Client", future: "Future[Record]") -> Record:
    """Return the record of a finished task; Dask runs it again if its worker has been lost."""
    watch = _Watch(client)
    while True:
        try:
            record: Record = future.result(timeout=PATIENCE)
        except TimeoutError:
            if future.status == "error":
                raise  # the task raised it itself
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
        # a closed connection raises OSError, perhaps before the client's status shows it
        closed = isinstance(error, OSError) and future.status != "error"
        if closed or future.status == "cancelled" or client.status != "running":
            raise InputError(GONE) from None
        if future.status != "error" and isinstance(error, InputError):
            raise  # the task did not raise it
        said = str(error) or type(error).__name__
        raise InputError(f"{task.what} failed {TRIES} times: {said}") from error


def _itself(job: Job) -> Job:
    return job


def _perform(number: int, *, job: Job, version: str) -> dict[str, Any]:
    """Run a task, in a worker."""
    from distributed import get_worker

    worker = get_worker()
    if version != __version__:  # this worker joined after the run had begun
        raise InputError(refused(worker.address, __version__))
    started = perf_counter()
    record = job.perform(number)
    return record | {"seconds": perf_counter() - started, "worker": worker.address}
