"""Simulate how long a run of many slices takes on a number of workers.

The scheduler is one server for all messages. It gives each worker of t threads ceil(1.1 t) slices
at first, so that the next slice arrives before a thread needs it, and one more for each answer. A
free thread takes the next slice that has arrived. The client, another server or the same one, keeps
each answer. Not simulated: work stealing, and which worker a slice was given to.
Source: distributed's documentation on scheduling policies.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

SATURATION = 1.1
"""Slices that a worker is given per thread (distributed.scheduler.worker-saturation)."""


@dataclass(frozen=True)
class Costs:
    """What a run costs besides its slices, in seconds."""

    start: float = 0.0
    """Once: plan, cut, ship."""
    submit: float = 0.0
    """The scheduler, per slice, before the first slice is given out."""
    scheduler: float = 0.0
    """The scheduler, per finished slice."""
    client: float = 0.0
    """The client, per slice: fetch the answer and keep it."""
    worker: float = 0.0
    """The worker's thread, per slice, besides the search."""
    latency: float = 0.0
    """One way between two processes."""
    shared: bool = False
    """Whether scheduler and client are one process."""


def spread(shape: list[float], many: int, mean: float) -> list[float]:
    """Return `many` times spread as `shape` is, the longest first, `mean` on average."""
    ordered = sorted(shape, reverse=True)
    picked = [ordered[i * len(ordered) // many] for i in range(many)]
    scale = mean * many / sum(picked)
    return [each * scale for each in picked]


def simulate(seconds: Sequence[float], workers: int, costs: Costs, threads: int = 1) -> float:
    """Return the seconds of a run of slices, in the order in which they are given out."""
    servers = _Servers(costs, costs.start + len(seconds) * costs.submit)
    at_first = workers * max(threads, ceil(SATURATION * threads))
    given = [servers.scheduler] * min(len(seconds), at_first)
    running: list[float] = []  # when the slices under way end
    for i, taken in enumerate(seconds):
        free = given[0]
        if len(running) == workers * threads:
            free = heapq.heappop(running)
            given.append(servers.answer(free))
        start = max(free, given[i] + costs.latency)
        heapq.heappush(running, start + costs.worker + taken)
    while running:
        servers.answer(heapq.heappop(running))
    return servers.client


class _Servers:
    """Scheduler and client, and until when each is busy."""

    def __init__(self, costs: Costs, begin: float) -> None:
        self.costs = costs
        self.scheduler = self.client = begin

    def answer(self, ended: float) -> float:
        """Take the answer of a slice; return when the scheduler gives out the next slice."""
        costs = self.costs
        given = self.scheduler = max(self.scheduler, ended + costs.latency) + costs.scheduler
        arrives = given if costs.shared else given + costs.latency
        self.client = max(self.client, arrives) + costs.client
        if costs.shared:
            self.scheduler = self.client
        return given
