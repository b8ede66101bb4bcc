"""Run work in this process, or on the workers of a Dask cluster."""

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
    """Keyword arguments to run work on a Dask cluster."""

    cluster: str
    """A scheduler's address, or 'local:4' for four worker processes on this machine."""
    tls_ca: str
    """CA certificate for a tls:// cluster, a PEM file."""
    tls_cert: str
    """Client certificate, a PEM file."""
    tls_key: str
    """Private key of `tls_cert` (default: in the same file)."""
    slices: int
    """About how many slices to cut the work into (default: from its estimated time)."""
    checkpoint: str
    """Save finished work in this folder, for `resume`."""
    resume: bool
    """Continue the run saved in the `checkpoint` folder."""


TLS = ("tls_ca", "tls_cert", "tls_key")


class Plan(NamedTuple):
    """A cluster, and how to share the work on it."""

    address: str
    sharing: Sharing
    certificates: Certificates | None


def planned(given: Mapping[str, Any], backend: str = "auto") -> Plan | None:
    """Return the plan that the keywords of `Cluster` ask for; None without a cluster."""
    check(given)
    if given.get("cluster") is None:
        return None
    # slow to import
    from wordpack.cluster.security import Certificates
    from wordpack.cluster.sharing import Sharing

    files = None
    if given.get("tls_ca") is not None:
        files = Certificates(given["tls_ca"], given["tls_cert"], given.get("tls_key"))
    folder, resume = given.get("checkpoint"), bool(given.get("resume"))
    return Plan(given["cluster"], Sharing(backend, given.get("slices"), folder, resume), files)


def check(given: Mapping[str, Any]) -> None:
    """Raise InputError if a keyword of `Cluster` lacks another one that it needs."""
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
