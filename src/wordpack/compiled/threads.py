"""One thread pool for the whole process, each thread pinned to its own core."""

import os
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cache

import numpy as np
import numpy.typing as npt

from wordpack.errors import InputError, Unavailable


def usable_cores() -> int:
    """Return how many cores this process may use (its affinity mask, if the system has one)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_threads(threads: int | None) -> None:
    """Raise InputError for a number of threads that this process may not use."""
    if threads is not None and not 1 <= threads <= usable_cores():
        raise InputError(f"`threads` {threads}: this process may use 1 to {usable_cores()}")


def of_threads(threads: int) -> str:
    """Return the device name of a search on `threads` threads."""
    return f"cpu, {threads} thread{'s' if threads > 1 else ''}"


@cache
def pool(threads: int) -> ThreadPoolExecutor:
    """Return a started pool of `threads` threads, shared by all searches.

    If there is one thread per core, each is pinned to its own: Linux wakes them together on one
    core, and moves one away only after some ten milliseconds, which is longer than many searches.
    """
    made = ThreadPoolExecutor(threads)
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    own = [{core} for core in cores] if len(cores) == threads > 1 else [None] * threads
    # a thread starts with its first task, which must not be a timed search
    together = threading.Barrier(threads)
    try:
        for core in own:
            made.submit(_begin, together, core)
    except RuntimeError as error:
        together.abort()  # threads that have begun would wait indefinitely
        made.shutdown(wait=False)
        raise Unavailable(
            f"{of_threads(threads)} cannot be had ({error}): allow this process more memory or "
            "threads, or use fewer with `threads`."
        ) from error
    return made


def _begin(together: threading.Barrier, core: set[int] | None) -> None:
    """Pin this thread to `core`, and wait until all threads have begun."""
    if core is not None:
        with suppress(OSError):  # the core was taken away meanwhile
            os.sched_setaffinity(0, core)
    with suppress(threading.BrokenBarrierError):
        together.wait()


def finish(workers: Sequence[Future[None]], stop: npt.NDArray[np.int64]) -> None:
    """Wait for all workers; if one fails or Ctrl-C comes, set `stop` and wait for the rest."""
    try:
        for worker in workers:
            worker.result()
    finally:
        stop[0] = 1
        wait(workers)


# a forked process has none of its parent's threads
os.register_at_fork(after_in_child=pool.cache_clear)
