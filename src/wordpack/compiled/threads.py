"""One pool of threads for the whole process, each kept to its own core."""

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
    """Return how many cores this process may use (its affinity mask, where there is one)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_threads(threads: int | None) -> None:
    """Raise InputError for a number of threads that this process may not use."""
    if threads is not None and not 1 <= threads <= usable_cores():
        raise InputError(f"`threads` {threads}: this process may use 1 to {usable_cores()}")


def of_threads(threads: int) -> str:
    """Return what a search on so many threads calls its device."""
    return f"cpu, {threads} thread{'s' if threads > 1 else ''}"


@cache
def pool(threads: int) -> ThreadPoolExecutor:
    """Return so many threads, which all searches share and which have started.

    Where there is one for each core, each keeps to its own: Linux wakes them together on one
    core, and moves one away only after some ten milliseconds, which is longer than many searches.
    """
    made = ThreadPoolExecutor(threads)
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    own = [{core} for core in cores] if len(cores) == threads > 1 else [None] * threads
    # a thread starts with its first task, which should not be a search that is timed
    together = threading.Barrier(threads)
    try:
        for core in own:
            made.submit(_begin, together, core)
    except RuntimeError as error:
        together.abort()  # those that have begun would wait for ever
        made.shutdown(wait=False)
        raise Unavailable(
            f"{of_threads(threads)} cannot be had ({error}): allow this process more memory or "
            "threads, or use fewer with `threads`."
        ) from error
    return made


def _begin(together: threading.Barrier, core: set[int] | None) -> None:
    """Keep this thread to `core`, and wait until all threads have begun."""
    if core is not None:
        with suppress(OSError):  # a core that was taken away meanwhile
            os.sched_setaffinity(0, core)
    with suppress(threading.BrokenBarrierError):
        together.wait()


def finish(workers: Sequence[Future[None]], stop: npt.NDArray[np.int64]) -> None:
    """Wait for all; where one fails, or Ctrl-C comes, set `stop` and wait for the others."""
    try:
        for worker in workers:
            worker.result()
    finally:
        stop[0] = 1
        wait(workers)


# a process that is forked has none of its parent's threads
os.register_at_fork(after_in_child=pool.cache_clear)
