"""A device of OpenCL 1.2 or later that runs the common text: its context, queue and buffers.

Throughout, `cl` is pyopencl; `opencl_host` imports it and chooses the device.
Source: the OpenCL 1.2 specification.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files as resources
from threading import RLock
from typing import Any, cast
from uuid import UUID

import numpy as np
import numpy.typing as npt

from wordpack.errors import Unavailable
from wordpack.kernels.device.device import Argument, Buffer, OutOfDeviceMemory, Shape

TRIAL = "KERNEL void tick(GLOBAL uint *cell) { RESERVE(cell, 1); }"


class OpenClBuffer:
    """A buffer in the device's context."""

    def __init__(self, memory: Any, nbytes: int) -> None:
        self.memory, self.nbytes = memory, nbytes


class OpenClProgram:
    """A built program; kernels are created once, since each costs a look-up."""

    def __init__(self, device: "OpenClDevice", program: Any) -> None:
        self._device = device
        self._kernels = {kernel.function_name: kernel for kernel in program.all_kernels()}

    def launch(self, kernel: str, groups: int, *arguments: Argument) -> None:
        """Start a kernel."""
        plain = [each.memory if isinstance(each, OpenClBuffer) else each for each in arguments]
        local = self._device.shape.local
        with self._device.memory_for(0):
            self._kernels[kernel](self._device.queue, (groups * local,), (local,), *plain)


class OpenClDevice:
    """One device of OpenCL 1.2 or later, its context and its queue."""

    def __init__(self, cl: Any, device: Any, shape: Shape | None = None) -> None:
        """Open a device; `shape` replaces its default shape."""
        self._cl, self.handle = cl, device
        self.name = " ".join(device.name.split())
        version = " ".join(device.version.split())
        self.described = f"pyopencl {cl.VERSION_TEXT}, {self.name}, {version}"
        # the standard prescribes "OpenCL 3.0" and whatever the vendor adds
        self.version: str = version.split()[1]
        self.driver: str = " ".join(device.driver_version.split())
        self.units: int = device.max_compute_units
        self.is_cpu = bool(device.type & cl.device_type.CPU)
        self._largest: int = device.max_mem_alloc_size
        memory = min(device.global_mem_size // 4, self._largest)
        local = min(64, device.max_work_group_size // 8 * 8)
        gpu = Shape(local, self.units * 16, 1, memory)
        cpu = Shape(1, self.units * 64, 8, memory, widest=1 << 19)
        self.shape = shape or (cpu if self.is_cpu else gpu)
        self._context = cl.Context([device])
        profiling = cl.command_queue_properties.PROFILING_ENABLE
        self.queue = cl.CommandQueue(self._context, properties=profiling)
        self._programs: dict[str, OpenClProgram] = {}
        self.alone = RLock()

    @property
    def facts(self) -> dict[str, str | int | float | None]:
        """Facts that identify the device, with its UUID if an NVIDIA driver reports it."""
        device = self.handle
        try:
            uuid = UUID(bytes=bytes(device.uuid_khr))
        except (AttributeError, ValueError, self._cl.Error):
            uuid = None  # no extension cl_khr_device_uuid
        return {
            "name": self.name,
            "uuid": None if uuid is None else f"GPU-{uuid}",
            "memory_bytes": int(device.global_mem_size),
            "driver": device.driver_version,
            "opencl_version": " ".join(device.version.split()),
            "compute_units": self.units,
            "clock_mhz": int(device.max_clock_frequency),
        }

    def compile(self, text: str, defines: Mapping[str, int]) -> OpenClProgram:
        """Compile the text, or return its program if it is already compiled."""
        prelude = resources("wordpack.kernels.device") / "opencl_prelude.cl"
        head = "".join(f"#define {name} {value}\n" for name, value in defines.items())
        whole = head + prelude.read_text(encoding="utf-8") + text
        if whole not in self._programs:
            # drivers have their own caches, and pyopencl's cache fails if its files are damaged
            built = self._cl.Program(self._context, whole).build(cache_dir=False)
            self._programs[whole] = OpenClProgram(self, built)
        return self._programs[whole]

    def tried(self) -> None:
        """Compile, launch and read a small kernel; raise Unavailable if that fails."""
        trial = np.zeros(1, np.uint32)
        try:
            cell = self.upload(trial)
            self.compile(TRIAL, {}).launch("tick", 1, cell)
            self.read(cell, trial)
        except self._cl.Error as error:
            said = " ".join(str(error).split())[:200]
            raise Unavailable(f"{self.name} fails a trial ({said}): check its driver.") from error
        if trial[0] != self.shape.local:
            raise Unavailable(
                f"{self.name} failed its self-test: expected {self.shape.local}, got {trial[0]}."
            )

    def empty(self, nbytes: int) -> OpenClBuffer:
        """Return a buffer of `nbytes` bytes."""
        if nbytes > self._largest:
            raise OutOfDeviceMemory(nbytes, self.free_memory())
        with self.memory_for(nbytes):
            flags = self._cl.mem_flags.READ_WRITE
            return OpenClBuffer(self._cl.Buffer(self._context, flags, nbytes), nbytes)

    def upload(self, array: npt.NDArray[Any]) -> OpenClBuffer:
        """Return a buffer with the bytes of `array`."""
        buffer = self.empty(array.nbytes)
        self.write(buffer, array)
        return buffer

    def write(self, buffer: Buffer, array: npt.NDArray[Any]) -> None:
        """Copy `array` to the start of `buffer`."""
        with self.memory_for(buffer.nbytes):
            self._cl.enqueue_copy(self.queue, _memory(buffer), array, is_blocking=True)

    def zero(self, buffer: Buffer) -> None:
        """Set all bytes of `buffer` to 0."""
        with self.memory_for(buffer.nbytes):
            nothing = np.zeros(1, np.uint8)
            self._cl.enqueue_fill_buffer(self.queue, _memory(buffer), nothing, 0, buffer.nbytes)

    def read(self, buffer: Buffer, array: npt.NDArray[Any]) -> None:
        """Fill `array` from the start of `buffer`."""
        with self.memory_for(buffer.nbytes):
            self._cl.enqueue_copy(self.queue, array, _memory(buffer), is_blocking=True)

    def fetch(self, buffer: Buffer, shape: tuple[int, ...], dtype: type) -> npt.NDArray[Any]:
        """Return a new array filled from the start of `buffer`."""
        array: npt.NDArray[Any] = np.empty(shape, dtype)
        self.read(buffer, array)
        return array

    def finish(self) -> None:
        """Wait for the queue."""
        with self.memory_for(0):
            self.queue.finish()

    def free_memory(self) -> int | None:
        """Return None: OpenCL does not report free memory."""
        return None

    def mark(self) -> Any:
        """Return an event that completes when everything requested so far is done."""
        with self.memory_for(0):
            return self._cl.enqueue_marker(self.queue)

    def seconds_between(self, earlier: Any, later: Any) -> float:
        """Wait for the later mark; return the seconds between both by the device's clock."""
        later.wait()
        return float(later.profile.end - earlier.profile.end) / 1e9

    @contextmanager
    def memory_for(self, nbytes: int) -> Iterator[None]:
        """Turn OpenCL's memory errors into OutOfDeviceMemory for `nbytes`."""
        status = self._cl.status_code
        try:
            yield
        except self._cl.Error as error:
            if error.code in {
                status.MEM_OBJECT_ALLOCATION_FAILURE,
                status.OUT_OF_RESOURCES,
                status.OUT_OF_HOST_MEMORY,
                status.INVALID_BUFFER_SIZE,
            }:
                raise OutOfDeviceMemory(nbytes, self.free_memory()) from error
            raise


def _memory(buffer: Buffer) -> Any:
    return cast("OpenClBuffer", buffer).memory
