"""Compile backends for a race: once per machine, on all cores, outside any budget.

Each compiled backend is prepared in a throwaway process; its code stays in the cache. The cache
also records what was compiled, by backend, problem and versions.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Generator, Iterator
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
"""What the row of a compiled backend needs."""


def as_compiled(
    lineup: Lineup,
    order: Callable[[Row], dict[str, Any]],
    module: str,
    say: Callable[[str], None],
) -> Generator[Row]:
    """Yield each backend once its code is in the cache; compilers stop until the next is asked for.

    Backends that had to be compiled come first, then the others in the race's order. A backend that
    fails to compile reports it in the race. A racer's process runs `module` and is sent `order`.
    `say` gets one line if there is anything to compile.
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
    """Processes that compile side by side, and are all stopped while a backend is timed."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._gate = Lock()
        self._running: set[Child] = set()
        self._ended = False

    def prepared(self, order: dict[str, Any]) -> bool:
        """Prepare a backend in its own process; return whether it finished or refused.

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
        """Stop all compilers during the block, and start no other."""
        with self._gate:
            for child in self._running:
                child.send_signal(SIGSTOP)
            try:
                yield
            finally:
                for child in self._running:
                    child.send_signal(SIGCONT)

    def end(self) -> None:
        """Kill the compilers that still work, and start no other: the race was interrupted."""
        with self._gate:
            self._ended = True
            for child in self._running:
                child.send_signal(SIGKILL)


def _mark(row: Row, lineup: Lineup) -> str:
    """Return the name of the cache entry that marks a backend as compiled."""
    try:
        compiler = version(COMPILER)
    except ImportError:
        compiler = ""
    what = [__version__, sys.version, compiler, row.name, asdict(lineup.instance.spec)]
    return f"{row.name}-{hashlib.sha256(json.dumps(what).encode()).hexdigest()[:20]}.compiled"
