"""A fake `cupy.cuda` that works in this process's memory, as far as the tests need it.

A stream's work happens only when something waits for it, as on a GPU. A kernel is the function of
this file with the same name, and does what the kernel's text says.
"""

# ruff: noqa: D102, N802, N818  the names are CuPy's, which documents them

import ctypes
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np


class Fault(RuntimeError):
    """An error of CUDA's runtime or driver, with its number."""

    def __init__(self, status: int) -> None:
        super().__init__(f"error {status}")
        self.status = status


class RuntimeFault(Fault):
    """An error of the runtime."""


class DriverFault(Fault):
    """An error of the driver."""


class CompilerFault(RuntimeError):
    """An error of NVRTC."""


class OutOfMemory(MemoryError):
    """The pool is out of memory."""


def tick(groups: int, local: int, cell: int) -> None:
    """Add 1 per work-item."""
    cells(cell, 1)[0] += groups * local


def mix(groups: int, local: int, at: int, a: int, b: int, c: int) -> None:
    """Fill an array with its index and three numbers of different types."""
    n = groups * local
    cells(at, n)[:] = np.arange(n) + a + b + (c >> 40)


def cells(address: int, n: int) -> Any:
    """Return the n 32-bit numbers at an address."""
    return np.ctypeslib.as_array((ctypes.c_uint32 * n).from_address(address))


class Stream:
    """Work in order, done when something waits for it."""

    def __init__(self, *, non_blocking: bool = False) -> None:
        assert non_blocking
        self.asked: list[Callable[[], None]] = []
        self.done = 0

    def ask(self, work: Callable[[], None]) -> None:
        self.asked.append(work)

    def run(self, until: int) -> None:
        while self.done < until:
            self.asked[self.done]()
            self.done += 1

    def synchronize(self) -> None:
        self.run(len(self.asked))


class Event:
    """A place in a stream's work."""

    def record(self, stream: Stream) -> None:
        self.stream, self.place = stream, len(stream.asked)

    def synchronize(self) -> None:
        self.stream.run(self.place)


class Memory:
    """A pointer into an array of bytes."""

    def __init__(self, array: Any, pool: "Pool | None" = None) -> None:
        self.array, self.pool, self.whole = array, pool, len(array)
        self.ptr = ctypes.addressof(array)

    def __add__(self, offset: int) -> "Memory":
        more = Memory(self.array)
        more.ptr += offset
        return more

    def __del__(self) -> None:
        if self.pool:
            self.pool.used -= self.whole

    def copy_from_host_async(self, source: ctypes.c_void_p, size: int, stream: Stream) -> None:
        now = ctypes.string_at(source.value or 0, size)
        stream.ask(lambda: ctypes.memmove(self.ptr, now, size) and None)

    def copy_to_host_async(self, target: ctypes.c_void_p, size: int, stream: Stream) -> None:
        stream.ask(lambda: ctypes.memmove(target, self.ptr, size) and None)

    def memset_async(self, value: int, size: int, stream: Stream) -> None:
        stream.ask(lambda: ctypes.memset(self.ptr, value, size) and None)


class Pool:
    """Memory up to a limit."""

    def __init__(self, room: int) -> None:
        self.room, self.used = room, 0

    def malloc(self, size: int) -> Memory:
        if self.used + size > self.room:
            raise OutOfMemory(f"out of memory allocating {size}")
        self.used += size
        array = (ctypes.c_char * size)()
        ctypes.memset(array, 0xAA, size)
        return Memory(array, self)

    def free_bytes(self) -> int:
        return 0


class Module:
    """Code made by `Nvrtc`."""

    def load(self, code: bytes) -> None:
        text = code.removesuffix(b"\0").decode()
        assert text.startswith(("sm_", "compute_"))
        self.names = re.findall(r"KERNEL void (\w+)", text)

    def get_function(self, name: str) -> Callable[..., None]:
        assert name in self.names
        function: Callable[..., None] = globals()[name]

        def launch(grid: Any, block: Any, values: Any, *, stream: Stream) -> None:
            if self.fault:
                raise DriverFault(self.fault)
            numbers = [int(value) for value in values]
            assert all(isinstance(value, np.generic) for value in values)
            stream.ask(lambda: function(*grid, *block, *numbers))

        return launch

    fault = 0


class Nvrtc:
    """A compiler that accepts every text without 'nonsense' in it."""

    NVRTCError = CompilerFault

    def __init__(self) -> None:
        self.archs: tuple[int, ...] | None = (75, 80, 90)
        self.builtins = True
        self.compiled: list[str] = []

    def getSupportedArchs(self) -> tuple[int, ...]:
        if self.archs is None:
            raise RuntimeError('Failure finding "libnvrtc.so"\nand more')
        return self.archs

    def createProgram(self, source: str, _name: str, _headers: Any, _includes: Any) -> Any:
        return SimpleNamespace(source=source)

    def compileProgram(self, program: Any, options: tuple[str, ...]) -> None:
        if "nonsense" in program.source or not self.builtins:
            raise CompilerFault("NVRTC_ERROR_COMPILATION")
        program.target = options[0].partition("=")[2]
        self.compiled.append(program.target)

    def getCUBIN(self, program: Any) -> bytes:
        return f"{program.target}\n{program.source}".encode()

    def getPTX(self, program: Any) -> bytes:
        return self.getCUBIN(program) + b"\0"

    def getProgramLog(self, program: Any) -> str:
        return "nonsense is no word" if "nonsense" in program.source else ""

    def destroyProgram(self, program: Any) -> None:
        assert program.source


class Cuda:
    """The module `cupy.cuda`, with one GPU."""

    Stream, Event = Stream, Event

    def __init__(self, room: int = 1 << 26, devices: int | Fault = 1) -> None:
        self.room, self.devices = room, devices
        self.properties: dict[str, Any] = {
            "name": b"Model T", "uuid": bytes(range(1, 17)), "totalGlobalMem": room,
            "major": 8, "minor": 0, "multiProcessorCount": 3, "maxThreadsPerMultiProcessor": 2048,
        }  # fmt: skip
        self.pinned = 1 << 30
        self.nvrtc = Nvrtc()
        self.function = SimpleNamespace(Module=type("Module", (Module,), {}))
        self.memory = SimpleNamespace(OutOfMemoryError=OutOfMemory)
        self.driver = SimpleNamespace(CUDADriverError=DriverFault)
        self.driver_version = 12040
        self.pools: list[Pool] = []
        self.runtime = SimpleNamespace(
            CUDARuntimeError=RuntimeFault,
            getDeviceCount=self._count,
            deviceGetPCIBusId=lambda _device: "0000:3B:00.0",
            getDeviceProperties=lambda _device: self.properties,
            runtimeGetVersion=lambda: 12090,
            driverGetVersion=lambda: self.driver_version,
            memGetInfo=lambda: (self.room - sum(pool.used for pool in self.pools), self.room),
        )

    def _count(self) -> int:
        if isinstance(self.devices, Fault):
            raise self.devices
        return self.devices

    def MemoryPool(self) -> Pool:
        self.pools.append(Pool(self.room))
        return self.pools[-1]

    def alloc_pinned_memory(self, size: int) -> Any:
        if size > self.pinned:
            raise RuntimeFault(2)
        pinned = type("Pinned", (ctypes.c_char * size,), {"ptr": property(ctypes.addressof)})
        return pinned()

    def get_elapsed_time(self, earlier: Event, later: Event) -> float:
        return float(later.place - earlier.place)
