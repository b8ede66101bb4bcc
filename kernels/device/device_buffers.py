"""The memory of a device search: one buffer of nodes for all levels, and one of packings.

Both start somewhat larger than random descents predict. They grow if that was too small, up to a
share of the device's memory, and shrink if the device has no room for them.
"""

from collections.abc import Sequence

import numpy as np

from wordpack.kernels.device.device import Buffer, Device, OutOfDeviceMemory
from wordpack.kernels.device.structs import NODE, Structs
from wordpack.packing.answer import Rows

LEAST = 1 << 14
"""Least room for nodes and packings, however few are expected."""

MARGIN = 2
"""Room for this many times the expected number."""


class Frontiers:
    """Room for the nodes of levels 0, 1, ..., with the search's first nodes in place."""

    def __init__(
        self,
        device: Device,
        given: Sequence[Structs],
        expected: Sequence[float],
        widest: int | None,
    ) -> None:
        """Put the levels `given` in place and make room for `expected` nodes of each later level.

        No later level has room for more than `widest` nodes; if None, the device decides.
        """
        self._device, self._given, self._first = device, np.concatenate(given), len(given)
        # a node keeps its parent in 31 bits
        share = min(device.shape.memory // 2 // NODE.itemsize, 2**31 - 1) // max(1, len(expected))
        self._widest = widest or max(1, min(device.shape.widest, share))
        needed = [int(min(self._widest, LEAST + MARGIN * nodes)) for nodes in expected]
        self._rooms = [*map(len, given), *needed]
        self.buffer: Buffer = device.empty(1)
        """The nodes of all levels, level by level."""
        self._allocate()

    def ready(self) -> None:
        """Allocate again if Ctrl-C or a lack of memory interrupted the allocation."""
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
        """Return a level's room, in nodes."""
        return self._rooms[level]

    def start(self, level: int) -> int:
        """Return where in the buffer a level's nodes begin."""
        return sum(self._rooms[:level])

    def grow(self, level: int, nodes: int) -> bool:
        """Enlarge a level and forget all nodes; if that is impossible, return False unchanged."""
        if not self.room(level) < nodes <= self._widest:
            return False
        self._placed = False
        self._rooms[level] = min(self._widest, nodes + nodes // 8)
        # free the old buffer first: both may not fit
        self.buffer = self._device.empty(1)
        self._allocate()
        return True


class Found:
    """Room for packings."""

    def __init__(self, device: Device, picks: int, expected: float, first: int | None) -> None:
        """Make room for `first` rows of `picks` indices, or for `expected` if it is None."""
        self._device, self._row = device, 4 * picks
        # packings are counted in 32 bits
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
        """Make room for `packings` rows, at most `most`, or for as many as possible.

        Return False if there is no more room than before.
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
        """Return the first `packings` rows, at least 1: (packings, picks)."""
        return self._device.fetch(self.buffer, (packings, self._row // 4), np.int32)


def _touched(device: Device, nbytes: int) -> Buffer:
    """Return a buffer after writing to it: some devices notice only then that it does not fit."""
    buffer = device.empty(nbytes)
    device.zero(buffer)
    device.finish()
    return buffer
