"""The options of commands whose work a cluster can share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from wordpack.backend.cutting import MOST
from wordpack.errors import InputError

if TYPE_CHECKING:
    from wordpack.cluster.security import Certificates

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

TLS = ("tls_ca", "tls_cert", "tls_key")


def cluster_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a cluster."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def check_options(given: dict[str, Any]) -> None:
    """Raise InputError for options that need another one."""
    for name in (*TLS, "slices", "checkpoint", "resume"):
        option = name.replace("_", "-")
        if given[name] not in (None, False) and given["cluster"] is None:
            raise InputError(
                f"--{option} goes with --cluster ADDRESS: add it, or leave --{option} out"
            )
    if any(given[name] is not None for name in TLS) and None in (
        given["tls_ca"],
        given["tls_cert"],
    ):
        raise InputError("--tls-ca FILE and --tls-cert FILE go together: give both")
    if given["checkpoint"] == "":
        raise InputError("--checkpoint names no folder")
    if given["resume"] and given["checkpoint"] is None:
        raise InputError("--resume needs --checkpoint FOLDER")


def certificates(given: dict[str, Any]) -> "Certificates | None":
    """Return the files that the options name; None without them."""
    from wordpack.cluster.security import Certificates

    if given["tls_ca"] is None:
        return None
    return Certificates(given["tls_ca"], given["tls_cert"], given["tls_key"])
