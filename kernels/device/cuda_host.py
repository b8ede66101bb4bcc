"""CUDA through CuPy: start and test the first visible GPU, or say what is missing.

CUDA_VISIBLE_DEVICES chooses another GPU. This is the only module that imports cupy.
Source: error numbers from NVIDIA's CUDA runtime reference.
"""

import os
from functools import cache
from typing import Any

import numpy as np

from wordpack.errors import Unavailable
from wordpack.kernels.device.cuda_device import LOCAL, CudaDevice, dotted
from wordpack.kernels.device.device import OutOfDeviceMemory
from wordpack.kernels.device.host import Host
from wordpack.system.libraries import loaded, set_up

OLDEST = 75
"""The lowest compute capability, times ten: CUDA 13 dropped older ones."""

MISSING = (
    "CuPy cannot be imported (it is not installed): pip install 'wordpack[cuda12]', or "
    "'wordpack[cuda13]' if the driver is for CUDA 13."
)

NO_DRIVER, NO_DEVICE = 35, 100
"""CUDA's error numbers."""


class CudaHost(Host):
    """The first CUDA GPU."""

    start = 1.0  # assumed: no GPU was available

    def device(self) -> CudaDevice:
        """Return the GPU, started and tested; Unavailable says what is missing."""
        return the_device()

    def pace(self, _core: float, gpu: float) -> float:
        """Return the GPU's time."""
        return gpu


@cache
def the_device() -> CudaDevice:
    """Return the GPU, started and tested; Unavailable says what is missing."""
    with loaded("CuPy", MISSING):
        import cupy
    with set_up("CuPy"):
        cuda = cupy.cuda
        name = _checked(cuda.runtime)
    trial = np.zeros(1, np.uint32)
    try:
        found = CudaDevice(cuda, cupy.__version__)
        cell = found.upload(trial)
        text = "KERNEL void tick(GLOBAL uint *cell) { RESERVE(cell, 1); }"
        found.compile(text, {}).launch("tick", 1, cell)
        found.read(cell, trial)
    except (cuda.memory.OutOfMemoryError, OutOfDeviceMemory) as error:
        raise Unavailable(f"{name} has no memory for a trial ({error}): free some.") from None
    except (cuda.runtime.CUDARuntimeError, cuda.driver.CUDADriverError) as error:
        raise Unavailable(f"{name} fails a trial: {error}.") from None
    except RuntimeError as error:  # the compiler's: its builtins or its headers are missing
        said = " ".join(str(error).split())[:200]
        raise Unavailable(
            f"NVRTC does not compile for {name} ({said}): reinstall CuPy, "
            "pip install 'wordpack[cuda12]' or 'wordpack[cuda13]'."
        ) from None
    if trial[0] != LOCAL:
        raise Unavailable(f"{name} failed its self-test: expected {LOCAL}, got {trial[0]}.")
    return found


def _checked(runtime: Any) -> str:
    """Return the GPU's name; raise Unavailable without a driver or GPU, or if it is too old."""
    try:
        if not runtime.getDeviceCount():
            raise Unavailable(_without_device())
        properties = runtime.getDeviceProperties(0)
    except runtime.CUDARuntimeError as error:
        raise Unavailable(_without_driver(runtime, error)) from None
    name, has = properties["name"].decode(), 10 * properties["major"] + properties["minor"]
    if has < OLDEST:
        raise Unavailable(
            f"{name} has compute capability {has / 10}, and {OLDEST / 10} is the oldest that "
            "this backend takes: use the backend opencl."
        )
    return str(name)


def _without_device() -> str:
    return "no NVIDIA GPU is visible: see nvidia-smi, and CUDA_VISIBLE_DEVICES, which hides them."


def _without_driver(runtime: Any, error: Any) -> str:
    if error.status == NO_DEVICE:
        return _without_device()
    if error.status != NO_DRIVER:
        return f"CUDA cannot start: {error}."
    has, needs = runtime.driverGetVersion(), dotted(runtime.runtimeGetVersion())
    if not has:
        return "no NVIDIA driver was found: install it, or use the backend opencl."
    return (
        f"the NVIDIA driver is for CUDA {dotted(has)}, and CuPy for CUDA {needs}: update the "
        "driver, or pip install 'wordpack[cuda12]'."
    )


# CUDA does not outlive a fork
os.register_at_fork(after_in_child=the_device.cache_clear)
