"""The device interface of a search: compile a text, fill and read buffers, launch in order.

Two hosts implement it, and each is the only module that imports its library. Whatever this file
promises must hold for both, so the search above them is written once.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from wordpack.errors import InputError


class OutOfDeviceMemory(Exception):  # noqa: N818  a state of the device, not an error
    """A buffer did not fit. Nothing else has changed, and a smaller one may still fit."""

    def __init__(self, asked: int, free: int | None) -> None:
        super().__init__(asked, free)
        self.asked, self.free = asked, free
        """Bytes; `free` is None if the device does not report it."""

    def __str__(self) -> str:
        free = "an unknown number" if self.free is None else f"{self.free:,}"
        return f"{self.asked:,} bytes of device memory were asked for and {free} are free"


class Buffer(Protocol):
    """Memory of the device, freed with its last reference; only its device looks into it."""

    @property
    def nbytes(self) -> int:
        """Its size in bytes."""
        ...


Argument = Buffer | np.int32 | np.uint32 | np.uint64
"""A kernel's argument: a buffer, or a number as wide as its parameter."""


@dataclass(frozen=True)
class Shape:
    """How to divide work for a device."""

    local: int
    """Work-items per group; a multiple of 8 / span."""
    groups: int
    """Groups that keep the whole device busy."""
    span: int
    """64-bit numbers that a work-item reads at once: 8 if it has wide vectors (a CPU), 1 if
    neighbouring work-items read neighbouring numbers together (a GPU)."""
    memory: int
    """Bytes of device memory that one search may use."""
    widest: int = 1 << 22
    """Most nodes of a level at a time: enough to fill the device, few enough for its caches."""


class Program(Protocol):
    """A compiled text."""

    def launch(self, kernel: str, groups: int, *arguments: Argument) -> None:
        """Start a kernel with `groups` groups of the device's `shape.local` work-items."""
        ...


class Device(Protocol):
    """One device with one queue, which executes requests in order.

    `launch`, `zero` and `write` need not wait for the device; `read` and `finish` wait for all
    earlier requests. Buffers are aligned to 16 bytes or more. Every method that allocates raises
    OutOfDeviceMemory if there is no room, even if the library only notices at the first launch. An
    interrupt (Ctrl-C) during `read` or `finish` is raised once they return.
    """

    @property
    def name(self) -> str:
        """The device's name for people: 'NVIDIA H200'."""
        ...

    @property
    def described(self) -> str:
        """The device and the versions of its driver and library, for people."""
        ...

    @property
    def alone(self) -> AbstractContextManager[Any]:
        """A lock that a search holds while it runs, since buffers and arguments are shared."""
        ...

    @property
    def facts(self) -> dict[str, str | int | float | None]:
        """Facts for stored results: name, driver, memory_bytes, and whatever else it knows."""
        ...

    @property
    def shape(self) -> Shape:
        """How to divide the work."""
        ...

    def compile(self, text: str, defines: Mapping[str, int]) -> Program:
        """Compile `defines` as `#define`s, the language's prelude and the common text.

        The same text with the same defines is compiled once per process.
        """
        ...

    def empty(self, nbytes: int) -> Buffer:
        """Return an uninitialized buffer of `nbytes` bytes, at least 1."""
        ...

    def upload(self, array: npt.NDArray[Any]) -> Buffer:
        """Return a buffer with the bytes of `array`, which is C-contiguous and not empty."""
        ...

    def write(self, buffer: Buffer, array: npt.NDArray[Any]) -> None:
        """Copy all bytes of `array` (C-contiguous) to the start of `buffer`; it may then change."""
        ...

    def zero(self, buffer: Buffer) -> None:
        """Set all bytes of `buffer` to 0."""
        ...

    def read(self, buffer: Buffer, array: npt.NDArray[Any]) -> None:
        """Fill `array` (C-contiguous) from the start of `buffer`, and wait for that."""
        ...

    def fetch(self, buffer: Buffer, shape: tuple[int, ...], dtype: type) -> npt.NDArray[Any]:
        """Return a new array filled from the start of `buffer`, in memory that is quick to fill."""
        ...

    def finish(self) -> None:
        """Wait until everything requested so far is done."""
        ...

    def free_memory(self) -> int | None:
        """Return the free bytes; None if the device does not report them."""
        ...


@contextmanager
def room_on(device: Device) -> Iterator[None]:
    """Turn OutOfDeviceMemory inside the block into a one-line InputError."""
    try:
        yield
    except OutOfDeviceMemory as error:
        raise InputError(f"{device.name}: {error}: choose another backend") from None
