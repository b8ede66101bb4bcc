"""Share the branches of a search tree's root among threads, chunk by chunk, as they ask for more.

A compiled search that is given a range of branches and a buffer is all that a backend supplies.
A buffer too small for a chunk grows and the chunk is searched again, so nothing is cut short, and
counters are those of a chunk that fitted, so they do not depend on threads, chunk or buffer.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import count

import numpy as np
import numpy.typing as npt

from wordpack.packing import Rows

BUFFER = 1024
"""Packings that a thread's buffer holds at first."""

SearchChunk = Callable[[int, int, Rows, npt.NDArray[np.int64], npt.NDArray[np.int64]], bool]
"""Search branches first..last into (rows, totals, counters); False where rows were too few.

`totals` gets packings and, where `rows` has length 0, solutions; `counters` gets nodes by depth.
A search that sees its stop cell set may return at once, whatever it has found.
"""


class Tally:
    """What threads have found together; `full` tells them that it is more than `limit` rows."""

    def __init__(self, k: int, *, count_only: bool, limit: int | None = None) -> None:
        self.count_only, self.limit, self.full = count_only, limit, False
        self.packings = self.solutions = 0
        self.nodes = np.zeros(k, np.int64)
        self.chunks: dict[int, Rows] = {}
        """Rows by the first branch of their chunk."""
        self._lock = threading.Lock()

    def add(self, packings: int, solutions: int, nodes: npt.NDArray[np.int64]) -> None:
        """Add one chunk's numbers."""
        self.packings += packings
        self.solutions += solutions
        self.nodes += nodes
        if self.limit is not None and self.packings > self.limit:
            self.full = True

    def merge(self, other: "Tally") -> None:
        """Add what another thread has found."""
        with self._lock:
            self.add(other.packings, other.solutions, other.nodes)
            self.chunks |= other.chunks

    def table(self) -> Rows:
        """Return all rows, (packings, k) int32, in the order of branches whatever the threads."""
        rows = [self.chunks[first] for first in sorted(self.chunks)]
        return np.concatenate([np.empty((0, len(self.nodes)), np.int32), *rows])

    def work(self) -> dict[str, int]:
        """Return the nodes by depth under their names."""
        return {f"nodes_{depth + 1}": int(nodes) for depth, nodes in enumerate(self.nodes)}


class Sharing:
    """Threads that search ranges of branches.

    The caller's thread only waits, so that Ctrl-C reaches it while compiled code runs; the
    search polls `stop` and ends.
    """

    def __init__(self, search: SearchChunk, k: int, threads: int, chunk: int, buffer: int) -> None:
        self._search, self._k = search, k
        self._threads, self._chunk, self._buffer = threads, chunk, buffer
        self._pool = ThreadPoolExecutor(threads)
        self.stop = np.zeros(1, np.int64)
        """Set to 1 where a search is to end early."""

    def collect(self, branches: range, tally: Tally) -> bool:
        """Search `branches` on all threads into `tally`; False where its limit was passed."""
        self.stop[0] = 0
        chunks = count(branches.start, self._chunk)
        threads = min(self._threads, -(-len(branches) // self._chunk))
        workers = [
            self._pool.submit(self._work, chunks, branches.stop, tally) for _ in range(threads)
        ]
        try:
            for worker in workers:
                worker.result()
        finally:
            self.stop[0] = 1
            wait(workers)
        return not tally.full

    def batches(self, branches: range, max_rows: int, tally: Tally) -> Iterator[Rows]:
        """Yield the rows of `branches` in order, about `max_rows` at a time, numbers into `tally`.

        A range with more rows is halved and searched again; one branch's rows are yielded whole.
        """
        ranges = [branches] if branches else []
        while ranges:
            some = ranges.pop()
            limit = max_rows if len(some) > 1 else None
            found = Tally(self._k, count_only=False, limit=limit)
            if self.collect(some, found):
                tally.add(found.packings, found.solutions, found.nodes)
                if found.packings:
                    yield found.table()
            else:
                middle = len(some) // 2
                ranges += [some[middle:], some[:middle]]

    def _work(self, chunks: Iterator[int], stop: int, tally: Tally) -> None:
        own = Tally(self._k, count_only=tally.count_only, limit=tally.limit)
        rows = np.empty((0 if tally.count_only else self._buffer, self._k), np.int32)
        totals, nodes = np.zeros(2, np.int64), np.zeros(self._k, np.int64)
        first = next(chunks)
        while first < stop and not tally.full and not self.stop[0]:
            totals[:] = nodes[:] = 0
            if self._search(first, min(first + self._chunk, stop), rows, totals, nodes):
                found = int(totals[0])
                own.add(found, int(totals[1]), nodes)
                if found and not tally.count_only:
                    own.chunks[first] = rows[:found].copy()
                first = next(chunks)
            else:
                own.full |= tally.limit is not None and len(rows) >= tally.limit
                rows = np.empty((4 * len(rows), self._k), np.int32)
            if own.full:  # not |=, which could undo what another thread sets meanwhile
                tally.full = True
        tally.merge(own)
