"""Compile what a race needs: once on a machine, on all cores, on no backend's budget.

A compiled backend is prepared in a process that is then thrown away; its code stays in the cache.
What was compiled is remembered there by backend, problem and versions.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict
from importlib.metadata import version
from signal import SIGCONT, SIGKILL, SIGSTOP
from threading import Lock
from typing import Any

from wordpack import __version__
from wordpack.backend.row import Row
from wordpack.compiled import code_cache
from wordpack.compiled.threads import usable_cores
from wordpack.errors import InputError
from wordpack.racing import conversation as state
from wordpack.racing.conversation import Broken, State
from wordpack.racing.entry import Lineup
from wordpack.racing.racer_process import Child
from wordpack.text.formatting import counted

LIMIT = 900.0
"""Seconds that compiling one backend may take."""

COMPILER = "numba"
"""What a row needs whose code is compiled."""


def as_compiled(
    lineup: Lineup,
    order: Callable[[Row], dict[str, Any]],
    module: str,
    say: Callable[[str], None],
) -> Iterator[Row]:
    """Yield each backend once its code is in the cache; compilers stop until the next is asked for.

    First come the backends that had to be compiled, then the others in the race's order. A backend
    that cannot be compiled says so in the race. `module` is what a racer's process runs and `order`
    what it is sent; `say` is told what is done, if there is something to do.
    """
    cold = {
        row.name: mark
        for row in lineup.rows
        if row.needs == COMPILER and code_cache.read(mark := _mark(row, lineup)) is None
    }
    if code_cache.folder() is None:
        cold = {}
    if cold:
        say(f"compiling {counted(len(cold), 'backend')}, once on this machine")
        compilers = Compilers(module)
        with ThreadPoolExecutor(usable_cores()) as pool:
            work = {
                pool.submit(compilers.prepared, order(row)): row
                for row in lineup.rows
                if row.name in cold
            }
            try:
                for done in as_completed(work):
                    row = work[done]
                    if done.result():
                        code_cache.keep(cold[row.name], b"")
                    with compilers.stopped():
                        yield row
            finally:
                compilers.end()
    yield from (row for row in lineup.rows if row.name not in cold)


class Compilers:
    """Processes that compile side by side. All of them can be stopped while something is timed."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._gate = Lock()
        self._running: set[Child] = set()
        self._ended = False

    def prepared(self, order: dict[str, Any]) -> bool:
        """Prepare a backend in a process of its own; return whether that succeeded or was refused.

        False if the process crashed, hung or could not be started.
        """
        with self._gate:
            if self._ended:
                return False
            try:
                child = Child(self._module, order)
            except (OSError, InputError):
                return False
            self._running.add(child)
        states: tuple[State[Any], ...] = (state.STARTING, state.PREPARING)
        try:
            heard = (child.hear(now, LIMIT, lambda _told: None) for now in states)
            return all(message is not None for message in heard)
        except Broken:
            return False
        finally:
            with self._gate:
                self._running.discard(child)
                child.close()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Let no compiler work or begin during the block."""
        with self._gate:
            for child in self._running:
                child.send_signal(SIGSTOP)
            try:
                yield
            finally:
                for child in self._running:
                    child.send_signal(SIGCONT)

    def end(self) -> None:
        """Kill those that still work, and let none begin: the race was interrupted."""
        with self._gate:
            self._ended = True
            for child in self._running:
                child.send_signal(SIGKILL)


def _mark(row: Row, lineup: Lineup) -> str:
    """Return the name in the cache that says that a backend's code is there."""
    try:
        compiler = version(COMPILER)
    except ImportError:
        compiler = ""
    what = [__version__, sys.version, compiler, row.name, asdict(lineup.instance.spec)]
    return f"{row.name}-{hashlib.sha256(json.dumps(what).encode()).hexdigest()[:20]}.compiled"
