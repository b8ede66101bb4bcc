"""An OpenCL device with as little memory as a test gives it."""

from functools import cache
from typing import Any
from weakref import WeakSet

from wordpack.kernels.device import opencl_host
from wordpack.kernels.device.device import OutOfDeviceMemory, Shape
from wordpack.kernels.device.opencl_device import OpenClBuffer, OpenClDevice

SHAPES = {"cpu": Shape(1, 16, 8, 1 << 28), "gpu": Shape(16, 4, 1, 1 << 28)}
"""One work-item per block, and eight side by side; any device can run both."""


class Narrow(OpenClDevice):
    """A device with `room` bytes for all its buffers."""

    room = 1 << 40

    def __init__(self, cl: Any, device: Any, shape: Shape) -> None:
        super().__init__(cl, device, shape)
        self._buffers: WeakSet[OpenClBuffer] = WeakSet()

    def taken(self) -> int:
        """Return the bytes of all buffers in use."""
        return sum(buffer.nbytes for buffer in self._buffers)

    def empty(self, nbytes: int) -> OpenClBuffer:
        """Refuse a buffer that does not fit."""
        if self.taken() + nbytes > self.room:
            raise OutOfDeviceMemory(nbytes, self.room - self.taken())
        buffer = super().empty(nbytes)
        self._buffers.add(buffer)
        return buffer


@cache
def opened(shape: str) -> Narrow:
    """Return the same device every time, because it keeps its compiled programs."""
    import pyopencl as cl

    return Narrow(cl, opencl_host.the_device().handle, SHAPES[shape])
