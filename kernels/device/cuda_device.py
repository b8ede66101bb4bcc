"""The first visible CUDA GPU, through CuPy: one stream, a memory pool, cached machine code.

Small results are copied through one shared pinned buffer. Large ones stay in pinned memory of their
own, because a second copy would take longer than the copy from the device.
`cuda` is CuPy's module of that name, started by `cuda_host`.
Source: the reference of CuPy's low-level interface.
"""

import ctypes
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import prod
from threading import RLock
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt

from wordpack.kernels.device import cuda_code
from wordpack.kernels.device.device import Argument, Buffer, OutOfDeviceMemory, Shape

LOCAL = 128
"""Work-items of a group: four warps, so that a group with little work soon makes room."""

SMALL = 1 << 17
"""Results of up to this many bytes share one pinned buffer."""

UUID_BYTES = 16

NO_MEMORY = 2
"""CUDA's error number for out of memory."""


@dataclass(frozen=True)
class CudaBuffer:
    """Memory of the pool."""

    memory: Any
    nbytes: int


class CudaProgram:
    """Machine code, loaded."""

    def __init__(self, device: "CudaDevice", code: bytes) -> None:
        self._device = device
        self._module = device.cuda.function.Module()
        self._module.load(code)
        self._kernels: dict[str, Any] = {}

    def launch(self, kernel: str, groups: int, *arguments: Argument) -> None:
        """Start a kernel, as `device.Program` says."""
        if kernel not in self._kernels:
            self._kernels[kernel] = self._module.get_function(kernel)
        values = tuple(
            np.uint64(each.memory.ptr) if isinstance(each, CudaBuffer) else each
            for each in arguments
        )
        device = self._device
        try:
            self._kernels[kernel]((groups,), (device.shape.local,), values, stream=device.stream)
        except device.faults as error:
            if error.status != NO_MEMORY:
                raise
            # the kernel needs more than its buffers, and CUDA does not say how much
            raise OutOfDeviceMemory(0, device.free_memory()) from None


class CudaDevice:
    """The GPU, as `device.Device` says."""

    def __init__(self, cuda: Any, release: str) -> None:
        """Start the GPU with CuPy's module `cuda`; takes a few tenths of a second."""
        self.cuda, self._release = cuda, release
        self.faults = cuda.runtime.CUDARuntimeError, cuda.driver.CUDADriverError
        self._properties = cuda.runtime.getDeviceProperties(0)
        self.stream = cuda.Stream(non_blocking=True)
        self._pool = cuda.MemoryPool()
        self._programs: dict[str, CudaProgram] = {}
        self.alone = RLock()
        self._pinned = cuda.alloc_pinned_memory(SMALL)
        self._small = np.frombuffer(self._pinned, np.uint8, SMALL)
        resident = self._properties["maxThreadsPerMultiProcessor"] // LOCAL
        groups = self._properties["multiProcessorCount"] * resident
        self.shape = Shape(LOCAL, groups, 1, self.free_memory() // 2)

    @property
    def name(self) -> str:
        """The GPU's model."""
        return str(self._properties["name"].decode())

    @property
    def described(self) -> str:
        """The GPU, CuPy and CUDA, with versions."""
        runtime = dotted(self.cuda.runtime.runtimeGetVersion())
        of_gpu = f"{self.name}, compute capability {self.architecture / 10}"
        return f"CuPy {self._release}, CUDA {runtime}, {of_gpu}"

    @property
    def architecture(self) -> int:
        """The compute capability, times ten."""
        return int(10 * self._properties["major"] + self._properties["minor"])

    @property
    def facts(self) -> dict[str, str | int | float | None]:
        """Facts that identify the GPU, with the UUID and PCI bus id that NVML knows it by."""
        # CuPy truncates the UUID at a byte of 0
        given = bytes(self._properties["uuid"])
        uuid = f"GPU-{UUID(bytes=given)}" if len(given) == UUID_BYTES else None
        return {
            "name": self.name,
            "uuid": uuid,
            "pci_bus_id": self.cuda.runtime.deviceGetPCIBusId(0),
            "memory_bytes": int(self._properties["totalGlobalMem"]),
            "compute_capability": str(self.architecture / 10),
            "driver": None,
            "cuda": dotted(self.cuda.runtime.runtimeGetVersion()),
            "cuda_of_driver": dotted(self.cuda.runtime.driverGetVersion()),
        }

    def compile(self, text: str, defines: Mapping[str, int]) -> CudaProgram:
        """Compile the text and load it."""
        source = cuda_code.whole(text, defines)
        if source not in self._programs:
            release = self.cuda.runtime.runtimeGetVersion()
            code = cuda_code.kept(self.cuda.nvrtc, source, self.architecture, release)
            self._programs[source] = CudaProgram(self, code)
        return self._programs[source]

    def empty(self, nbytes: int) -> CudaBuffer:
        """Return memory from the pool, which frees its unused blocks before it refuses."""
        try:
            return CudaBuffer(self._pool.malloc(nbytes), nbytes)
        except self.cuda.memory.OutOfMemoryError:
            raise OutOfDeviceMemory(nbytes, self.free_memory()) from None

    def upload(self, array: npt.NDArray[Any]) -> CudaBuffer:
        """Return a copy of `array`."""
        buffer = self.empty(array.nbytes)
        self.write(buffer, array)
        return buffer

    def write(self, buffer: Buffer, array: npt.NDArray[Any]) -> None:
        """Copy to the device; CUDA has read all pageable memory when the call returns."""
        source = ctypes.c_void_p(array.ctypes.data)
        _memory(buffer).copy_from_host_async(source, array.nbytes, self.stream)

    def zero(self, buffer: Buffer) -> None:
        """Set all bytes to 0."""
        _memory(buffer).memset_async(0, buffer.nbytes, self.stream)

    def read(self, buffer: Buffer, array: npt.NDArray[Any]) -> None:
        """Copy from the device, piece by piece through pinned memory, and wait."""
        target = array.reshape(-1).view(np.uint8)
        for first in range(0, len(target), SMALL):
            piece = target[first : first + SMALL]
            self._copy(_memory(buffer) + first, self._pinned, len(piece))
            piece[:] = self._small[: len(piece)]

    def fetch(self, buffer: Buffer, shape: tuple[int, ...], dtype: type) -> npt.NDArray[Any]:
        """Return a new array; a large one's pinned memory is freed with the array."""
        numbers = prod(shape)
        nbytes = numbers * np.dtype(dtype).itemsize
        if nbytes > SMALL:
            # fall back to ordinary memory if the system has no more pinned memory
            with suppress(*self.faults):
                pinned = self.cuda.alloc_pinned_memory(nbytes)
                self._copy(_memory(buffer), pinned, nbytes)
                return np.frombuffer(pinned, dtype, numbers).reshape(shape)
        array: npt.NDArray[Any] = np.empty(shape, dtype)
        self.read(buffer, array)
        return array

    def _copy(self, memory: Any, pinned: Any, nbytes: int) -> None:
        memory.copy_to_host_async(ctypes.c_void_p(pinned.ptr), nbytes, self.stream)
        self.stream.synchronize()

    def finish(self) -> None:
        """Wait for the stream."""
        self.stream.synchronize()

    def free_memory(self) -> int:
        """Return the bytes free in the driver plus those unused in the pool."""
        return int(self.cuda.runtime.memGetInfo()[0]) + int(self._pool.free_bytes())

    def mark(self) -> Any:
        """Return an event that completes when everything requested so far is done."""
        event = self.cuda.Event()
        event.record(self.stream)
        return event

    def seconds_between(self, earlier: Any, later: Any) -> float:
        """Wait for the later mark; return the seconds between both by the device's clock."""
        later.synchronize()
        return float(self.cuda.get_elapsed_time(earlier, later)) / 1000


def _memory(buffer: Buffer) -> Any:
    assert isinstance(buffer, CudaBuffer)  # noqa: S101  only its device looks into it
    return buffer.memory


def dotted(version: int) -> str:
    """Return CUDA's 12040 as 12.4."""
    return f"{version // 1000}.{version % 1000 // 10}"
