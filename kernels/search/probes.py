"""Estimate the nodes of a search, depth by depth, from random descents.

Each probe walks down from the root and chooses every child with equal probability. The product of
the numbers of children on the way to a depth is, on average, the number of nodes there. Children
are counted on the search's own files, so the estimate is unbiased. Its spread falls with the square
root of the number of probes, slowly if a few branches hold most of the tree. The same method
estimates the nodes below any other node.
Cost: a few microseconds per probe.
Source: Knuth, Estimating the efficiency of backtrack programs (1975).
"""

import numpy as np
import numpy.typing as npt

from wordpack.compiled.jit import Float64Table, Uint64s, Uint64Table, kernel
from wordpack.kernels.search.buckets import Files
from wordpack.kernels.search.expand import NODE, children, root
from wordpack.kernels.search.filed import Filed


def estimate(files: Files, probes: int) -> npt.NDArray[np.float64]:
    """Estimate the nodes of 1, 2, ... words, (picks,); the same on every call."""
    below: npt.NDArray[np.float64] = estimate_below(files, root(files), 0, probes)[0]
    return below


def estimate_below(
    files: Files, nodes: npt.NDArray[np.uint64], depth: int, probes: int
) -> npt.NDArray[np.float64]:
    """Estimate the nodes of depth + 1, depth + 2, ... words below each of `nodes`.

    `nodes` (n, NODE) have `depth` words each. The result (n, picks - depth) comes from `probes`
    descents from each node and is the same on every call.
    """
    below = np.zeros((len(nodes), files.picks - depth), np.float64)
    kernel(_probe)(
        *(files.filed, nodes, probes, np.array([probes], np.uint64)),
        *(np.zeros((1, NODE), np.uint64), np.zeros((1, 8), np.uint64), below),
    )
    below /= probes
    return below


def _probe(
    files: Filed,
    nodes: Uint64Table,
    probes: int,
    random: Uint64s,
    here: Uint64Table,
    fit: Uint64Table,
    below: Float64Table,
) -> int:
    """Add the products of `probes` descents from node i to row i of `below`."""
    for i in range(len(nodes)):
        for _ in range(probes):
            for column in range(NODE):
                here[0, column] = nodes[i, column]
            weight = 1.0
            for depth in range(below.shape[1]):
                many = children(files, here, 0, here, 0, random, fit)
                if many == 0:
                    break
                weight *= many
                below[i, depth] += weight
    return 0
