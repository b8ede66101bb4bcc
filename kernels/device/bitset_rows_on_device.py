"""Bitset rows on a device: the planned search, level by level, on a GPU or through PoCL on a CPU.

The same tree as `bitset_rows`, whose planner it shares; what differs is that a device walks all
nodes of a level at once (`levels`).
Cost: a second or so to start, then a launch for each word of a packing.
Source: ours; one text for CUDA and OpenCL after a prelude for each is how OpenMM does it.
"""

from wordpack.backend.base import Backend, Options, Refusal, Search
from wordpack.backend.cutting import Slices
from wordpack.kernels.device.device_search import DeviceSearch, start_of
from wordpack.kernels.device.on_device import HostedBackend
from wordpack.kernels.search.nothing_to_search import TrivialSearch
from wordpack.kernels.search.planner import choose, nothing_to_plan, planned_for, refusal
from wordpack.kernels.search.slicing import cut_tree, own_slice
from wordpack.packing.problem import Problem

CORE, GPU = 4e-8, 1e-9
"""Seconds for a node: on one core of a CPU through PoCL, measured; on a whole GPU, assumed."""

COLUMNS = 1 << 15
"""Words that a node can count: it keeps the column of its word in 15 bits."""


class BitsetRowsOnDevice(HostedBackend, Backend):
    """Our search on a device."""

    def accepts(self, problem: Problem, _options: Options) -> Refusal | None:
        """Refuse what would take hours, and more groups or words than a node can count."""
        if problem.picks >= COLUMNS:
            return Refusal("shape", "a node keeps the column of its word in 15 bits")
        return refusal(problem)

    def prepare(self, problem: Problem, options: Options) -> Search:
        """Plan, file the words, compile, upload, make room.

        The counters nodes_1 ... nodes_k are the partial packings of 1 ... k words.
        """
        planned = planned_for(problem)
        if planned is None:
            return TrivialSearch(problem, options)
        search = DeviceSearch(problem, options, planned, self._host.device())
        self._host.compiled()
        return search

    def cut(self, problem: Problem, options: Options, slices: int) -> Slices:
        """Plan once, and cut the search into about `slices` slices of equal cost."""
        return cut_tree(problem, options, slices)

    def prepare_slice(self, problem: Problem, options: Options, cut: Slices, i: int) -> Search:
        """Get slice `i` of a cut ready, by its plan; the levels above have counters of 0."""
        planned = own_slice(cut, i)
        if planned is None:
            return TrivialSearch(problem, options)
        start = start_of(cut, i)
        search = DeviceSearch(problem, options, planned, self._host.device(), start=start)
        self._host.compiled()
        return search

    def seconds(self, problem: Problem, _options: Options) -> float:
        """Return about how long it takes to start and to search."""
        if nothing_to_plan(problem):
            return 0.0
        return self._host.start + self._host.pace(CORE, GPU) * choose(problem).cost
