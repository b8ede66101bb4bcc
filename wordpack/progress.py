"""A bar on standard error while a long answer goes to a file, where somebody looks at it."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(total: int | None) -> Iterator[Callable[[int], None]]:
    """Give a function that is told of rows written; `total` is None where nobody knows it.

    Nothing is shown where standard error is no terminal; nothing of the bar stays.
    """
    if not sys.stderr.isatty():
        yield lambda _rows: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    counts = "{task.completed:,.0f}" + ("" if total is None else " of {task.total:,.0f}") + " rows"
    columns = [BarColumn(), TextColumn(counts), TimeElapsedColumn(), TimeRemainingColumn()]
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("", total=total)
        yield lambda rows: shown.advance(task, rows)
