"""Algorithm X with dancing links, compiled.

Covering an item removes it from the list of items and removes each of its options from the lists of
their other items. An unlinked node keeps its own links, so uncovering in reverse order restores
everything. The search branches on the item with the fewest options left, and on the first of them
in a tie.
Cost: two link changes per other item of each option of each covered item.
Source: Knuth, TAOCP 4B, section 7.2.2.1; his names of steps and links are in brackets.
"""

from typing import NamedTuple

import numpy as np

from wordpack.compiled.jit import Int32s, Int32Table, Int64s, Int64Table, Uint32Table

# rows of the table of items [LLINK, RLINK, LEN]; item 0 is the root;
# and of the table of nodes [TOP, ULINK, DLINK], which begins with the items' own nodes
LEFT, RIGHT, SIZE = range(3)
TOP, UP, DOWN, FIRST = range(4)
"""FIRST is the first node of a node's option; for the spacer before an option, its number."""

# rows of the table of levels: the item branched on, its option [x], and that option's number;
# PLACE has the column of each group's next pick
ITEM, NODE, TURN, PLACE = range(4)

Number = int | np.int64


def _choose(items: Uint32Table, counted: Int64s, primary: int, exact: int) -> Number:
    """Return the item with the fewest options [X3]; 0 if all are covered, -1 if one cannot be."""
    for place in range(exact):
        if items[SIZE, primary + 1 + place] < counted[place]:
            return -1
    best: Number = 0
    fewest: Number = 1 << 32
    item = np.int64(items[RIGHT, 0])
    while item != 0:
        if items[SIZE, item] < fewest:
            best, fewest = item, np.int64(items[SIZE, item])
        item = np.int64(items[RIGHT, item])
    return best if fewest else -1


def _cover(items: Uint32Table, nodes: Uint32Table, item: Number) -> int:
    """Remove the item from its list and its options from theirs [cover, hide]."""
    node = np.int64(nodes[DOWN, item])
    while node != item:
        other = np.int64(nodes[FIRST, node])
        top = nodes[TOP, other]
        while top != 0:
            if other != node:
                up, down = nodes[UP, other], nodes[DOWN, other]
                nodes[DOWN, up] = down
                nodes[UP, down] = up
                items[SIZE, top] -= 1
            other += 1
            top = nodes[TOP, other]
        node = np.int64(nodes[DOWN, node])
    left, right = items[LEFT, item], items[RIGHT, item]
    items[RIGHT, left] = right
    items[LEFT, right] = left
    return 0


def _uncover(items: Uint32Table, nodes: Uint32Table, item: Number) -> int:
    """Undo a cover, in reverse order [uncover, unhide]."""
    left, right = items[LEFT, item], items[RIGHT, item]
    items[RIGHT, left] = item
    items[LEFT, right] = item
    node = np.int64(nodes[UP, item])
    while node != item:
        other = np.int64(nodes[FIRST, node])
        top = nodes[TOP, other]
        while top != 0:
            if other != node:
                up, down = nodes[UP, other], nodes[DOWN, other]
                nodes[DOWN, up] = other
                nodes[UP, down] = other
                items[SIZE, top] += 1
            other += 1
            top = nodes[TOP, other]
        node = np.int64(nodes[UP, node])
    return 0


def _take(
    items: Uint32Table, nodes: Uint32Table, counted: Int64s, primary: int, node: Number
) -> int:
    """Cover the other items of the node's option [X5]."""
    other = np.int64(nodes[FIRST, node])
    while nodes[TOP, other] != 0:
        item = np.int64(nodes[TOP, other])
        if item > primary:
            counted[item - primary - 1] -= 1
            if counted[item - primary - 1] == 0:
                _cover(items, nodes, item)
        elif other != node:
            _cover(items, nodes, item)
        other += 1
    return 0


def _give_back(
    items: Uint32Table, nodes: Uint32Table, counted: Int64s, primary: int, node: Number
) -> int:
    """Uncover the other items of the node's option, last one first [X6]."""
    other = np.int64(node)
    while nodes[TOP, other] != 0:
        other += 1
    other -= 1
    while nodes[TOP, other] != 0:
        item = np.int64(nodes[TOP, other])
        if item > primary:
            if counted[item - primary - 1] == 0:
                _uncover(items, nodes, item)
            counted[item - primary - 1] += 1
        elif other != node:
            _uncover(items, nodes, item)
        other -= 1
    return 0


def widths(
    items: Uint32Table,
    nodes: Uint32Table,
    counted: Int64s,
    primary: int,
    exact: int,
    below: Int64s,
) -> int:
    """Count the branches below each option of the root's item; return the number of options."""
    item = _choose(items, counted, primary, exact)
    if item <= 0:
        return 0
    _cover(items, nodes, item)
    node = np.int64(nodes[DOWN, item])
    options = 0
    while node != item:
        _take(items, nodes, counted, primary, node)
        following = _choose(items, counted, primary, exact)
        if following == 0:
            below[options] = 1
        elif following > 0:
            below[options] = items[SIZE, following]
        _give_back(items, nodes, counted, primary, node)
        options += 1
        node = np.int64(nodes[DOWN, node])
    _uncover(items, nodes, item)
    return options


class Branches(NamedTuple):
    """The numbered branches: starts[r]..starts[r + 1] lie below option r of the root's item."""

    starts: Int64s
    first: int
    """Search branches first..last."""
    last: int


class Options(NamedTuple):
    """How options are reported: a group g, whose picks have columns from columns[g] on, ..."""

    columns: Int64s
    group: Int32s
    indices: Int32s
    """... an index there, and a factor."""
    weights: Int64s


class Found(NamedTuple):
    """Where results go, and the cell that stops the search."""

    rows: Int32Table
    totals: Int64s
    tried: Int64s
    stop: Int64s


def search(  # noqa: PLR0913  four tables, and a tuple each for branches, options and results
    items: Uint32Table,
    nodes: Uint32Table,
    counted: Int64s,
    levels: Int64Table,
    primary: int,
    exact: int,
    branches: Branches,
    options: Options,
    found: Found,
) -> int:
    """Search branches of the second level; return 0 if `rows` was too short, else 1.

    Return 2 if stopped. Only a return of 1 leaves the links restored.
    """
    level = 0
    while level >= 0:
        if found.stop[0]:
            return 2
        item = _choose(items, counted, primary, exact)
        if item > 0:
            _cover(items, nodes, item)  # [X4]
            levels[ITEM, level] = levels[NODE, level] = item
            levels[TURN, level] = -1
        else:
            if item == 0 and not _report(nodes, levels, level, options, found):  # [X2]
                return 0
            level -= 1
        while level >= 0:
            if levels[NODE, level] != levels[ITEM, level]:
                _give_back(items, nodes, counted, primary, levels[NODE, level])
            if _next(nodes, levels, level, branches):
                _take(items, nodes, counted, primary, levels[NODE, level])
                if level > 0:
                    found.tried[level - 1] += 1
                level += 1
                break
            _uncover(items, nodes, levels[ITEM, level])  # [X7]
            level -= 1  # [X8]
    return 1


def _next(nodes: Uint32Table, levels: Int64Table, level: int, branches: Branches) -> int:
    """Go to the item's next option, on the first two levels within first..last; 0 at the end."""
    starts = branches.starts
    item, turn = levels[ITEM, level], levels[TURN, level] + 1
    node = np.int64(nodes[DOWN, levels[NODE, level]])
    if level < 2:  # noqa: PLR2004  only the first two levels are numbered
        while node != item:
            low = starts[turn] if level == 0 else starts[levels[TURN, 0]] + turn
            high = starts[turn + 1] if level == 0 else low + 1
            if low >= branches.last:
                return 0
            if high > branches.first:
                break
            node = np.int64(nodes[DOWN, node])
            turn += 1
    levels[NODE, level], levels[TURN, level] = node, turn
    return int(node != item)


def _report(
    nodes: Uint32Table, levels: Int64Table, level: int, options: Options, found: Found
) -> int:
    """Write down the options of a cover; return 0 if there is no room."""
    rows, totals, product = found.rows, found.totals, 1
    for g in range(len(options.columns)):
        levels[PLACE, g] = options.columns[g]
    if len(rows) and totals[0] == len(rows):
        return 0
    for d in range(level):
        option = nodes[FIRST, nodes[FIRST, levels[NODE, d]] - 1]
        g = options.group[option]
        product *= options.weights[option]
        if len(rows) and g >= 0:
            rows[totals[0], levels[PLACE, g]] = options.indices[option]
            levels[PLACE, g] += 1
    totals[0] += 1
    totals[1] += product
    return 1
