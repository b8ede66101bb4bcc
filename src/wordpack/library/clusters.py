"""Where the work is done: in this process, or shared by the workers of a Dask cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from wordpack.errors import InputError
from wordpack.solving.solve import solve as solved

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wordpack.cluster.security import Certificates
    from wordpack.cluster.sharing import Sharing
    from wordpack.solving.report import Report, Request
    from wordpack.text.output import Writer


class Cluster(TypedDict, total=False):
    """A Dask cluster that shares the work, and how."""

    cluster: str
    """A scheduler's address, or 'local:4' for four worker processes on this machine."""
    tls_ca: str
    """CA certificate of a tls:// cluster, a PEM file."""
    tls_cert: str
    """This client's certificate, a PEM file."""
    tls_key: str
    """The key of `tls_cert` (default: in the same file)."""
    slices: int
    """About how many pieces to cut the work into (default: by its estimated time)."""
    checkpoint: str
    """Keep finished pieces in this folder, so that `resume` can go on."""
    resume: bool
    """Go on with the run in the checkpoint's folder."""


TLS = ("tls_ca", "tls_cert", "tls_key")


class Plan(NamedTuple):
    """A cluster, and how it is to share the work."""

    address: str
    sharing: Sharing
    certificates: Certificates | None


def planned(given: Mapping[str, Any], backend: str = "auto") -> Plan | None:
    """Return what the keywords of `Cluster` ask for; None if they name no cluster."""
    check(given)
    if given.get("cluster") is None:
        return None
    # these take start-up time
    from wordpack.cluster.security import Certificates
    from wordpack.cluster.sharing import Sharing

    files = None
    if given.get("tls_ca") is not None:
        files = Certificates(given["tls_ca"], given["tls_cert"], given.get("tls_key"))
    folder, resume = given.get("checkpoint"), bool(given.get("resume"))
    return Plan(given["cluster"], Sharing(backend, given.get("slices"), folder, resume), files)


def check(given: Mapping[str, Any]) -> None:
    """Raise InputError for a keyword of `Cluster` that needs another one."""
    for name in (*TLS, "slices", "checkpoint", "resume"):
        if given.get(name) not in (None, False) and given.get("cluster") is None:
            raise InputError(f"`{name}` goes with `cluster` ADDRESS: add it, or leave `{name}` out")
    if any(given.get(name) is not None for name in TLS) and None in (
        given.get("tls_ca"),
        given.get("tls_cert"),
    ):
        raise InputError("`tls_ca` FILE and `tls_cert` FILE go together: give both")
    if given.get("checkpoint") == "":
        raise InputError("`checkpoint` names no folder")
    if given.get("resume") and given.get("checkpoint") is None:
        raise InputError("`resume` needs `checkpoint` FOLDER")


def solved_where(
    request: Request, plan: Plan | None, write: Callable[[int], Writer] | None = None
) -> Report:
    """Solve in this process, or on a cluster."""
    if plan is None:
        return solved(request, write)
    from wordpack.cluster.solving import solve_on

    return solve_on(plan.address, request, plan.sharing, plan.certificates, write)
