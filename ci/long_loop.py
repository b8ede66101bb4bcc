"""Run numbered trials in several processes, until the first fault.

Ctrl-C ends the run and reports the numbers so far. A trial that ends its process, or takes over
LIMIT seconds, is a fault too; the message names the trials that the processes were running.
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
"""Seconds that one trial may take; a busy machine may have to compile first."""

Counts = Counter[tuple[str, ...]]


class Fault(Exception):  # noqa: N818  what was found, not an error of a script
    """Raised by a trial that has found something; its text is for the user."""


@dataclass
class Outcome:
    """Counts, the first fault, peak memory, and its growth after the first tenth, in bytes."""

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
"""Runs the trial with this number; raises Fault."""


class Shared:
    """What a process shares with its parent: whether to stop, and its current trial."""

    stop: Any = None
    current: Any = None

    @classmethod
    def begin(cls, stop: Any, current: Any, prepare: Callable[[], object]) -> None:
        """Set a process up; only its parent handles Ctrl-C."""
        cls.stop, cls.current = stop, current
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        prepare()


def peak() -> int:
    """Return this process's peak memory in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def run(trial: Trial, numbers: range, place: int = 0) -> Outcome:
    """Run these trials in this process; `place` is its number among all processes."""
    outcome, before, armed = Outcome(), 0, 0.0
    for done, number in enumerate(numbers):
        if Shared.stop is not None:
            if Shared.stop.is_set():
                break
            Shared.current[place] = number
        # starting a thread each time would cost too much for trials of microseconds
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
    """Run these trials in `processes` processes, each of which calls `prepare` first."""
    # a shell that starts us in the background makes us ignore SIGINT
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
