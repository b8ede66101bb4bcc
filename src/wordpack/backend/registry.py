"""The table of backends, one row each; a backend is imported when it is first used."""

from __future__ import annotations

from wordpack.backend.row import Row
from wordpack.errors import InputError
from wordpack.text.formatting import nearest

CUDA = "wordpack.kernels.device.cuda_host:CudaHost"
OPENCL = "wordpack.kernels.device.opencl_host:OpenClHost"

ROWS: tuple[Row, ...] = (
    Row(
        "bitset_rows",
        "wordpack.kernels.search.bitset_rows:BitsetRows",
        "bitset rows",
        "planned search over rows of bits, on all cores (ours)",
        ("threads", "max_buffer"),
        slices=True,
        needs="numba",
    ),
    Row(
        "cuda",
        "wordpack.kernels.device.bitset_rows_on_device:BitsetRowsOnDevice",
        "bitset rows",
        "planned search level by level on an NVIDIA GPU (ours)",
        ("max_buffer",),
        slices=True,
        start_up=1.0,
        needs="cupy",
        host=CUDA,
    ),
    Row(
        "opencl",
        "wordpack.kernels.device.bitset_rows_on_device:BitsetRowsOnDevice",
        "bitset rows",
        "planned search level by level on a GPU, or through PoCL on a CPU (ours)",
        ("max_buffer",),
        slices=True,
        start_up=1.5,
        needs="pyopencl",
        host=OPENCL,
    ),
    Row(
        "rarest_letter",
        "wordpack.baselines.rarest_letter:RarestLetter",
        "rarest letter",
        "depth-first on the rarest letter not yet used (oisyn, stew675, Kryger)",
        ("threads", "chunk", "max_buffer"),
        needs="numba",
    ),
    Row(
        "subset_sums",
        "wordpack.kernels.counting.subset_sums:SubsetSums",
        "subset sums",
        "counts words of one length by inclusion-exclusion over sets of letters",
        ("threads",),
        counts_only=True,
        needs="numba",
    ),
    Row(
        "subset_sums_cuda",
        "wordpack.kernels.counting.subset_sums_on_device:SubsetSumsOnDevice",
        "subset sums",
        "subset sums on an NVIDIA GPU",
        counts_only=True,
        start_up=1.0,
        needs="cupy",
        host=CUDA,
    ),
    Row(
        "subset_sums_opencl",
        "wordpack.kernels.counting.subset_sums_on_device:SubsetSumsOnDevice",
        "subset sums",
        "subset sums on a GPU, or through PoCL on a CPU",
        counts_only=True,
        start_up=1.5,
        needs="pyopencl",
        host=OPENCL,
    ),
    Row(
        "merged_states",
        "wordpack.kernels.counting.merged_states:MergedStates",
        "merged states",
        "counts letter by letter, merging states that have the same letters left",
        counts_only=True,
        needs="numba",
    ),
    Row(
        "graph_cliques_compiled",
        "wordpack.baselines.graph_cliques_compiled:GraphCliquesCompiled",
        "graph cliques",
        "graph cliques on a bit matrix (Paassen's strategy, as ported by davidad)",
        ("threads", "chunk", "max_buffer"),
        needs="numba",
    ),
    Row(
        "neighbour_pairs",
        "wordpack.baselines.neighbour_pairs:NeighbourPairs",
        "neighbour pairs",
        "each next word from the neighbours of the last (Lukakva)",
        ("threads", "chunk", "max_buffer"),
        needs="numba",
    ),
    Row(
        "partitioned_triples",
        "wordpack.baselines.partitioned_triples:PartitionedTriples",
        "partitioned triples",
        "pairs of triples for one answer and six guesses (pure-chance)",
        ("threads", "chunk", "max_buffer"),
        needs="numba",
    ),
    Row(
        "filtered_arrays",
        "wordpack.baselines.filtered_arrays:FilteredArrays",
        "filtered lists",
        "filtered lists as numpy array operations",
    ),
    Row(
        "dancing_links",
        "wordpack.baselines.dancing_links:DancingLinks",
        "exact cover",
        "Algorithm X with dancing links on letters (davidad, after Knuth)",
        ("threads", "chunk", "max_buffer"),
        needs="numba",
    ),
    Row(
        "filtered_lists",
        "wordpack.baselines.filtered_lists:FilteredLists",
        "filtered lists",
        "filtered lists in pure Python (Brian Jones)",
    ),
    Row(
        "graph_cliques",
        "wordpack.baselines.graph_cliques:GraphCliques",
        "graph cliques",
        "cliques by intersecting Python sets of neighbours (Benjamin Paassen)",
    ),
    Row(
        "combinations",
        "wordpack.baselines.combinations:Combinations",
        "combinations",
        "every combination of words (Matt Parker); the oracle",
    ),
    Row(
        "game_tree",
        "wordpack.kernels.games.game_tree:GameTree",
        "game tree",
        "whole games as a tree of sets of answers, on all cores (ours)",
        ("threads",),
        workload="play",
        needs="numba",
    ),
    Row(
        "game_tree_cuda",
        "wordpack.kernels.games.game_tree_on_device:GameTreeOnDevice",
        "game tree in rounds",
        "whole games, a round of guesses at a time, on an NVIDIA GPU (ours)",
        workload="play",
        start_up=1.0,
        needs="cupy",
        host=CUDA,
    ),
    Row(
        "game_tree_opencl",
        "wordpack.kernels.games.game_tree_on_device:GameTreeOnDevice",
        "game tree in rounds",
        "whole games, a round of guesses at a time, on a GPU or through PoCL (ours)",
        workload="play",
        start_up=1.5,
        needs="pyopencl",
        host=OPENCL,
    ),
    Row(
        "hint_arrays",
        "wordpack.baselines.hint_arrays:HintArrays",
        "hint arrays",
        "whole games of a start word together, as numpy array operations",
        workload="play",
    ),
    Row(
        "hint_filters",
        "wordpack.baselines.hint_filters:HintFilters",
        "hint filters",
        "whole games one by one, by regular expressions (Kjellerstrand)",
        workload="play",
    ),
)


_ADDED: dict[str, Row] = {}
"""Backends of other packages that were asked for by name; 'auto' never takes one."""


def add(row: Row) -> None:
    """Make a backend of another package known by its name."""
    _ADDED[row.name] = row


def row(name: str) -> Row:
    """Return the backend called `name`; InputError suggests the nearest one."""
    every = [*ROWS, *_ADDED.values()]
    for candidate in every:
        if candidate.name == name:
            return candidate
    names = [candidate.name for candidate in every]
    raise InputError(f"no backend is called {name}{nearest(name, names)}")


def of_workload(workload: str) -> list[Row]:
    """Return the backends of one workload, in the table's order."""
    return [row for row in ROWS if row.workload == workload]


def sliceable() -> list[Row]:
    """Return the backends that can run a search in slices, devices first."""
    rows = [row for row in of_workload("packing") if row.slices]
    return sorted(rows, key=lambda row: not row.start_up)
