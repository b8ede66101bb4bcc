"""Options of the commands that can run on a cluster."""

from collections.abc import Callable

import click

from wordpack.backend.cutting import MOST

OPTIONS = (
    click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Run on the workers of this Dask scheduler; local[:N] starts N workers here.",
    ),
    click.option(
        "--tls-ca",
        metavar="FILE",
        help="CA certificate for a tls:// cluster (PEM).",
    ),
    click.option("--tls-cert", metavar="FILE", help="Client certificate (PEM)."),
    click.option(
        "--tls-key",
        metavar="FILE",
        help="Private key of --tls-cert (default: in the same file).",
    ),
    click.option(
        "--slices",
        type=click.IntRange(min=1, max=MOST),
        metavar="N",
        help="Cut the work into about N slices (default: from its estimated time).",
    ),
    click.option(
        "--checkpoint",
        metavar="FOLDER",
        help="Save finished work in this folder, for --resume.",
    ),
    click.option(
        "--resume", is_flag=True, help="Continue the run saved in the --checkpoint folder."
    ),
)


def cluster_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the cluster options to a command."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command
