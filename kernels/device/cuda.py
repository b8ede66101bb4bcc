"""CUDA: the planned search level by level on an NVIDIA GPU, through CuPy.

The same tree as `bitset_rows`, whose planner it shares; what differs is that a device walks all
nodes of a level at once (`levels`). The GPU is CUDA's first; CUDA_VISIBLE_DEVICES chooses another.
Cost: a second or less to start, then a launch for each word of a packing.
Source: ours; one text for CUDA and OpenCL after a prelude for each is how OpenMM does it.
"""

from wordpack.backend.base import Options, Refusal, Search
from wordpack.backend.cutting import Slices
from wordpack.kernels.device import cuda_start
from wordpack.kernels.device.device_search import prepared, prepared_slice, refused
from wordpack.kernels.search.planner import choose, nothing_to_plan
from wordpack.kernels.search.slicing import cut_tree
from wordpack.packing.problem import Problem

START = 1.0
"""Seconds to import CuPy, to start CUDA, and to load or compile: assumed, for want of a GPU."""

NODE = 1e-9
"""Seconds for a node on a whole GPU: assumed too."""


def probe() -> str:
    """Return the GPU and versions; raise Unavailable where nothing can run."""
    return cuda_start.device().described


def accepts(problem: Problem, _options: Options) -> Refusal | None:
    """Refuse what would take hours, and more groups or words than a node can count."""
    return refused(problem)


def prepare(problem: Problem, options: Options) -> Search:
    """Plan, file the words, compile, upload, make room.

    The counters nodes_1 ... nodes_k are the partial packings of 1 ... k words.
    """
    return prepared(problem, options, cuda_start.device)


def cut(problem: Problem, options: Options, slices: int) -> Slices:
    """Plan once, and cut the search into about `slices` slices of equal cost."""
    return cut_tree(problem, options, slices)


def prepare_slice(problem: Problem, options: Options, cut: Slices, i: int) -> Search:
    """Get ready to search slice `i` of a cut, by its plan; the levels above have counters of 0."""
    return prepared_slice(problem, options, cut, i, cuda_start.device)


def seconds(problem: Problem, _options: Options) -> float:
    """Return about how long it takes to start and to search."""
    if nothing_to_plan(problem):
        return 0.0
    return START + NODE * choose(problem).cost
