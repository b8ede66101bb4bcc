"""The nodes a device begins a slice with: its part of a frontier, and their parents.

A packing's row of indices is read from its last node and that node's parents. So the slice's own
parents are included, level by level.
Cost: linear in the nodes of the slice. Source: ours.
"""

from collections.abc import Sequence

import numpy as np

from wordpack.kernels.device.structs import NODE, Structs
from wordpack.kernels.search.bucket_rows import CHARGE, INDEX, WEIGHT
from wordpack.kernels.search.buckets import Files
from wordpack.kernels.search.expand import AFTER, CLOSED, LEFT, PARENT, POSITION, USED
from wordpack.kernels.search.frontier import Nodes


def nodes_of(files: Files, levels: Sequence[Nodes], first: int, end: int) -> list[Structs]:
    """Return the nodes of 0, 1, ... words, as structs, that a slice's packings pass through.

    `levels` has all nodes of a search, level by level; the slice is the nodes first <= node < end
    of the deepest level. Parents are numbered from the root on, as in a device's buffer.
    """
    taken = [np.arange(first, end)]
    for level in levels[:0:-1]:
        parents = level[taken[0], PARENT].astype(np.int64)
        # parents are sorted, and each appears once per child
        taken.insert(0, parents[np.diff(parents, prepend=-1) > 0])
    root = np.zeros(1, NODE)
    root["product"] = 1
    found, before = [root], 0
    for level, above, own in zip(levels[1:], taken, taken[1:], strict=False):
        some = level[own]
        parents = np.searchsorted(above, some[:, PARENT].astype(np.int64))
        nodes = _structs(files, some)
        nodes["product"] *= found[-1]["product"][parents]
        nodes["parent"] = before + parents
        before += len(found[-1])
        found.append(nodes)
    return found


def _structs(files: Files, some: Nodes) -> Structs:
    """Return nodes as structs without parents; their product is the last word's weight."""
    words = some[:, AFTER].astype(np.int64) - 1
    cards = files.cards[words]
    shift, mask, end = files.groups[:, (cards[:, INDEX] >> np.uint64(32)).astype(np.int64)]
    left = some[:, LEFT] + cards[:, CHARGE]
    supplies = (left >> shift.astype(np.uint64)).astype(np.int64) & mask
    nodes = np.zeros(len(some), NODE)
    nodes["closed"], nodes["used"], nodes["left"] = some[:, (CLOSED, USED, LEFT)].T
    nodes["product"], nodes["word"] = cards[:, WEIGHT], words
    nodes["column"], nodes["position"] = end - supplies, some[:, POSITION]
    return nodes
