"""The options of commands whose work a cluster can share."""

from collections.abc import Callable
from typing import Any

import click

from wordpack.cutting import MOST
from wordpack.errors import InputError

OPTIONS = (
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Share the work among the workers of this Dask scheduler; local[:N] starts N here.",
    ),
    click.option(
        "--slices",
        type=click.IntRange(min=1, max=MOST),
        metavar="N",
        help="About how many pieces to cut the work into (default: by its estimated time).",
    ),
    click.option(
        "--checkpoint",
        metavar="FOLDER",
        help="Keep what is finished here, so that --resume can go on.",
    ),
    click.option("--resume", is_flag=True, help="Go on with the run in the checkpoint's folder."),
)


def cluster_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a cluster."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def check_options(given: dict[str, Any]) -> None:
    """Raise InputError for options that need another one."""
    for option in ("slices", "checkpoint", "resume"):
        if given[option] not in (None, False) and given["cluster"] is None:
            raise InputError(
                f"--{option} goes with --cluster ADDRESS: add it, or leave --{option} out"
            )
    if given["checkpoint"] == "":
        raise InputError("--checkpoint names no folder")
    if given["resume"] and given["checkpoint"] is None:
        raise InputError("--resume needs --checkpoint FOLDER")
