"""The memory of a device search: a buffer of nodes shared by all levels, and one of packings.

Both begin with what random descents say that a search needs and some more, grow where that was
too little, up to a share of the device, and shrink where the device has no room for them.
"""

from collections.abc import Sequence

import numpy as np

from wordpack.kernels.device.device import Buffer, Device, OutOfDeviceMemory
from wordpack.kernels.device.structs import NODE, Structs
from wordpack.packing.answer import Rows

LEAST = 1 << 14
"""Nodes and packings that there is room for, however few are expected."""

MARGIN = 2
"""Room for so many times what is expected."""


class Frontiers:
    """Room for the nodes of levels 0, 1, ..., those that a search begins with in place."""

    def __init__(
        self,
        device: Device,
        given: Sequence[Structs],
        expected: Sequence[float],
        widest: int | None,
    ) -> None:
        """Put the levels `given` into place, and make room for about `expected` nodes of the next.

        None of these has more than `widest` nodes; None leaves the number to the device.
        """
        self._device, self._given, self._first = device, np.concatenate(given), len(given)
        # a node's parent stands in 31 bits
        share = min(device.shape.memory // 2 // NODE.itemsize, 2**31 - 1) // max(1, len(expected))
        self._widest = widest or max(1, min(device.shape.widest, share))
        needed = [int(min(self._widest, LEAST + MARGIN * nodes)) for nodes in expected]
        self._rooms = [*map(len, given), *needed]
        self.buffer: Buffer = device.empty(1)
        """The nodes of all levels, level by level."""
        self._allocate()

    def ready(self) -> None:
        """Make room once more where making it was broken off, by Ctrl-C or for want of memory."""
        if not self._placed:
            self._allocate()

    def _allocate(self) -> None:
        self._placed = False
        while True:
            try:
                self.buffer = _touched(self._device, sum(self._rooms) * NODE.itemsize)
            except OutOfDeviceMemory:
                most = max(self._rooms[self._first :], default=1)
                if most == 1:
                    raise
                self._widest = most // 2
                wide = self._rooms[self._first :]
                self._rooms[self._first :] = [min(room, self._widest) for room in wide]
            else:
                self._device.write(self.buffer, self._given)
                self._placed = True
                return

    def room(self, level: int) -> int:
        """Return how many nodes of a level there is room for."""
        return self._rooms[level]

    def start(self, level: int) -> int:
        """Return where in the buffer a level's nodes begin."""
        return sum(self._rooms[:level])

    def grow(self, level: int, nodes: int) -> bool:
        """Make more room for a level and forget all nodes; False, and nothing, where it cannot."""
        if not self.room(level) < nodes <= self._widest:
            return False
        self._placed = False
        self._rooms[level] = min(self._widest, nodes + nodes // 8)
        # what there was is freed first: both may not fit
        self.buffer = self._device.empty(1)
        self._allocate()
        return True


class Found:
    """Room for packings."""

    def __init__(self, device: Device, picks: int, expected: float, first: int | None) -> None:
        """Make room for `first` rows of `picks` indices, or for `expected` if it is None."""
        self._device, self._row = device, 4 * picks
        # their number stands in 32 bits
        self._most = max(1, min(device.shape.memory // 2 // self._row, 2**31 - 1))
        self.room = min(self._most, first or int(min(self._most, LEAST + MARGIN * expected)))
        while True:
            try:
                self.buffer: Buffer = _touched(device, self.room * self._row)
            except OutOfDeviceMemory:
                if self.room == 1:
                    raise
                self.room = self._most = self.room // 2
            else:
                return

    def grow(self, packings: int, most: int | None) -> bool:
        """Make room for so many packings, `most` at most, or as many as can be.

        False where there is no more room than before.
        """
        room = min(packings + packings // 8, self._most, most or self._most)
        if room <= self.room:
            return False
        try:
            buffer = _touched(self._device, room * self._row)
        except OutOfDeviceMemory:
            self._most = self.room
            return False
        self.buffer, self.room = buffer, room
        return True

    def read(self, packings: int) -> Rows:
        """Return the first so many of them, at least 1: (packings, picks)."""
        return self._device.fetch(self.buffer, (packings, self._row // 4), np.int32)


def _touched(device: Device, nbytes: int) -> Buffer:
    """Return a buffer that was written to: some devices find out only then that it does not fit."""
    buffer = device.empty(nbytes)
    device.zero(buffer)
    device.finish()
    return buffer
