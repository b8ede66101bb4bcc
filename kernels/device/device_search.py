"""A prepared search on a device: its answer, whole or in parts, from the levels' tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import prod

from wordpack.backend.base import Options, Search
from wordpack.backend.cutting import Slices
from wordpack.errors import InputError
from wordpack.kernels.device.device import Device, OutOfDeviceMemory
from wordpack.kernels.device.levels import Levels, Start
from wordpack.kernels.device.on_device import OnDevice
from wordpack.kernels.device.slice_nodes import nodes_of
from wordpack.kernels.search.planner import Planned
from wordpack.packing.answer import Answer, Counts, Packings, Rows, concatenate
from wordpack.packing.problem import Problem


class DeviceSearch(OnDevice, Search):
    """A planned search on a device; branch i of its root is the i-th filed word."""

    def __init__(
        self,
        problem: Problem,
        options: Options,
        planned: Planned,
        device: Device,
        widest: int | None = None,
        start: Start | None = None,
    ) -> None:
        """Compile, upload and allocate; no level holds more than `widest` nodes at a time.

        The search begins with the root, or with the nodes of `start`.
        """
        super().__init__(device)
        self._problem, self._count_only = problem, options.count_only
        # the sum of solutions has 128 bits; each product has 64
        largest = prod(int(g.weights.max(initial=1)) ** g.count for g in problem.groups)
        self._counting = options.count_only and largest < 1 << 64
        with _said_in_a_line(device):
            self.levels = Levels(
                planned, device, options, widest, start, listing=not self._counting
            )

    def run(self, *, work: bool = False) -> Answer:
        """Return all packings, or with count_only their exact numbers."""
        with self._device.alone, _said_in_a_line(self._device):
            return self._answer(work=work)

    def _answer(self, *, work: bool) -> Answer:
        nodes = [0] * self._problem.picks
        # dead ends count as nodes, but leaving them out is cheaper
        tables = self.levels.tables(nodes, counting=self._counting, keep=work)
        if not self._count_only:
            packings = concatenate(self._problem, [self._pack(table) for table in tables])
            return replace(packings, work=_named(nodes) if work else {})
        n = solutions = 0
        for table in tables:
            n += len(table)
            solutions += self._pack(table).solutions()
        if self._counting:
            n, solutions = self.levels.summed()
            nodes[-1] = n
        return Counts(n, solutions, _named(nodes) if work else {})

    def parts(self, max_rows: int) -> Iterator[Packings]:
        """Yield the packings, holding at most `max_rows` at a time.

        Raises RuntimeError if this search is run again meanwhile.
        """
        nodes = [0] * self._problem.picks
        tables = self.levels.tables(nodes, counting=False, keep=False, most=max_rows)
        while True:
            with self._device.alone, _said_in_a_line(self._device):
                table = next(tables, None)
            if table is None:
                return
            yield self._pack(table)

    def _pack(self, table: Rows) -> Packings:
        return Packings.from_table(self._problem, table)


def _named(nodes: list[int]) -> dict[str, int]:
    return {f"nodes_{depth + 1}": n for depth, n in enumerate(nodes)}


@contextmanager
def _said_in_a_line(device: Device) -> Iterator[None]:
    """Turn OutOfDeviceMemory into a one-line InputError: not even the smallest search fits."""
    try:
        yield
    except OutOfDeviceMemory as short:
        raise InputError(
            f"{device.name} has no room for the search: {short}; close what else uses it, or "
            "choose another backend"
        ) from None


def start_of(cut: Slices, i: int) -> Start | None:
    """Return the nodes slice `i` begins with; None if it is the whole search."""
    if cut.depth == 0:
        return None
    planned = cut.plan.planned
    levels = nodes_of(planned.files, cut.plan.levels, *cut.bounds[i : i + 2])
    # assume the slice has the same share of each level as of all levels below the frontier
    below = planned.nodes[cut.depth :]
    expected = (below * (cut.nodes[i] / max(1.0, float(below.sum())))).tolist()
    return Start(levels, [*expected[:-1], cut.packings[i]])
