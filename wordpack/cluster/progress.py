"""How far the tasks of a run are, on standard error, where somebody looks at it."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def shown(
    tasks: int, cost: float, left: int, what: str = "slices"
) -> Iterator[Callable[[float], None]]:
    """Give a function that is told of each of the tasks left when it ends: its share of `cost`.

    Nothing is shown where standard error is no terminal; nothing of the bar stays.
    """
    if not sys.stderr.isatty():
        yield lambda _cost: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    many = TextColumn(f"{{task.fields[done]:,}} of {tasks:,} {what}")
    columns = [BarColumn(), many, TimeElapsedColumn(), TimeRemainingColumn()]
    done = tasks - left
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        line = bar.add_task("", total=cost, done=done)
        bar.update(line, completed=cost * done / max(1, tasks))

        def told(more: float) -> None:
            nonlocal done
            done += 1
            bar.update(line, advance=more, done=done)

        yield told
