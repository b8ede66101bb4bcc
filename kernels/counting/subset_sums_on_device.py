"""Subset sums on a device: work-groups share the blocks of sets and sum exactly.

The derivation is in `subset_sums`; only the end differs. Powers of z come from a table, and sums
have enough 64-bit limbs for k! times the packings, which is at most the number of words to the
power k. Arithmetic wraps and negative terms are complements, so only the final sum has to fit.
Cost: 2^L sets. Memory: a power of z per word, as wide as a sum, and one sum per work-item.
"""

from importlib.resources import files
from math import factorial

import numpy as np
import numpy.typing as npt

from wordpack.backend.base import Backend, Options, Refusal, Search
from wordpack.kernels.counting.letter_sets import LOW, Sets, letters, refusal
from wordpack.kernels.device.device import Buffer, Device, room_on
from wordpack.kernels.device.on_device import HostedBackend, OnDevice
from wordpack.packing.answer import Counts
from wordpack.packing.problem import Problem

BLOCKS = 1 << 14
"""Blocks per launch, 2^26 sets: a second or two on two cores, so that Ctrl-C is noticed."""

CORE, GPU = 6e-8, 1e-11
"""Seconds per set: measured on one CPU core through PoCL, assumed for a whole GPU."""

HALF = np.uint64(32)


class SubsetSumsOnDevice(HostedBackend, Backend):
    """Inclusion-exclusion over sets of letters, on a device."""

    def accepts(self, problem: Problem, options: Options) -> Refusal | None:
        """Refuse what cannot be summed, as `letter_sets` says."""
        return refusal(problem, options)

    def prepare(self, problem: Problem, _options: Options) -> "DeviceSums":
        """Place words, compile, upload. The counter `iterations` is the sets summed."""
        search = DeviceSums(problem, self._host.device())
        self._host.compiled()
        return search

    def seconds(self, problem: Problem, _options: Options) -> float:
        """Estimate the time to start and to sum, in seconds."""
        sets = 2.0 ** len(letters(problem.groups[0]))
        return self._host.start + self._host.pace(CORE, GPU) * sets


class DeviceSums(OnDevice, Search):
    """A prepared sum over all sets of letters. The counter `iterations` is the sets summed."""

    def __init__(self, problem: Problem, device: Device) -> None:
        """Place words, compile, upload; raise InputError if the device lacks memory."""
        super().__init__(device)
        group = problem.groups[0]
        self._k = group.count
        self._sets = sets = Sets(group)
        tables = [np.ones(len(group.masks), np.uint32)]
        if (group.weights > 1).any():
            tables.append(group.weights.astype(np.uint32))
        most = int(group.weights.sum())
        limbs = max(1, -(-(most**self._k).bit_length() // 64))
        text = (files("wordpack.kernels.counting") / "subset_sums.c").read_text(encoding="utf-8")
        coefficients = [abs(sets.coefficient(n)) for n in range(sets.letters + 1)]
        groups = min(device.shape.groups, BLOCKS, max(1, sets.blocks))
        with room_on(device):
            self._program = device.compile(text, {"LIMBS": limbs})
            self._words = (
                device.upload(sets.heads.astype(np.uint32)),
                device.upload(sets.tails.astype(np.uint32)),
            )
            self._values = [device.upload(table) for table in tables]
            self._powers = device.upload(_powers(most, self._k, limbs))
            self._coefficients = device.upload(np.array(coefficients, np.uint64))
            self._scratch = device.empty(groups * device.shape.local * limbs * 8)
            self._sums = device.empty(groups * limbs * 8)
            self._fitting = device.empty(4)
        self._numbers = len(group.masks)
        self._found = np.zeros((groups, limbs), np.uint64)
        self._begun = 0
        with room_on(device):
            # launch on no block, since some devices finish compiling only now
            self._launch(self._values[0], 0, 0)
            device.finish()

    def progress(self) -> float:
        """Return the share of blocks done in the current run, 0 to 1."""
        return self._begun / max(1, len(self._values) * self._sets.blocks)

    def run(self, *, work: bool = False) -> Counts:
        """Return both exact sums."""
        with self._device.alone, room_on(self._device):
            self._begun = 0
            both = [self._sum(values) for values in self._values]
            counters = {}
            if work:
                fitting = np.zeros(1, np.uint32)
                self._device.read(self._fitting, fitting)
                counters = {"iterations": int(fitting[0]) << LOW}
        # without weights, solutions equal packings
        return Counts(both[0], both[-1], counters)

    def _sum(self, values: Buffer) -> int:
        device, blocks = self._device, self._sets.blocks
        device.zero(self._sums)
        device.zero(self._fitting)
        for first in range(0, blocks, BLOCKS):
            last = min(first + BLOCKS, blocks)
            self._launch(values, first, last)
            if last < blocks:
                device.finish()
            self._begun += last - first
        device.read(self._sums, self._found)
        return self._whole()

    def _launch(self, values: Buffer, first: int, last: int) -> None:
        self._program.launch(
            "subset_sums",
            len(self._found),
            *self._words,
            values,
            np.int32(self._numbers),
            self._powers,
            self._coefficients,
            np.int32(self._sets.need),
            np.uint32(first),
            np.uint32(last),
            self._scratch,
            self._sums,
            self._fitting,
        )

    def _whole(self) -> int:
        """Return the packings from the work-groups' sums."""
        low, high = (self._found << HALF >> HALF).sum(axis=0), (self._found >> HALF).sum(axis=0)
        ordered = sum(
            (int(low[limb]) + (int(high[limb]) << 32)) << (64 * limb) for limb in range(len(low))
        )
        return (ordered % (1 << (64 * len(low)))) // factorial(self._k)


def _powers(most: int, k: int, limbs: int) -> npt.NDArray[np.uint64]:
    """Return z^k for z = 0 to `most`, (most + 1, limbs), as 64-bit limbs, lowest first."""
    table = np.zeros((most + 1, limbs), np.uint64)
    table[:, 0] = 1
    low = np.uint64(0xFFFFFFFF)
    z = np.arange(most + 1, dtype=np.uint64)
    for _ in range(k):
        above = np.zeros(most + 1, np.uint64)
        for limb in range(limbs):
            # z has less than 32 bits, so a half times z plus a carry fits into 64
            first = (table[:, limb] & low) * z + above
            second = (table[:, limb] >> HALF) * z + (first >> HALF)
            table[:, limb] = (first & low) | second << HALF
            above = second >> HALF
    return table
