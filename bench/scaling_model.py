"""Simulate how long a run of many slices takes on W workers, event by event.

The simulation follows every slice through Dask's rules. The scheduler is one server for all
messages. It keeps the queue and gives a worker of t threads ceil(1.1 t) slices, so that the next
slice arrives before the worker asks for it. A worker without slices is given a slice that waits
elsewhere. The client, another server or the same one, keeps each answer before it takes the next.
Cost of a simulation: a few microseconds for each slice.
Source: distributed's documentation on scheduling policies and work stealing.
"""

import heapq
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

SATURATION = 1.1
"""Slices that a worker is given for each thread (distributed.scheduler.worker-saturation)."""

INTERVAL = 1.0
"""Seconds between looks for slices that wait beside idle workers (work-stealing-interval)."""


@dataclass(frozen=True)
class Costs:
    """What a run costs besides its slices, in seconds."""

    start: float = 0.0
    """Once: plan, cut, ship."""
    submit: float = 0.0
    """The scheduler, for each slice, before the first one is given out."""
    scheduler: float = 0.0
    """The scheduler, for each slice that is finished."""
    client: float = 0.0
    """The client, for each slice: fetch its answer, keep it."""
    worker: float = 0.0
    """The worker's thread, for each slice, besides the search."""
    latency: float = 0.0
    """One way between two processes."""
    merge: float = 0.0
    """Once, by the client, when all slices are finished."""
    shared: bool = False
    """Whether scheduler and client are one process."""


class _Server:
    """One process that does one thing after the other."""

    def __init__(self, begin: float) -> None:
        self.free = begin

    def serve(self, now: float, cost: float) -> float:
        """Return when what came `now` is done."""
        self.free = max(now, self.free) + cost
        return self.free


class _Worker:
    """Slices that run in its threads, that wait for one, and that were given to it in all."""

    def __init__(self) -> None:
        self.running = self.held = 0
        self.waiting: deque[int] = deque()


class Simulation:
    """One run: `seconds` in the order in which the scheduler gives slices out."""

    def __init__(
        self,
        seconds: Sequence[float],
        workers: int,
        costs: Costs,
        threads: int,
    ) -> None:
        self._seconds, self._costs, self._threads = seconds, costs, threads
        self._most = max(threads, ceil(SATURATION * threads))
        self._workers = [_Worker() for _ in range(workers)]
        self._queue = deque(range(len(seconds)))
        self._events: list[tuple[float, int, str, int, int]] = []
        self._order = 0
        self._idle: set[int] = set()
        begin = costs.start + len(seconds) * costs.submit
        self._scheduler = _Server(begin)
        self._client = self._scheduler if costs.shared else _Server(begin)

    def run(self) -> float:
        """Return the seconds of all slices, from the start to the end of the merge."""
        begin = self._scheduler.free
        for _ in range(self._most):
            for w in range(len(self._workers)):
                self._give(begin, w)
        end = begin
        handlers = {"come": self._come, "end": self._end, "report": self._report}
        while self._events:
            now, _, kind, w, i = heapq.heappop(self._events)
            if kind == "answer":
                end = self._client.serve(now, self._costs.client)
            elif kind == "steal":
                self._steal(now)
            else:
                handlers[kind](now, w, i)
        return end + self._costs.merge

    def _at(self, time: float, kind: str, w: int = -1, i: int = -1) -> None:
        self._order += 1
        heapq.heappush(self._events, (time, self._order, kind, w, i))

    def _give(self, now: float, w: int) -> None:
        """Send the next slice of the queue to a worker, where there is one."""
        if self._queue:
            self._workers[w].held += 1
            self._at(now + self._costs.latency, "come", w, self._queue.popleft())

    def _come(self, now: float, w: int, i: int) -> None:
        worker = self._workers[w]
        if worker.running < self._threads:
            self._begin(now, w, i)
        else:
            worker.waiting.append(i)
            if self._idle:
                self._look(now)

    def _begin(self, now: float, w: int, i: int) -> None:
        self._workers[w].running += 1
        self._idle.discard(w)
        self._at(now + self._costs.worker + self._seconds[i], "end", w, i)

    def _end(self, now: float, w: int, i: int) -> None:
        worker = self._workers[w]
        worker.running -= 1
        self._at(now + self._costs.latency, "report", w, i)
        if worker.waiting:
            self._begin(now, w, worker.waiting.popleft())

    def _report(self, now: float, w: int, _i: int) -> None:
        done = self._scheduler.serve(now, self._costs.scheduler)
        worker = self._workers[w]
        worker.held -= 1
        if worker.held < self._most:
            self._give(done, w)
        if not self._queue and worker.held < self._threads:
            self._idle.add(w)
            self._look(now)
        self._at(done + self._costs.latency, "answer")

    def _look(self, now: float) -> None:
        """Look for slices that wait elsewhere, when it is time for that."""
        if any(worker.waiting for worker in self._workers):
            self._at((now // INTERVAL + 1) * INTERVAL, "steal")

    def _steal(self, now: float) -> None:
        """Move slices that wait to workers that have none."""
        for w in sorted(self._idle):
            other = max(self._workers, key=lambda worker: len(worker.waiting))
            if not other.waiting:
                return
            other.held -= 1
            self._workers[w].held += 1
            self._idle.discard(w)
            self._at(now + 2 * self._costs.latency, "come", w, other.waiting.pop())


def simulate(seconds: Sequence[float], workers: int, costs: Costs, threads: int = 1) -> float:
    """Return the seconds of a run, slices in the order in which they are given out."""
    return Simulation(seconds, workers, costs, threads).run()
