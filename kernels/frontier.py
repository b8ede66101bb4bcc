"""The frontier of a search: all its nodes of one depth, in the order in which it meets them.

Each level is expanded from the one above, node by node. A node without children is kept: the
search numbers nodes before it looks whether another word is possible.
Cost: some 50 ns a node. Source: ours.
"""

import numpy as np
import numpy.typing as npt

from wordpack.jit import Int64s, Int64Table, Uint64s, Uint64Table, kernel
from wordpack.kernels.children import NODE, children, walked
from wordpack.kernels.files import Files

Nodes = npt.NDArray[np.uint64]
"""(n, NODE): see `children`."""


def expanded(files: Files, nodes: Nodes, most: int) -> Nodes | None:
    """Return the children of all of `nodes` in order; None where they are more than `most`."""
    found = np.empty((most, NODE), np.uint64)
    none, fit = np.empty(0, np.uint64), np.empty((1, 8), np.uint64)
    many = kernel(_expand)(*walked(files), nodes, found, none, fit)
    return found[:many].copy() if many <= most else None


def _expand(  # noqa: PLR0913  the files, and two levels
    cards: Uint64Table,
    words: Uint64s,
    rows: Uint64Table,
    least: Uint64s,
    first: Int64s,
    last: Int64s,
    costs: Uint64s,
    letter: Int64s,
    place: Int64s,
    gates: Int64Table,
    strikes: Int64Table,
    guards: Uint64s,
    early: int,
    nodes: Uint64Table,
    found: Uint64Table,
    none: Uint64s,
    fit: Uint64Table,
) -> int:
    """Write the children of `nodes` to `found`; return how many, at least, also without room."""
    to = 0
    for i in range(len(nodes)):
        # fmt: off
        to += children(
            cards, words, rows, least, first, last, costs, letter, place, gates, strikes,
            guards, early, nodes, i, found, to, none, fit,
        )
        # fmt: on
        if to > len(found):
            break
    return to
