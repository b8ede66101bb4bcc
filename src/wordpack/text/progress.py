"""Progress bars on a terminal's standard error: rows of a long answer, tasks of a run."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Progress


@contextmanager
def bar(total: int | None) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of rows just written.

    `total` is None if it is unknown. Nothing is shown if standard error is not a terminal. The bar
    is erased at the end.
    """
    counts = "{task.completed:,.0f}" + ("" if total is None else " of {task.total:,.0f}") + " rows"
    with _shown(counts) as shown:
        if shown is None:
            yield lambda _rows: None
            return
        line = shown.add_task("", total=total)
        yield lambda rows: shown.advance(line, rows)


@contextmanager
def tasks_bar(
    tasks: int, cost: float, left: int, what: str = "slices"
) -> Iterator[Callable[[float], None]]:
    """Yield a function to call as each task ends, with that task's share of `cost`.

    `left` of the tasks are still to do. The bar is shown as by `bar`.
    """
    with _shown(f"{{task.fields[done]:,}} of {tasks:,} {what}") as shown:
        if shown is None:
            yield lambda _cost: None
            return
        done = tasks - left
        line = shown.add_task("", total=cost, done=done)
        shown.update(line, completed=cost * done / max(1, tasks))

        def told(more: float) -> None:
            nonlocal done
            done += 1
            shown.update(line, advance=more, done=done)

        yield told


@contextmanager
def every(seconds: float, tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` at this interval, from another thread, while the block runs."""
    over = threading.Event()

    def told() -> None:
        while not over.wait(seconds):
            tell()

    teller = threading.Thread(target=told)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


@contextmanager
def share_bar(share: Callable[[], float | None]) -> Iterator[None]:
    """Show the share of some work, 0 to 1, in a terminal or a notebook while the block runs.

    `share` is called from another thread a few times a second; None shows an indeterminate bar.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeElapsedColumn

    columns = [BarColumn(), TaskProgressColumn(), TimeElapsedColumn()]
    console = Console(stderr=True)
    seen = console.is_terminal or console.is_jupyter
    with Progress(*columns, console=console, transient=True, disable=not seen) as shown:
        line = shown.add_task("", total=None)

        def follow() -> None:
            done = share()
            shown.update(line, total=1.0 if done else None, completed=done or 0.0)

        with every(0.2, follow):
            yield


@contextmanager
def _shown(counts: str) -> Iterator[Progress | None]:
    """Yield a bar followed by `counts`; None if standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = [BarColumn(), TextColumn(counts), TimeElapsedColumn(), TimeRemainingColumn()]
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        yield shown
