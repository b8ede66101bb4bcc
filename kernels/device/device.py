"""What a search asks of a device: one text compiled, buffers filled and read, launches in order.

Two hosts implement it, each the one door to its library; whatever is said here of a device must
hold for both, so that the search above them is written once.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from wordpack.errors import InputError


class OutOfDeviceMemory(Exception):  # noqa: N818  a state of the device, not an error
    """A buffer did not fit; nothing else has changed, and smaller ones may still fit."""

    def __init__(self, asked: int, free: int | None) -> None:
        super().__init__(asked, free)
        self.asked, self.free = asked, free
        """Bytes; `free` is None where the device does not say."""

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
"""What a kernel takes: a pointer, or a number as wide as its parameter."""


@dataclass(frozen=True)
class Shape:
    """How a device likes its work divided."""

    local: int
    """Work-items of a group; a multiple of 8 / span."""
    groups: int
    """Groups that keep all of the device busy."""
    span: int
    """Numbers of 64 bits that a work-item takes at once: 8 where one has wide vectors (a CPU),
    1 where neighbours read neighbouring numbers together (a GPU)."""
    memory: int
    """Bytes that one search may take of the device's memory."""
    widest: int = 1 << 22
    """Nodes of a level at a time: enough to fill the device, few enough for its caches."""


class Program(Protocol):
    """A compiled text."""

    def launch(self, kernel: str, groups: int, *arguments: Argument) -> None:
        """Start a kernel with `groups` groups of the device's `shape.local` work-items."""
        ...


class Device(Protocol):
    """One device and one queue: what is asked of it happens in the order asked.

    `launch`, `zero` and `write` need not wait for the device; `read` and `finish` wait for all
    that was asked before. Buffers are aligned to 16 bytes or more. Every method that allocates
    raises OutOfDeviceMemory where there is no room, also where the library only finds out at the
    first launch. An interrupt (Ctrl-C) during `read` or `finish` is raised once they return.
    """

    @property
    def name(self) -> str:
        """The device, for a person: 'NVIDIA H200'."""
        ...

    @property
    def described(self) -> str:
        """The device and versions of its driver and library, for a person."""
        ...

    @property
    def alone(self) -> AbstractContextManager[Any]:
        """A lock that a search holds while it runs: buffers, kernels' arguments are shared."""
        ...

    @property
    def facts(self) -> dict[str, str | int | float | None]:
        """What names it, for a stored result: name, driver, memory_bytes, and what it knows."""
        ...

    @property
    def shape(self) -> Shape:
        """How to divide the work."""
        ...

    def compile(self, text: str, defines: Mapping[str, int]) -> Program:
        """Compile the common text after the language's prelude and `#define`s of `defines`.

        The same text with the same defines is compiled once in a process.
        """
        ...

    def empty(self, nbytes: int) -> Buffer:
        """Return a buffer of `nbytes` bytes, at least 1, of unknown content."""
        ...

    def upload(self, array: npt.NDArray[Any]) -> Buffer:
        """Return a buffer with the bytes of `array`, C-contiguous and not empty."""
        ...

    def write(self, buffer: Buffer, array: npt.NDArray[Any]) -> None:
        """Copy all bytes of `array` (C-contiguous) to the start of `buffer`; it may then change."""
        ...

    def zero(self, buffer: Buffer) -> None:
        """Set all bytes of `buffer` to 0."""
        ...

    def read(self, buffer: Buffer, array: npt.NDArray[Any]) -> None:
        """Fill `array` (C-contiguous) from the start of `buffer`; wait for it."""
        ...

    def fetch(self, buffer: Buffer, shape: tuple[int, ...], dtype: type) -> npt.NDArray[Any]:
        """Return a new array filled from the start of `buffer`, in memory that is quick to fill."""
        ...

    def finish(self) -> None:
        """Wait until everything asked so far is done."""
        ...

    def free_memory(self) -> int | None:
        """Return the bytes that are free; None where the device does not say."""
        ...


@contextmanager
def room_on(device: Device) -> Iterator[None]:
    """Say in one line, an InputError, that the device has no room for what is done within."""
    try:
        yield
    except OutOfDeviceMemory as error:
        raise InputError(f"{device.name}: {error}: choose another backend") from None
