"""Bitset rows on a device: the planned search, level by level, on a GPU or through PoCL on a CPU.

It searches the same tree as `bitset_rows`, with the same planner, but walks all nodes of a level
at once (`levels`).
Cost: about a second to start, then one launch per word of a packing.
Source: ours. One text for CUDA and OpenCL, after a prelude for each, is OpenMM's method.
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
"""Seconds per node: measured on one CPU core through PoCL, assumed for a whole GPU."""

COLUMNS = 1 << 15
"""Most words of a packing: a node keeps its word's column in 15 bits."""


class BitsetRowsOnDevice(HostedBackend, Backend):
    """The planned search on a device."""

    def accepts(self, problem: Problem, _options: Options) -> Refusal | None:
        """Refuse searches that would take hours and more groups or words than a node can count."""
        if problem.picks >= COLUMNS:
            return Refusal("shape", "a node keeps the column of its word in 15 bits")
        return refusal(problem)

    def prepare(self, problem: Problem, options: Options) -> Search:
        """Plan, file the words, compile, upload and allocate.

        The counters nodes_1 ... nodes_k are the partial packings of 1 ... k words.
        """
        planned = planned_for(problem)
        if planned is None:
            return TrivialSearch(problem, options)
        search = DeviceSearch(problem, options, planned, self._host.device())
        self._host.compiled()
        return search

    def cut(self, problem: Problem, options: Options, slices: int) -> Slices:
        """Plan once and cut the search into about `slices` slices of equal cost."""
        return cut_tree(problem, options, slices)

    def prepare_slice(self, problem: Problem, options: Options, cut: Slices, i: int) -> Search:
        """Prepare slice `i` of a cut with the cut's plan; counters above the frontier are 0."""
        planned = own_slice(cut, i)
        if planned is None:
            return TrivialSearch(problem, options)
        start = start_of(cut, i)
        search = DeviceSearch(problem, options, planned, self._host.device(), start=start)
        self._host.compiled()
        return search

    def seconds(self, problem: Problem, _options: Options) -> float:
        """Estimate the time to start and to search, in seconds."""
        if nothing_to_plan(problem):
            return 0.0
        return self._host.start + self._host.pace(CORE, GPU) * choose(problem).cost
