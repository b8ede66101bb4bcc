"""Tables and notes on standard output: as wide as a terminal, or as PIPE_WIDTH where it is none."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH = 100
"""Columns of a table that no terminal limits."""


@contextmanager
def printing() -> Iterator["Console"]:
    """Give a console; what was printed on it is written when the block ends."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH)
    with console.capture() as held:
        yield console
    # not printed by rich itself, which would leave with status 1 where a pipe is closed
    sys.stdout.write(held.get())
    sys.stdout.flush()
