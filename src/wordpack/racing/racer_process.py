"""Start one of our modules as a process, exchange messages with it, and report how it ended."""

import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from wordpack.compiled import code_cache
from wordpack.errors import InputError
from wordpack.racing.conversation import Broken, End, Progress, State, Taken, heard
from wordpack.system import leftovers
from wordpack.text.formatting import visible

TICK = 1.0
"""Seconds between progress messages while a racer works: shorter runs are never disturbed."""


BESIDE = "wordpack-racer-"
"""Prefix of the racers' temporary folders."""


class Child:
    """A process that runs one of our modules."""

    def __init__(
        self, module: str, order: dict[str, Any], environment: Mapping[str, str] | None = None
    ) -> None:
        """Start `python -m module` and send it `order`; OSError if no process can be started."""
        try:
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as the process
        except OSError as error:
            raise InputError(
                "cannot make the temporary file that a child process needs "
                f"({error.strerror}): set TMPDIR to a writable folder"
            ) from None
        self._folder, self._held = _own_folder()
        own = {"TMPDIR": self._folder} if self._folder else {}
        try:
            self._process = subprocess.Popen(  # noqa: S603  our own module
                # -P: a folder called wordpack in the current directory is not the installed package
                [sys.executable, "-P", "-m", module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                # it is killed in the end, so its temporary files must be removed for it
                env={**os.environ, **code_cache.for_children(), **(environment or {}), **own},
                # Ctrl-C reaches only this process, which then ends its children
                start_new_session=True,
            )
        except OSError:
            self._forget()
            raise
        assert self._process.stdin and self._process.stdout  # noqa: S101, PT018  both are pipes
        self._to, self._from = self._process.stdin, self._process.stdout
        os.set_blocking(self._from.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._from, selectors.EVENT_READ)
        self._heard = b""
        self.say(order)

    def say(self, order: dict[str, Any]) -> None:
        """Send one line."""
        # if the process has ended, `hear` reports it with the reason
        with suppress(BrokenPipeError):
            self._to.write(json.dumps(order).encode() + b"\n")
            self._to.flush()

    def hear(
        self, state: State[Taken], limit: float, tick: Callable[[Progress | None], None]
    ) -> Taken | End | None:
        """Return the next message that `state` accepts, or None after `limit` seconds.

        Raises Broken for any other message, and if the process has ended. While waiting, calls
        `tick` about once a second with the progress that the process reports, or None.
        """
        end = monotonic() + limit
        while True:
            while b"\n" not in self._heard:
                left = end - monotonic()
                if left <= 0:
                    return None
                if not self._selector.select(min(left, TICK)):
                    tick(None)
                    continue
                got = self._from.read()
                if got == b"":
                    raise Broken(self._end())
                self._heard += got or b""
            said, _, self._heard = self._heard.partition(b"\n")
            message = heard(said, state)
            if not isinstance(message, Progress):
                return message
            tick(message)

    def _end(self) -> str:
        """Return how the process ended, and its last line on standard error."""
        try:
            how = _ended(self._process.wait(timeout=5))
        except subprocess.TimeoutExpired:
            how = "it closed its output without exiting"
        if self._heard:
            how += " in the middle of a message"
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return f"{how}: {visible(lines[-1].strip())}" if lines else how

    def send_signal(self, what: signal.Signals) -> None:
        """Send a signal to the process and everything that it started."""
        # it may have ended already
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, what)

    def close(self) -> None:
        """Kill the process and everything that it started."""
        self.send_signal(signal.SIGKILL)
        self._process.wait()
        self._selector.close()
        for stream in (self._to, self._from):
            # an order may still be unsent
            with suppress(BrokenPipeError):
                stream.close()
        self._forget()

    def _forget(self) -> None:
        self._errors.close()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        if self._held is not None:
            os.close(self._held)


def _ended(status: int) -> str:
    """Return how a process ended, from the status that `subprocess` gives."""
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:  # a real-time signal has no name of its own
        return f"killed by signal {-status}"


def _own_folder() -> tuple[str | None, int | None]:
    """Make a temporary folder and return its lock; remove the folders of killed races."""
    leftovers.sweep(Path(tempfile.gettempdir()), BESIDE)
    try:
        folder = tempfile.mkdtemp(prefix=BESIDE)
    except OSError:  # the disk is full
        return None, None
    return folder, leftovers.hold(Path(folder))
