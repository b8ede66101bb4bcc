"""The frontier of a search: all its nodes of one depth, in search order.

Each level is expanded from the one above, node by node. Nodes without children are kept, because
the search numbers nodes before it knows whether another word fits.
Cost: about 50 ns per node. Source: ours.
"""

import numpy as np
import numpy.typing as npt

from wordpack.compiled.jit import Uint64s, Uint64Table, kernel
from wordpack.kernels.search.buckets import Files
from wordpack.kernels.search.expand import NODE, children
from wordpack.kernels.search.filed import Filed

Nodes = npt.NDArray[np.uint64]
"""(n, NODE): see `children`."""


def expanded(files: Files, nodes: Nodes, most: int) -> Nodes | None:
    """Return the children of all `nodes` in order; None if there are more than `most`."""
    found = np.empty((most, NODE), np.uint64)
    none, fit = np.empty(0, np.uint64), np.empty((1, 8), np.uint64)
    many = kernel(_expand)(files.filed, nodes, found, none, fit)
    return found[:many].copy() if many <= most else None


def _expand(
    files: Filed, nodes: Uint64Table, found: Uint64Table, none: Uint64s, fit: Uint64Table
) -> int:
    """Write the children of `nodes` to `found`; return their number, or more than fit."""
    to = 0
    for i in range(len(nodes)):
        to += children(files, nodes, i, found, to, none, fit)
        if to > len(found):
            break
    return to
