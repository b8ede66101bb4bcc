"""The plan's tables, and the root of its search, as the structs of structs.c.

A level-0 node is one block of 512 words of the root's files, so a device begins with one node per
block instead of a single root.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from wordpack.kernels.search.buckets import Files
from wordpack.kernels.search.next_item import skipped

Structs = npt.NDArray[np.void]

POSITIONS, LIMITS = 97, 32
"""Most positions of a plan (64 letters, 32 gates, the free words), and most limits: each takes at
least two of 64 bits."""

DEFINES = {"POSITIONS": POSITIONS, "LIMITS": LIMITS}

TABLES = ("cards", "words", "rows", "least")
"""The tables of `Files` that are copied to a device unchanged."""

PLAN = np.dtype(
    [
        *((name, np.uint64) for name in ("whole", "early_guard")),
        ("costs", np.uint64, POSITIONS),
        *((name, np.uint64, LIMITS) for name in ("strike_mask", "strike_levels")),
        *((name, np.int32, POSITIONS) for name in ("first", "last", "letter")),
        ("place", np.int32, 65),
        *((f"gate_{name}", np.int32, LIMITS) for name in ("position", "shift")),
        *((f"group_{name}", np.int32, LIMITS) for name in ("shift", "mask", "end")),
        *((f"strike_{name}", np.int32, LIMITS) for name in ("shift", "row")),
        *((name, np.int32) for name in ("positions", "gates", "strikes", "early", "width")),
    ],
    align=True,
)

NODE = np.dtype(
    [
        *((name, np.uint64) for name in ("closed", "used", "left", "product")),
        *((name, np.int32) for name in ("word", "parent")),
        *((name, np.int16) for name in ("column", "position")),
    ],
    align=True,
)

SUM = np.dtype([(name, np.uint64) for name in ("packings", "solutions", "beyond")])


def _plan_of(files: Files) -> Structs:
    """Return the small tables of `files` as one Plan."""
    plan = np.zeros(1, PLAN)
    guards, gates, groups, strikes = files.limits.guards, files.gates, files.groups, files.strikes
    tables: dict[str, npt.NDArray[Any]] = {
        "costs": files.costs,
        "first": files.first,
        "last": files.last,
        "letter": files.letter,
        "place": files.place,
        **{f"gate_{name}": gates[:, i] for i, name in enumerate(("position", "shift"))},
        **{f"group_{name}": groups[i] for i, name in enumerate(("shift", "mask", "end"))},
        **{
            f"strike_{name}": strikes[i]
            for i, name in enumerate(("shift", "mask", "levels", "row"))
        },
    }
    for name, values in tables.items():
        plan[name][0, : len(values)] = values
    numbers = {
        "whole": guards[0] | guards[1],
        "early_guard": guards[0],
        "positions": len(files.first),
        "gates": len(gates),
        "strikes": strikes.shape[1],
        "early": files.early,
        "width": len(files.words),
    }
    for name, value in numbers.items():
        plan[name] = value
    return plan


def tables_of(files: Files) -> list[npt.NDArray[Any]]:
    """Return the plan and the TABLES."""
    return [_plan_of(files), *(getattr(files, name) for name in TABLES)]


def roots(files: Files) -> Structs:
    """Return the level-0 nodes, which together hold all words of the search's first depth."""
    filed = files.filed
    closed, left, position = np.uint64(0), np.uint64(files.limits.start), 0
    nodes: list[tuple[Any, ...]] = []
    while position < len(files.first):
        blocks = range(int(files.first[position]), int(files.last[position]), 8)
        nodes += [(closed, 0, left, 1, block, -1, 0, position) for block in blocks]
        closed, left, position = skipped(filed, closed, left, position)
    # buffers cannot be empty, so add a node without an item, which has no children
    return np.array(nodes or [(0, 0, 0, 1, 0, -1, 0, position)], NODE)
