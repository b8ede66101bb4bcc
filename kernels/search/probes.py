"""Estimate the nodes of a search, depth by depth, from random descents.

Each probe walks from the root down, to one child of all by an even chance; the product of the
numbers of children on the way to a depth is, on average, the number of nodes there. Children are
counted on the files that the search itself walks, so the estimate has no bias; its spread falls
with the root of the number of probes, slowly where few branches own the tree. What lies below
any other node is estimated in the same way.
Cost: a few microseconds a probe.
Source: Knuth, Estimating the efficiency of backtrack programs (1975).
"""

import numpy as np
import numpy.typing as npt

from wordpack.compiled.jit import Float64Table, Uint64s, Uint64Table, kernel
from wordpack.kernels.search.buckets import Files
from wordpack.kernels.search.expand import NODE, children, root
from wordpack.kernels.search.filed import Filed


def estimate(files: Files, probes: int) -> npt.NDArray[np.float64]:
    """Return about how many nodes there are of 1, 2, ... words, (picks,); always the same."""
    below: npt.NDArray[np.float64] = estimate_below(files, root(files), 0, probes)[0]
    return below


def estimate_below(
    files: Files, nodes: npt.NDArray[np.uint64], depth: int, probes: int
) -> npt.NDArray[np.float64]:
    """Return about how many nodes of depth + 1, depth + 2, ... words lie below each of `nodes`.

    `nodes` (n, NODE) have `depth` words each; the result is (n, picks - depth), from `probes`
    descents from each of them, and always the same.
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
    """Add to row i of `below` what `probes` descents from node i multiply to."""
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
