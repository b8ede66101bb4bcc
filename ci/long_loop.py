"""Numbered trials in processes of their own, up to the first fault.

Ctrl-C ends the run with the numbers so far. A trial that ends its process, or takes over LIMIT
seconds, is a fault too; the trials that the processes were at are named.
"""

import faulthandler
import multiprocessing
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

LIMIT = 300.0
"""Seconds that one trial may take, on a busy machine that compiles first."""

Counts = Counter[tuple[str, ...]]


class Fault(Exception):  # noqa: N818  what was found, not an error of a script
    """What a trial ends in that has found something; its text is for the user."""


@dataclass
class Outcome:
    """What trials counted, the first fault, most memory, and its growth after a tenth in bytes."""

    counts: Counts = field(default_factory=Counter)
    fault: str = ""
    peak: int = 0
    grown: int = 0

    def add(self, other: "Outcome") -> None:
        """Add the outcome of another process."""
        self.counts.update(other.counts)
        self.fault = self.fault or other.fault
        self.peak = max(self.peak, other.peak)
        self.grown = max(self.grown, other.grown)


Trial = Callable[[int], Counts]
"""Tries what has this number; raises Fault."""


class Shared:
    """What a process shares with its parent: whether to stop, and the trial that it is at."""

    stop: Any = None
    current: Any = None

    @classmethod
    def begin(cls, stop: Any, current: Any, prepare: Callable[[], object]) -> None:
        """Begin a process; Ctrl-C is left to its parent."""
        cls.stop, cls.current = stop, current
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        prepare()


def peak() -> int:
    """Return the most memory that this process has had, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def run(trial: Trial, numbers: range, place: int = 0) -> Outcome:
    """Try these numbers here; `place` is that of this process among all."""
    outcome, before, armed = Outcome(), 0, 0.0
    for done, number in enumerate(numbers):
        if Shared.stop is not None:
            if Shared.stop.is_set():
                break
            Shared.current[place] = number
        # a thread each time: too much for trials of microseconds
        if monotonic() - armed > 1:
            faulthandler.dump_traceback_later(LIMIT, exit=True)
            armed = monotonic()
        if done == len(numbers) // 10:
            before = peak()
        try:
            outcome.counts.update(trial(number))
        except Fault as fault:
            outcome.fault = str(fault)
            break
    faulthandler.cancel_dump_traceback_later()
    outcome.peak = peak()
    outcome.grown = outcome.peak - (before or outcome.peak)
    return outcome


def run_in_processes(
    trial: Trial, numbers: range, processes: int, prepare: Callable[[], object]
) -> Outcome:
    """Try these numbers in so many processes, each of which calls `prepare` first."""
    # also where a shell that started us in the background has it ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    context = multiprocessing.get_context("spawn")
    stop, outcome = context.Event(), Outcome()
    current: Any = context.Array("q", processes)
    with ProcessPoolExecutor(
        processes, context, Shared.begin, (stop, current, prepare)
    ) as executor:
        running: set[Future[Outcome]] = {
            executor.submit(run, trial, numbers[start::processes], start)
            for start in range(processes)
        }
        while running:
            try:
                done, running = wait(running, 60, FIRST_COMPLETED)
                for each in done:
                    outcome.add(each.result())
            except KeyboardInterrupt:
                stop.set()
            except BrokenProcessPool:
                at = ", ".join(map(str, current))
                outcome.fault = outcome.fault or f"a process has ended at one of the numbers {at}"
            if outcome.fault:
                stop.set()
            sys.stderr.write(f"number {max(current):,}, the last is {numbers[-1]:,}\n")
    return outcome
