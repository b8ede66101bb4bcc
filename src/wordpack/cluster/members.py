"""The workers of a cluster: whether they have this version, and what each runs slices on."""

import os
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from wordpack import __version__
from wordpack.backend import registry
from wordpack.backend.row import Row
from wordpack.errors import InputError, Unavailable
from wordpack.text.formatting import counted

if TYPE_CHECKING:
    from distributed import Client

VISIBLE, NONE = "CUDA_VISIBLE_DEVICES", ("", "-1", "NoDevFiles")
"""By which a worker is given a GPU of its own, or none; a Dask resource called GPU says so too."""


@dataclass(frozen=True)
class Members:
    """The workers that a run began with."""

    addresses: tuple[str, ...]
    threads: int
    """Tasks that they run at once, together."""

    def __str__(self) -> str:
        workers = counted(len(self.addresses), "worker")
        return f"cluster, {workers}, {counted(self.threads, 'task')} at once"


def members(client: "Client") -> Members:
    """Return the workers; InputError where one has another version of this package, or none."""

    # a function inside another one is sent as it is, so that it needs no module there
    def version() -> str:
        import importlib

        try:
            return str(importlib.import_module("wordpack").__version__)
        except Exception as error:
            return f"none ({error})"

    try:
        versions: dict[str, str] = client.run(version)
    except Exception as error:  # whatever another Python or Dask makes of a function of ours
        raise InputError(
            f"the workers cannot say which wordpack they have ({type(error).__name__}: {error}): "
            "they may be gone, or have another version of Python or of Dask"
        ) from None
    others = {address: found for address, found in versions.items() if found != __version__}
    if others:
        address, found = next(iter(sorted(others.items())))
        raise InputError(refused(address, found))
    workers = client.scheduler_info(n_workers=-1)["workers"]
    # those that were asked may have left since
    threads = max(1, sum(workers[each]["nthreads"] for each in workers))
    return Members(tuple(sorted(versions)), threads)


def refused(address: str, found: str) -> str:
    """Return what is said of a worker with another version."""
    return (
        f"the worker {address} has wordpack {found}, and this is {__version__}: "
        "install the same version there"
    )


def has_gpu() -> bool:
    """Return whether this process is a worker that was given a GPU."""
    from distributed import get_worker

    resources: dict[str, Any] = get_worker().state.total_resources
    return os.environ.get(VISIBLE, "") not in NONE or bool(resources.get("GPU"))


@cache
def row_here(name: str, *, gpu: bool) -> Row:
    """Return the backend for slices in this process: the one named, or for 'auto' the best.

    That is a GPU's where this worker was given one and it can be used, else the processor's.
    """
    if name != "auto":
        return registry.row(name)
    for row in registry.sliceable():
        if row.start_up and not gpu:
            continue
        try:
            backend = row.load()
            backend.probe()
            # an OpenCL device may be the processor, where ours is quicker
            facts = backend.machine_facts()
            if facts is not None and facts["gpu"] is None:
                continue
        except Unavailable:
            continue
        return row
    raise Unavailable("no backend that takes slices can run on this worker")


def said(used: Counter[str]) -> str:
    """Return which backends ran how many slices: 'bitset_rows 120, cuda 15'."""
    return ", ".join(f"{name} {many:,}" for name, many in sorted(used.items()))
