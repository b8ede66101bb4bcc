"""Connect to a Dask cluster: a running scheduler, or worker processes on this machine."""

import asyncio
import logging
import re
import socket
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from wordpack.cluster.security import (
    Certificates,
    check_certificates,
    is_exposed,
    scheme_of,
    security_for,
    split,
    temporary,
)
from wordpack.cluster.surroundings import private_folder
from wordpack.compiled.threads import usable_cores
from wordpack.errors import InputError
from wordpack.system.libraries import blamed, loaded, set_up
from wordpack.text.output import tell

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

LOCAL = re.compile(r"local(?::(?P<workers>[0-9]{1,4}))?")

UNINTERRUPTED = "wordpack.cluster.uninterrupted"
"""The module that local workers import before anything else."""

SCRATCH = "temporary-directory"
"""Dask's setting for the folder that holds all its files."""

TRIMMING = "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_"
"""Dask's setting that makes workers return memory at once. With it glibc maps each large array
anew, and a worker that lists packings takes half as long again."""

LOCAL_SETTINGS: dict[str, list[str] | str | None] = {
    TRIMMING: None,
    # Dask opens an HTTP port in every process; serve no page about the run there
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}
"""Dask's settings for a cluster on this machine."""

LARGE = {"distributed.admin.large-graph-warning-threshold": "1 TB"}
"""Without it Dask warns in five lines of a job over 10 MB, which each worker needs and gets once.
"""

MOST = 256
"""The most workers on one machine, each a process."""

TIMEOUT = 20.0
"""Seconds to wait for a scheduler, and again for its first worker."""


def check(address: str, security: "Certificates | Security | None" = None) -> None:
    """Raise InputError for an impossible address, before anything is started.

    Certificates that cannot be used with this address raise it too.
    """
    local = LOCAL.fullmatch(address)
    if local and local["workers"] is not None and int(local["workers"]) < 1:
        raise InputError(f"`cluster` {address}: give at least one worker")
    if local and int(local["workers"] or 1) > MOST:
        raise InputError(f"`cluster` {address}: one machine runs at most {MOST} workers")
    if local and security is not None:
        raise InputError(f"`cluster` {address} makes its own credentials: leave certificates out")
    if not local and not re.fullmatch(r"([a-z]+://)?\S+:[0-9]{1,5}/?", address):
        raise InputError(
            f"`cluster` {address}: give a scheduler's address such as tls://10.0.0.1:8786, "
            "or local:4 for four worker processes on this machine"
        )
    if isinstance(security, Certificates):
        check_certificates(address, security)


def _load_dask() -> None:
    """Import Dask; raise InputError if it is not installed."""
    missing = "`cluster` needs Dask distributed: pip install 'wordpack[dask]'"
    with loaded("Dask", missing, InputError):
        import_module("dask")
        import_module("distributed")


def _is_not_dasks(record: logging.LogRecord) -> bool:
    """Return whether a record is about anything except one of Dask's own exceptions."""
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or not kind.__module__.startswith("distributed")


@contextmanager
def connected(
    address: str, security: "Certificates | Security | None" = None
) -> Iterator["Client"]:
    """Give a client of the cluster at `address`, once it has at least one worker.

    `local` and `local:N` start workers of one thread each, one for each usable core or N, and
    stop them afterwards. A script that uses them must guard its code by `__name__ == "__main__"`,
    because every worker imports it. They have their own credentials and refuse anyone else.

    `security` is for a scheduler at tls://HOST:PORT: files, or Dask's own object; without it
    Dask's configuration is used. Raises InputError if nothing answers or Dask is missing.
    """
    check(address, security)
    _load_dask()
    import dask

    # we report what concerns the user, in one line
    for logger in [
        name for name in logging.root.manager.loggerDict if name.startswith("distributed")
    ]:
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    # Dask's Ctrl-C handler fails if the call that it interrupts has not begun yet
    logging.getLogger("tornado.application").setLevel(logging.CRITICAL)
    # asyncio logs exceptions that Dask never retrieves, such as after a lost connection
    logging.getLogger("asyncio").addFilter(_is_not_dasks)
    local = LOCAL.fullmatch(address)
    if local:
        opened = _started(int(local["workers"] or usable_cores()))
    else:
        opened = _reached(address, security)
    with opened as client, dask.config.set(LARGE):
        _await_worker(client, address)
        if not local and is_exposed(address):
            tell(
                f"wordpack: code for the workers goes to {address} without encryption, and whoever "
                "reaches that port can run code there: use tls:// (docs/cluster.md)"
            )
        yield client


@contextmanager
def _started(workers: int) -> Iterator["Client"]:
    """Start a scheduler and workers that only this process can speak to."""
    import dask
    from distributed import Client, LocalCluster

    security = temporary()
    with private_folder(dask.config.get(SCRATCH, None)) as folder:
        with set_up("Dask", kind=InputError), dask.config.set(LOCAL_SETTINGS | {SCRATCH: folder}):
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                security=security,
                protocol="tls://",
                # any free port: Dask warns if its default port is taken
                dashboard_address="127.0.0.1:0",
                # with bokeh installed the dashboard would show the run to every local user
                scheduler_kwargs={"dashboard": False},
                silence_logs=logging.CRITICAL,
                # Ctrl-C reaches every process of a terminal; only the client may stop the workers
                preload=UNINTERRUPTED,
            )
        with cluster:
            with set_up("Dask", kind=InputError):
                client = Client(cluster, name="wordpack", security=security, set_as_default=False)
            with client:
                yield client


@contextmanager
def _reached(address: str, security: "Certificates | Security | None") -> Iterator["Client"]:
    """Connect to a running scheduler."""
    from distributed import Client

    if security is None or isinstance(security, Certificates):
        security = security_for(address, security)
    try:
        # in a thread, because this one may already run an event loop
        with ThreadPoolExecutor(1) as aside:
            aside.submit(asyncio.run, _answers(address, security)).result()
        client = Client(
            address, timeout=TIMEOUT, name="wordpack", security=security, set_as_default=False
        )
    # if it is not a scheduler, Dask can raise anything, even MemoryError
    except Exception as error:
        if blamed("Dask", error):
            with set_up("Dask", kind=InputError):
                raise
        raise InputError(_refused(address, error)) from None
    with client:
        yield client


async def _answers(address: str, security: "Security") -> None:
    """Shake hands with a scheduler: a client would wait indefinitely for a silent server."""
    from distributed.comm.core import connect

    # a second longer, because Dask's own error says why it could not connect
    async with asyncio.timeout(TIMEOUT + 1):
        comm = await connect(address, timeout=TIMEOUT, **security.get_connection_args("client"))
        comm.abort()


def _refused(address: str, error: BaseException) -> str:
    """Return the message for a failed handshake."""
    said = str(error) or "it accepts connections and says nothing"
    causes = [error]
    while cause := causes[-1].__cause__ or causes[-1].__context__:
        causes.append(cause)
    if _is_closed(address):
        said = "nothing listens there"
    # Dask takes the first bytes of another protocol for a length
    if any(isinstance(cause, MemoryError) for cause in causes):
        said = "what listens there is not a Dask scheduler"
    # if an encrypted connection was closed, Dask's message names its TLS comm
    if "certificate" in said or "SSLError" in said or "<TLS" in said:
        # Dask's and OpenSSL's own messages about certificates are long
        return (
            f"the scheduler at {address} and this client do not accept each other's certificates: "
            "both must be valid today, and signed by the same authority (docs/cluster.md)"
        )
    if "convert to SSL" in said or isinstance(causes[-1], ssl.SSLError):
        said = "what listens there does not speak TLS"
    if isinstance(causes[-1], ConnectionResetError) and scheme_of(address) == "tcp":
        said = "it closes the connection: if it has certificates, give tls://"
    return (
        f"no scheduler answers at {address} ({said}): start one with `dask scheduler`, "
        "or give `cluster` local"
    )


def _is_closed(address: str) -> bool:
    """Return whether the address refuses connections: Dask's own error may hide that."""
    try:
        found = split(address)
        socket.create_connection((found.hostname, found.port), timeout=1).close()
    except ConnectionRefusedError:
        return True
    except (OSError, ValueError):  # not a host, or not a port
        return False
    return False


def _await_worker(client: "Client", address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=TIMEOUT)
    except TimeoutError:
        raise InputError(
            f"the scheduler at {address} has no workers: start some with `dask worker ADDRESS`"
        ) from None
