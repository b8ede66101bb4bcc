"""The race's end of the line to a racer: its process, what it says, and its end."""

import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from wordpack import code_cache, leftovers
from wordpack.errors import InputError

TICK = 1.0
"""Seconds between signs of life while a racer works: shorter runs are never disturbed."""


BESIDE = "wordpack-racer-"
"""How the names of racers' temporary folders begin."""


class Died(Exception):  # noqa: N818  what happened to a process, not an error of this one
    """The process ended unasked; the message says how."""


class Child:
    """A `wordpack.racer` process."""

    def __init__(self, order: dict[str, Any]) -> None:
        try:
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as the process
        except OSError as error:
            raise InputError(
                f"a race needs a temporary file, and none can be made ({error.strerror}): "
                "set TMPDIR to a folder that can be written"
            ) from None
        self._folder, self._held = _own_folder()
        own = {"TMPDIR": self._folder} if self._folder else {}
        self._process = subprocess.Popen(
            # -P: a folder called wordpack in the current directory is not the installed package
            [sys.executable, "-P", "-m", "wordpack.racer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            # it is killed in the end, and leaves there what it would have removed
            env=os.environ | own | code_cache.for_children(),
            # Ctrl-C reaches the race alone, and the race ends its children
            start_new_session=True,
        )
        assert self._process.stdin and self._process.stdout  # noqa: S101, PT018  both are pipes
        self._to, self._from = self._process.stdin, self._process.stdout
        os.set_blocking(self._from.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._from, selectors.EVENT_READ)
        self._heard = b""
        self.say(order)

    def say(self, order: dict[str, Any]) -> None:
        """Send one line."""
        # its end is noticed, with the reason, when an answer is awaited
        with suppress(BrokenPipeError):
            self._to.write(json.dumps(order).encode() + b"\n")
            self._to.flush()

    def hear(self, limit: float, tick: Callable[[float | None], None]) -> dict[str, Any] | None:
        """Return the next message, or None after `limit` seconds; raise Died where none can come.

        `tick` is called about once a second while there is none, with the share of its search
        that the process says it has done, or None.
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
                    raise Died(self._end())
                self._heard += got or b""
            line, _, self._heard = self._heard.partition(b"\n")
            message: dict[str, Any] = json.loads(line)
            if message["event"] != "progress":
                return message
            tick(message["share"])

    def _end(self) -> str:
        """Return how the process ended, and the last line that it wrote to standard error."""
        try:
            status = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return "it closed its line without ending"
        how = f"exit status {status}"
        if status < 0:
            how = f"killed by {signal.Signals(-status).name}"
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return f"{how}: {lines[-1].strip()}" if lines else how

    def close(self) -> None:
        """End the process, whatever it is doing, and all that it started."""
        # it has ended already
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._selector.close()
        for stream in (self._to, self._from, self._errors):
            # an order was still on its way
            with suppress(BrokenPipeError):
                stream.close()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        if self._held is not None:
            os.close(self._held)


def _own_folder() -> tuple[str | None, int | None]:
    """Make a temporary folder, and return what holds it; remove those of races that were killed."""
    leftovers.sweep(Path(tempfile.gettempdir()), BESIDE)
    try:
        folder = tempfile.mkdtemp(prefix=BESIDE)
    except OSError:  # the disk is full
        return None, None
    return folder, leftovers.hold(Path(folder))
