"""OpenCL: the planned search level by level, on any GPU that speaks it, or on a CPU through PoCL.

The same tree as `bitset_rows`, whose planner it shares; what differs is that a device walks all
nodes of a level at once (`levels`). This is the one module that imports pyopencl.
Cost: a second or less to start, then a launch for each word of a packing.
Source: ours; one text for CUDA and OpenCL after a prelude for each is how OpenMM does it.
"""

import os
from functools import cache
from threading import Lock
from typing import Any

from wordpack.backend.base import Options, Refusal, Search
from wordpack.backend.cutting import Slices
from wordpack.compiled import code_cache
from wordpack.errors import Unavailable
from wordpack.kernels.device.device import OutOfDeviceMemory
from wordpack.kernels.device.device_search import prepared, prepared_slice, refused
from wordpack.kernels.device.opencl_device import OpenClDevice
from wordpack.kernels.device.pocl_cache import PoclCache
from wordpack.kernels.search.planner import choose, nothing_to_plan
from wordpack.kernels.search.slicing import cut_tree
from wordpack.packing.problem import Problem
from wordpack.system.libraries import loaded, set_up

START = 1.5
"""Seconds to import the library, to make a context, and to compile."""

ON_CPU, ON_GPU = 4e-8, 1e-9
"""Seconds for a node: on one core of a CPU, measured; on a whole GPU, assumed."""


def probe() -> str:
    """Return the device and versions; raise Unavailable where nothing can run."""
    return the_device().described


def accepts(problem: Problem, _options: Options) -> Refusal | None:
    """Refuse what would take hours, and more groups or words than a node can count."""
    return refused(problem)


def prepare(problem: Problem, options: Options) -> Search:
    """Plan, file the words, compile, upload, make room.

    The counters nodes_1 ... nodes_k are the partial packings of 1 ... k words.
    """
    search = prepared(problem, options, the_device)
    kernels_kept().seal()
    return search


def cut(problem: Problem, options: Options, slices: int) -> Slices:
    """Plan once, and cut the search into about `slices` slices of equal cost."""
    return cut_tree(problem, options, slices)


def prepare_slice(problem: Problem, options: Options, cut: Slices, i: int) -> Search:
    """Get ready to search slice `i` of a cut, by its plan; the levels above have counters of 0."""
    search = prepared_slice(problem, options, cut, i, the_device)
    kernels_kept().seal()
    return search


def seconds(problem: Problem, _options: Options) -> float:
    """Return about how long it takes to start and to search."""
    if nothing_to_plan(problem):
        return 0.0
    device = the_device()
    each = ON_CPU / device.units if device.is_cpu else ON_GPU
    return START + each * choose(problem).cost


def machine_facts() -> dict[str, str | None]:
    """Return the device's name where it is no processor, its driver, and its OpenCL version."""
    device = the_device()
    return {
        "gpu": None if device.is_cpu else device.name,
        "driver": None if device.is_cpu else device.driver,
        "opencl": device.version,
    }


CHOICE = "PYOPENCL_CTX"
"""pyopencl's environment variable that names a platform and a device: 0:1."""


def the_device() -> OpenClDevice:
    """Return the device that searches run on; raise Unavailable where there is none."""
    if _left:
        raise Unavailable("OpenCL does not outlive a fork: start processes with 'spawn'.")
    with _opening:
        return opened()


@cache
def opened() -> OpenClDevice:
    """Open the device, once, for `the_device`."""
    # its cache fails where the home folder is read-only, full, or has a damaged one
    os.environ.setdefault("PYOPENCL_NO_CACHE", "1")
    with loaded("pyopencl", "pyopencl is not installed: pip install 'wordpack[opencl]' does it."):
        import pyopencl as cl
    try:
        # PoCL looks for its cache when it is first asked for its devices
        with kernels_kept().in_use():
            with set_up("pyopencl"):
                chosen = _chosen(cl)
            device = OpenClDevice(cl, chosen)
    except cl.Error as error:
        said = str(error).splitlines()[0]
        raise Unavailable(f"OpenCL does not start ({said}): check the device's driver.") from error
    try:
        device.tried()
    except OutOfDeviceMemory as error:
        raise Unavailable(
            f"{device.name} has no room for 4 bytes: close what uses its memory, or choose "
            f"another device with {CHOICE}."
        ) from error
    return device


def _left_behind() -> None:
    """Let a forked child say why it has no device: PoCL's threads and drivers stay behind."""
    if opened.cache_info().currsize or _opening.locked():
        _left.append(os.getppid())
    opened.cache_clear()


_opening = Lock()
"""Held while the device is opened, for which PoCL reads the environment."""

_left: list[int] = []
"""The processes before a fork that had opened OpenCL."""

os.register_at_fork(after_in_child=_left_behind)


@cache
def kernels_kept() -> PoclCache:
    """Return where PoCL keeps what it compiles; other platforms see to that by themselves."""
    folder = code_cache.folder()
    return PoclCache(folder and folder / "pocl")


def _chosen(cl: Any) -> Any:
    """Return the device that the user named, else the largest GPU, else the largest other one."""
    try:
        platforms = cl.get_platforms()
    except cl.LogicError:
        platforms = []
    if not platforms:
        raise Unavailable(
            "No OpenCL platform was found: install your GPU's driver, or PoCL to run on the CPU "
            "(Debian and Ubuntu: apt install pocl-opencl-icd)."
        )
    devices = [device for platform in platforms for device in _devices(cl, platform)]
    if not devices:
        names = ", ".join(platform.name.strip() for platform in platforms)
        raise Unavailable(f"No OpenCL platform has a device (seen: {names}): check the driver.")
    if CHOICE in os.environ:
        try:
            return cl.choose_devices(interactive=False)[0]
        except (cl.Error, ValueError) as error:
            raise Unavailable(
                f"{CHOICE}={os.environ[CHOICE]} names no OpenCL device ({error}): unset it, or "
                "name a platform and a device by number (0:0)."
            ) from error
    is_gpu = cl.device_type.GPU
    return max(devices, key=lambda device: (device.type & is_gpu, device.max_compute_units))


def _devices(cl: Any, platform: Any) -> list[Any]:
    try:
        return list(platform.get_devices())
    except cl.Error:
        return []
