"""The options of commands whose work a cluster can share."""

from collections.abc import Callable

import click

from wordpack.backend.cutting import MOST

OPTIONS = (
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Share the work among the workers of this Dask scheduler; local[:N] starts N here.",
    ),
    click.option(
        "--tls-ca",
        metavar="FILE",
        help="CA certificate of a tls:// cluster (PEM).",
    ),
    click.option("--tls-cert", metavar="FILE", help="This client's certificate (PEM)."),
    click.option(
        "--tls-key",
        metavar="FILE",
        help="The key of --tls-cert (default: in the same file).",
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
