"""Compile what a race needs before it begins: once on a machine, on all cores, on no budget.

A compiled backend is prepared in a process that is then thrown away; its code stays in the cache.
What was compiled is remembered there by backend, problem and versions.
"""

import hashlib
import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from importlib.metadata import version
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


def compile_once(
    lineup: Lineup,
    order: Callable[[Row], dict[str, Any]],
    module: str,
    say: Callable[[str], None],
) -> None:
    """Fill the cache with the code of each compiled backend; one that fails says so in the race.

    `module` is what a racer's process runs and `order` what it is sent; `say` is told what is done
    if there is something to do.
    """
    cold = {
        mark: row
        for row in lineup.rows
        if row.needs == COMPILER and code_cache.read(mark := _mark(row, lineup)) is None
    }
    if not cold or code_cache.folder() is None:
        return
    say(f"compiling {counted(len(cold), 'backend')}, once on this machine")
    with ThreadPoolExecutor(usable_cores()) as pool:
        done = pool.map(lambda row: _prepared(module, order(row)), cold.values())
        for mark, ended in zip(cold, done, strict=True):
            if ended:
                code_cache.keep(mark, b"")


def _mark(row: Row, lineup: Lineup) -> str:
    """Return the name in the cache that says that a backend's code is there."""
    try:
        compiler = version(COMPILER)
    except ImportError:
        compiler = ""
    what = [__version__, sys.version, compiler, row.name, asdict(lineup.instance.spec)]
    return f"{row.name}-{hashlib.sha256(json.dumps(what).encode()).hexdigest()[:20]}.compiled"


def _prepared(module: str, order: dict[str, Any]) -> bool:
    """Prepare a backend in a process of its own; return whether it came to an end by itself."""
    try:
        child = Child(module, order)
    except (OSError, InputError):
        return False
    states: tuple[State[Any], ...] = (state.STARTING, state.PREPARING)
    try:
        for now in states:
            if child.hear(now, LIMIT, lambda _told: None) is None:
                return False
    except Broken:
        return False
    finally:
        child.close()
    return True
