"""A real Dask scheduler and workers on loopback, which tests can kill one by one."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any

from distributed import Client, LocalCluster

DASK = [sys.executable, "-m", "dask"]
LIMIT = 60.0
"""Seconds to wait for a process to say something before giving up."""


class Cluster:
    """A scheduler and its workers, each in its own process group."""

    def __init__(self, folder: Path) -> None:
        """Start a scheduler that has no workers yet."""
        self._folder = folder
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self.address = ""
        self.scheduler = self._start(
            "scheduler", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"
        )
        log = folder / "scheduler.log"
        wait_until(lambda: "Scheduler at:" in log.read_text(), "the scheduler starts")
        line = next(line for line in log.read_text().splitlines() if "Scheduler at:" in line)
        self.address = line.split()[-1]

    def _start(self, name: str, *arguments: str, **environment: str) -> "subprocess.Popen[bytes]":
        with (self._folder / f"{name}.log").open("wb") as log:
            return subprocess.Popen(
                [*DASK, *arguments],
                stdout=log,
                stderr=log,
                env=os.environ | environment,
                cwd=self._folder,
                start_new_session=True,
            )

    def add(self, name: str, *arguments: str, **environment: str) -> None:
        """Start a one-thread worker that is never restarted; wait until it is registered."""
        before = self.known()
        self.start(name, *arguments, **environment)
        wait_until(lambda: self.known() > before, f"worker {name} is known")

    def start(self, name: str, *arguments: str, **environment: str) -> None:
        """Start a worker without waiting for it."""
        self.workers[name] = self._start(
            name,
            *("worker", self.address, "--name", name, "--nthreads", "1", "--no-dashboard"),
            *("--no-nanny", "--host", "127.0.0.1", *arguments),
            **environment,
        )

    def known(self) -> int:
        """Return the number of workers that the scheduler knows."""
        with Client(self.address, set_as_default=False) as client:
            return len(client.scheduler_info(n_workers=-1)["workers"])

    def kill(self, name: str) -> None:
        """Kill a worker, effective immediately."""
        end(self.workers.pop(name))

    def close(self) -> None:
        """Kill the workers and the scheduler."""
        for process in [self.scheduler, *self.workers.values()]:
            end(process)


def end(process: "subprocess.Popen[Any]", number: int = signal.SIGKILL) -> None:
    """Send a signal to a process group and wait for its end."""
    if process.poll() is None:
        os.killpg(process.pid, number)
    process.wait(LIMIT)


def wait_until(true: Any, what: str) -> None:
    """Wait until `true()`."""
    until = monotonic() + LIMIT
    while not true():
        assert monotonic() < until, f"it never happened: {what}"
        sleep(0.05)


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """Provide a scheduler with workers w1, w2, ... during the block."""
    made = Cluster(folder)
    try:
        for i in range(workers):
            made.start(f"w{i + 1}")
        wait_until(lambda: made.known() == workers, "the workers are known")
        yield made
    finally:
        made.close()


def started(
    arguments: Sequence[str],
    errors: IO[bytes] | int = subprocess.PIPE,
    *,
    enter: Sequence[str] = (),
    folder: Path | None = None,
) -> Any:
    """Start `wordpack` in its own process group, which can be interrupted.

    `enter` is the command that enters another host, `folder` the current folder there.
    """
    return subprocess.Popen(
        [*enter, sys.executable, "-m", "wordpack", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        start_new_session=True,
        # a shell's background processes ignore Ctrl-C, and so do their children
        preexec_fn=lambda: signal.signal(  # noqa: PLW1509  a call that takes no lock
            signal.SIGINT, signal.default_int_handler
        ),
    )


@contextmanager
def local() -> Iterator[str]:
    """Provide the address of a scheduler with two workers that no test kills."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as made:
        yield made.scheduler_address
