"""Tables and notes on standard output: as wide as the terminal, else PIPE_WIDTH."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH = 100
"""Characters per line when standard output is not a terminal."""


@contextmanager
def printing() -> Iterator["Console"]:
    """Yield a console; its output is written when the block ends."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH)
    with console.capture() as held:
        yield console
    # not printed by Rich, which exits with status 1 if a pipe is closed
    sys.stdout.write(held.get())
    sys.stdout.flush()
