"""Reach a Dask cluster: a scheduler that runs already, or worker processes of this machine."""

import asyncio
import logging
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wordpack.cluster.surroundings import private_folder
from wordpack.errors import InputError
from wordpack.hardware import usable_cores
from wordpack.libraries import blamed, loaded, set_up

if TYPE_CHECKING:
    from distributed import Client

LOCAL = re.compile(r"local(?::(?P<workers>[0-9]{1,4}))?")

UNINTERRUPTED = "wordpack.cluster.uninterrupted"
"""The module that local workers import first."""

SCRATCH = "temporary-directory"
"""Dask's setting for the folder of all its files."""

TRIMMING = "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_"
"""By which Dask lets workers give back memory at once. With it glibc maps each large array anew,
and a worker that lists packings takes half as long again."""

LARGE = {"distributed.admin.large-graph-warning-threshold": "1 TB"}
"""Dask warns in five lines of a job of over 10 MB, which each worker needs, and gets once."""

MOST = 256
"""Workers of one machine, each a process."""

TIMEOUT = 20.0
"""Seconds to wait for a scheduler, and for its first worker."""


def check(address: str) -> None:
    """Raise InputError for what can be no address, before anything is begun."""
    local = LOCAL.fullmatch(address)
    if local and local["workers"] is not None and int(local["workers"]) < 1:
        raise InputError(f"--cluster {address}: there must be one worker at least")
    if local and int(local["workers"] or 1) > MOST:
        raise InputError(f"--cluster {address}: one machine has {MOST} workers at most")
    if not local and not re.fullmatch(r"([a-z]+://)?\S+:[0-9]{1,5}/?", address):
        raise InputError(
            f"--cluster {address}: give a scheduler's address such as tcp://10.0.0.1:8786, "
            "or local:4 for four worker processes on this machine"
        )


@contextmanager
def connected(address: str) -> Iterator["Client"]:
    """Give a client of the cluster at `address`, which has a worker at least.

    `local` and `local:N` start workers of one thread each, one for each usable core or N, and
    stop them afterwards; a script that asks for them must begin under `__name__ == "__main__"`,
    since each imports it. Raises InputError where nothing answers, Unavailable without Dask.
    """
    check(address)
    with loaded("dask", "--cluster needs Dask distributed: pip install 'wordpack[dask]'"):
        import dask
        from distributed import Client, LocalCluster
    # what concerns a user is said in one line, by us
    for logger in [
        name for name in logging.root.manager.loggerDict if name.startswith("distributed")
    ]:
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    local = LOCAL.fullmatch(address)
    if local is None:
        try:
            # in a thread, since this one may have an event loop at work
            with ThreadPoolExecutor(1) as aside:
                aside.submit(asyncio.run, _answers(address)).result()
            client = Client(address, timeout=TIMEOUT, name="wordpack", set_as_default=False)
        # what is no scheduler makes Dask raise anything, of memory too
        except Exception as error:
            if blamed("dask", str(error)):
                with set_up("dask"):
                    raise
            said = str(error) or "it accepts connections and says nothing"
            raise InputError(
                f"no scheduler answers at {address} ({said}): start one with `dask scheduler`, "
                "or give --cluster local"
            ) from None
        with client, dask.config.set(LARGE):
            _await_worker(client, address)
            yield client
        return
    with private_folder(dask.config.get(SCRATCH, None)) as folder:
        with set_up("dask"), dask.config.set({TRIMMING: None, SCRATCH: folder}):
            cluster = LocalCluster(
                n_workers=int(local["workers"] or usable_cores()),
                threads_per_worker=1,
                # any free port: that of its own choice may be taken, of which it warns
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
                # Ctrl-C reaches all processes of a terminal; the client's stops the workers
                preload=UNINTERRUPTED,
            )
        with cluster:
            with set_up("dask"):
                client = Client(cluster, name="wordpack", set_as_default=False)
            with client, dask.config.set(LARGE):
                _await_worker(client, address)
                yield client


async def _answers(address: str) -> None:
    """Shake hands with a scheduler; a client would wait for ever for what never says anything."""
    from distributed.comm.core import connect
    from distributed.security import Security

    async with asyncio.timeout(TIMEOUT):
        comm = await connect(address, timeout=TIMEOUT, **Security().get_connection_args("client"))
        comm.abort()


def _await_worker(client: "Client", address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=TIMEOUT)
    except TimeoutError:
        raise InputError(
            f"the scheduler at {address} has no workers: start some with `dask worker ADDRESS`"
        ) from None
