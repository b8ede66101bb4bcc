"""The workers of a cluster: their version of wordpack, and the backend each runs slices on."""

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
"""The variable that gives a worker its own GPU or none; a Dask resource named GPU does so too."""


@dataclass(frozen=True)
class Members:
    """The workers at the start of a run."""

    addresses: tuple[str, ...]
    threads: int
    """Tasks that all workers together run at once."""

    def __str__(self) -> str:
        workers = counted(len(self.addresses), "worker")
        return f"cluster, {workers}, {counted(self.threads, 'task')} at once"


def members(client: "Client") -> Members:
    """Return the workers; InputError if one lacks wordpack or has another version of it."""

    # a nested function is sent by value, so the worker needs no module of ours to run it
    def version() -> str:
        import importlib

        try:
            return str(importlib.import_module("wordpack").__version__)
        except Exception as error:
            return f"none ({error})"

    try:
        versions: dict[str, str] = client.run(version)
    except Exception as error:  # another version of Python or Dask can fail in any way
        raise InputError(
            f"the workers cannot say which wordpack they have ({type(error).__name__}: {error}): "
            "they may be gone, or have another version of Python or of Dask"
        ) from None
    others = {address: found for address, found in versions.items() if found != __version__}
    if others:
        address, found = next(iter(sorted(others.items())))
        raise InputError(refused(address, found))
    workers = client.scheduler_info(n_workers=-1)["workers"]
    # some workers may have left since they answered
    threads = max(1, sum(workers[each]["nthreads"] for each in workers))
    return Members(tuple(sorted(versions)), threads)


def refused(address: str, found: str) -> str:
    """Return the message about a worker with another version."""
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
    """Return the backend for slices in this process: the named one, or for 'auto' the best.

    The best is a GPU backend if this worker was given a usable GPU, otherwise the CPU's.
    """
    if name != "auto":
        return registry.row(name)
    for row in registry.sliceable():
        if row.start_up and not gpu:
            continue
        try:
            backend = row.load()
            backend.probe()
            # an OpenCL device may be the CPU, which our own backend uses better
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
