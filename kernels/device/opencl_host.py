"""OpenCL through pyopencl: open any OpenCL GPU, or a CPU through PoCL, or say what is missing.

This is the only module that imports pyopencl.
"""

import os
from functools import cache
from threading import Lock
from typing import Any

from wordpack.compiled import code_cache
from wordpack.errors import Unavailable
from wordpack.kernels.device.device import OutOfDeviceMemory
from wordpack.kernels.device.host import Host
from wordpack.kernels.device.opencl_device import OpenClDevice
from wordpack.kernels.device.pocl_cache import PoclCache
from wordpack.system.libraries import loaded, set_up

CHOICE = "PYOPENCL_CTX"
"""pyopencl's environment variable that selects a platform and a device, as in 0:1."""


class OpenClHost(Host):
    """The device that the user named, else the largest GPU, else the largest other one."""

    start = 1.5

    def device(self) -> OpenClDevice:
        """Return the device, tested; Unavailable says what is missing."""
        return the_device()

    def pace(self, core: float, gpu: float) -> float:
        """Return a CPU's time, divided by its cores, or a GPU's."""
        device = the_device()
        return core / device.units if device.is_cpu else gpu

    def compiled(self) -> None:
        """Seal PoCL's cache."""
        _kernels_kept().seal()

    def machine_facts(self) -> dict[str, str | None]:
        """Return the name and driver, unless it is a CPU, and the OpenCL version."""
        device = the_device()
        return {
            "gpu": None if device.is_cpu else device.name,
            "driver": None if device.is_cpu else device.driver,
            "opencl": device.version,
        }


def the_device() -> OpenClDevice:
    """Return the device that searches run on; raise Unavailable if there is none."""
    if _left:
        raise Unavailable("OpenCL does not outlive a fork: start processes with 'spawn'.")
    with _opening:
        return opened()


@cache
def opened() -> OpenClDevice:
    """Open the device, once, for `the_device`."""
    # pyopencl's cache fails if the home folder is read-only or full, or the cache is damaged
    os.environ.setdefault("PYOPENCL_NO_CACHE", "1")
    with loaded("pyopencl", "pyopencl is not installed: pip install 'wordpack[opencl]' does it."):
        import pyopencl as cl
    try:
        # PoCL looks for its cache when it first lists its devices
        with _kernels_kept().in_use():
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
    """Make a forked child explain why it has no device: PoCL's threads stay with the parent."""
    if opened.cache_info().currsize or _opening.locked():
        _left.append(os.getppid())
    opened.cache_clear()


_opening = Lock()
"""Held while the device is opened, since PoCL then reads the environment."""

_left: list[int] = []
"""The parent processes that had opened OpenCL before a fork."""

os.register_at_fork(after_in_child=_left_behind)


@cache
def _kernels_kept() -> PoclCache:
    """Return PoCL's cache of compiled kernels; other platforms manage their own."""
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
