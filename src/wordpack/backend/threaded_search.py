"""Share the branches of a search tree's root among threads, one chunk at a time.

A backend only supplies a compiled search of a range of branches that writes to a buffer. If the
buffer is too small for a chunk, it grows and the chunk is searched again, so no answer is cut
short. Counters are taken from the search that fitted, so they do not depend on threads, chunk or
buffer. `ThreadedSearch` does not depend on how threads share: it has answers, parts and slices.
"""

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from itertools import count
from math import comb, prod

import numpy as np
import numpy.typing as npt

from wordpack.backend.base import Options, Search
from wordpack.compiled.threads import finish, of_threads, pool, usable_cores
from wordpack.packing.answer import Answer, Counts, Packings, Rows
from wordpack.packing.problem import Problem

BUFFER = 1024
"""Packings that a thread's buffer can hold at first."""

CHUNKS = 16
"""Chunks per thread, so that the slowest chunk does not determine the time."""

LISTED = 1 << 20
"""Packings held at a time if 64 bits may not count their solutions."""

Integers = npt.NDArray[np.int64]

SearchChunk = Callable[[int, int, Rows, Integers, Integers, Integers], int]
"""Search branches first..last into (rows, totals, counters); return 0 if `rows` is too small.

Otherwise it returns 1. `rows` (capacity, picks) int32 gets indices, with the groups side by side;
capacity 0 lists nothing. `totals` (2,) gets the number of packings and, if nothing is listed, of
solutions. `counters` gets the algorithm's own numbers. If the last argument, `stop` (1,), is not
0, it may return at once with an incomplete result.
"""


class Tally:
    """What all threads have found; `full` tells them that it is more than `limit` rows."""

    def __init__(self, counters: int, *, listing: bool, limit: int | None = None) -> None:
        self.listing, self.limit, self.full = listing, limit, False
        self.packings = self.solutions = 0
        self.counters = np.zeros(counters, np.int64)
        self.chunks: dict[int, int] = {}
        """Number of packings by the first branch of the chunk, for chunks with packings."""
        self.rows: dict[tuple[int, int], Rows] = {}
        """Rows of these packings, if they are listed; sorted keys give search order."""
        self._lock = threading.Lock()

    def add(self, packings: int, solutions: int, counters: Integers) -> None:
        """Add one chunk's numbers."""
        self.packings += packings
        self.solutions += solutions
        self.counters += counters
        if self.limit is not None and self.packings > self.limit:
            self.full = True

    def merge(self, other: "Tally") -> None:
        """Add what one thread has found."""
        with self._lock:
            self.add(other.packings, other.solutions, other.counters)
            self.chunks |= other.chunks
            self.rows |= other.rows


class ThreadedSearch(Search):
    """A prepared search of root branches on threads.

    The caller's thread only waits, so that Ctrl-C reaches it while compiled code runs. The search
    polls its stop cell, and then ends.
    """

    def __init__(
        self,
        problem: Problem,
        options: Options,
        branches: range,
        names: tuple[str, ...],
        known: dict[str, int] | None = None,
    ) -> None:
        """Share `branches`; `names` are the counters' names, `known` has constant counters."""
        self._problem, self._names = problem, names
        self._known = known or {}
        self._asked_chunk = options.chunk is not None
        self._count_only = options.count_only
        self._branches = branches
        self._threads = max(1, min(options.threads or usable_cores(), len(self._branches)))
        self._pool = pool(self._threads)
        self._stop = np.zeros(1, np.int64)
        # 64 bits can count the solutions if they can count all choices of words
        ways = (comb(group.words, group.count) for group in problem.groups)
        self._exact = prod(ways) < 2**63

    @property
    def device(self) -> str:
        """The CPU and the number of threads."""
        return of_threads(self._threads)

    @abstractmethod
    def _share(self, branches: range, tally: Tally, stop: Integers) -> list[Future[None]]:
        """Start searching `branches` on the pool's threads, which add their results to `tally`.

        They end soon after `stop` is set or the tally is full.
        """

    def run(self, *, work: bool = False) -> Answer:
        """Return all packings, or with count_only the exact numbers."""
        tally = self._tally(listing=not (self._count_only and self._exact))
        if self._count_only and not self._exact:
            solutions = sum(part.solutions() for part in self._batches(LISTED, tally))
        else:
            self._collect(self._branches, tally)
            solutions = tally.solutions
        counters = self._work_of(tally) if work else {}
        if self._count_only:
            return Counts(tally.packings, solutions, counters)
        return replace(self._pack(tally), work=counters)

    def parts(self, max_rows: int) -> Iterator[Packings]:
        """Yield the packings, at most `max_rows` at a time, but hold at least one branch's.

        They are in the order of branches, which is the same for every number of threads.
        """
        for part in self._batches(max_rows, self._tally(listing=True)):
            yield from part.split(max_rows)

    def _work_of(self, tally: Tally) -> dict[str, int]:
        """Return the counters and, if a chunk size was given, the packings of each chunk."""
        work = self._known | dict(zip(self._names, tally.counters.tolist(), strict=True))
        if self._asked_chunk:
            work |= {f"chunk_{first}": tally.chunks[first] for first in sorted(tally.chunks)}
        return work

    def _tally(self, *, listing: bool, limit: int | None = None) -> Tally:
        return Tally(len(self._names), listing=listing, limit=limit)

    def _pack(self, tally: Tally) -> Packings:
        rows = [tally.rows[first] for first in sorted(tally.rows)]
        table = np.concatenate([np.empty((0, self._problem.picks), np.int32), *rows])
        return Packings.from_table(self._problem, table)

    def _batches(self, max_rows: int, tally: Tally) -> Iterator[Packings]:
        """Yield the packings of ranges of branches in order, and add their numbers to `tally`.

        A range with more than `max_rows` packings is halved and searched again. A single branch is
        yielded whole.
        """
        ranges = [self._branches] if self._branches else []
        while ranges:
            some = ranges.pop()
            found = self._tally(listing=True, limit=max_rows if len(some) > 1 else None)
            if self._collect(some, found):
                tally.add(found.packings, found.solutions, found.counters)
                tally.chunks |= found.chunks
                if found.packings:
                    yield self._pack(found)
            else:
                middle = len(some) // 2
                ranges += [some[middle:], some[:middle]]

    def _collect(self, branches: range, tally: Tally) -> bool:
        """Search `branches` on all threads into `tally`; return False if it exceeds its limit."""
        # each run has its own cell: a thread left from an interrupted run must stay stopped
        self._stop = stop = np.zeros(1, np.int64)
        finish(self._share(branches, tally, stop), stop)
        return not tally.full


class SharedSearch(ThreadedSearch):
    """A search in which each thread takes one chunk of branches after another."""

    def __init__(  # noqa: PLR0913  the last four have defaults
        self,
        problem: Problem,
        options: Options,
        branches: int,
        names: tuple[str, ...],
        search: SearchChunk,
        known: dict[str, int] | None = None,
        chunk: int | None = None,
        buffer: int = BUFFER,
        fall: float | None = None,
    ) -> None:
        """Share `branches` branches among calls of `search`.

        Unless the options say otherwise, a thread takes `chunk` branches at a time and its buffer
        starts with room for `buffer` packings. When a share x of the branches is left, about
        x ** `fall` of the time is left; `fall` is None if that is unknown.
        """
        super().__init__(problem, options, range(branches), names, known)
        self._search = search
        self._fall = fall
        self._begun = self._branches.start
        even = max(1, len(self._branches) // (self._threads * CHUNKS))
        self._chunk = options.chunk or chunk or even
        self._buffer = options.max_buffer or buffer

    def progress(self) -> float:
        """Return the share of the branches that threads have taken in this run, 0 to 1."""
        return (self._begun - self._branches.start) / max(1, len(self._branches))

    def time_share(self) -> float | None:
        """Return about what share of a run's time has passed; None without a `fall`."""
        return None if self._fall is None else 1 - (1 - self.progress()) ** self._fall

    def _share(self, branches: range, tally: Tally, stop: Integers) -> list[Future[None]]:
        self._begun = branches.start
        chunks = count(branches.start, self._chunk)
        threads = min(self._threads, -(-len(branches) // self._chunk))
        return [
            self._pool.submit(self._work, chunks, branches.stop, tally, stop)
            for _ in range(threads)
        ]

    def _work(self, chunks: Iterator[int], end: int, tally: Tally, stop: Integers) -> None:
        own = self._tally(listing=tally.listing, limit=tally.limit)
        rows = np.empty((self._buffer if tally.listing else 0, self._problem.picks), np.int32)
        totals, counters = np.zeros(2, np.int64), np.zeros(len(self._names), np.int64)
        first = next(chunks)
        while first < end and not tally.full and not stop[0]:
            totals[:] = counters[:] = 0
            last = min(first + self._chunk, end)
            self._begun = max(self._begun, last)  # a chunk may be searched again
            if self._search(first, last, rows, totals, counters, stop):
                found = int(totals[0])
                own.add(found, int(totals[1]), counters)
                if found:
                    own.chunks[first] = found
                if found and tally.listing:
                    own.rows[first, 0] = rows[:found].copy()
                first = next(chunks)
            else:
                own.full |= tally.limit is not None and len(rows) >= tally.limit
                rows = np.empty((4 * len(rows), self._problem.picks), np.int32)
            if own.full:  # |= could undo another thread's write
                tally.full = True
        tally.merge(own)
