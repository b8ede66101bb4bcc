"""Neighbour pairs: each word keeps the later words that fit it, and the next word is one of them.

Signatures are sorted as numbers, and for each the list of its neighbours is made: the later ones
that share no letter with it. Depth-first, the next word comes from the neighbours of the last
one, so it need only be tested against the words before that one. First words are handed in
chunks to threads. Cost: a test for each neighbour of each partial packing's last word; on the
author's list and filter (at most two vowels a word, here an option of the problem) 649,362,243
fifth words are tested.
Source: Lukakva's C program (2022; published: 821 ms with 8 threads of an M1 Pro).
"""

import numpy as np

from wordpack.backend import Options, Refusal
from wordpack.jit import Int32s, Int32Table, Int64s, Int64Table, Uint64s, kernel, versions
from wordpack.packing import Rows
from wordpack.problem import Problem
from wordpack.sharing import Integers, SharedSearch

AFFORDABLE = 1e13
"""Estimated partial packings; a core tests some 1e9 words a second."""

MOST_WORDS = 30_000
"""Signatures whose lists of neighbours fit into some hundred megabytes."""


def probe() -> str:
    """Return the compiler's versions; raise Unavailable without numba."""
    return versions()


def accepts(problem: Problem, _options: Options) -> Refusal | None:
    """Refuse all but one group of at least two words, and by cost what takes hours or memory."""
    if len(problem.groups) != 1 or problem.groups[0].count < 2:  # noqa: PLR2004  a pair
        return Refusal("shape", "it picks at least two words, and all from one list")
    if len(problem.groups[0].masks) > MOST_WORDS:
        return Refusal("cost", "the lists of neighbours would need gigabytes")
    if problem.estimated_nodes > AFFORDABLE:
        return Refusal("cost", f"some {problem.estimated_nodes:.0e} partial packings may be met")
    return None


def prepare(problem: Problem, options: Options) -> SharedSearch:
    """Sort the signatures, list neighbours, compile, start the threads.

    The counters are kept, the signatures searched, and leaves, the last words tested.
    """
    tree = NeighbourPairs(problem)
    kept = {"kept": tree.branches}
    return SharedSearch(problem, options, tree.branches, ("leaves",), tree.search, kept)


class NeighbourPairs:
    """The searching of first words: branch i is the i-th smallest signature."""

    def __init__(self, problem: Problem) -> None:
        group = problem.groups[0]
        self._k = group.count
        order = np.argsort(group.masks, kind="stable")
        self._index = order.astype(np.int32)
        self._masks = group.masks[order].astype(np.uint64)
        self._weights = group.weights[order]
        self.branches = len(order)
        lists = [
            np.flatnonzero((self._masks[place + 1 :] & mask) == 0).astype(np.int32) + (place + 1)
            for place, mask in enumerate(self._masks)
        ]
        lengths = [len(neighbours) for neighbours in lists]
        self._starts = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
        self._near = np.concatenate([np.empty(0, np.int32), *lists]).astype(np.int32)
        # the masks stand beside the places, so that the last loop reads one array in order
        self._near_masks = self._masks[self._near]
        self._kernel = kernel(_descend)

    def search(
        self, first: int, last: int, rows: Rows, totals: Integers, leaves: Integers, stop: Integers
    ) -> int:
        """Search first words first..last with scratch arrays of this thread's own."""
        used, scratch = np.empty(self._k, np.uint64), np.empty((3, self._k), np.int64)
        return self._kernel(
            *(self._masks, self._index, self._weights, self._starts, self._near, self._near_masks),
            *(self._k, first, last, rows, totals, leaves, used, scratch, stop),
        )


# rows of the scratch table: one column for each depth
AT, END, PICK = range(3)


def _descend(  # noqa: C901, PLR0912, PLR0913  one loop, whose state stays in registers
    masks: Uint64s,
    index: Int32s,
    weights: Int64s,
    starts: Int64s,
    near: Int32s,
    near_masks: Uint64s,
    k: int,
    first: int,
    last: int,
    rows: Int32Table,
    totals: Int64s,
    leaves: Int64s,
    used: Uint64s,
    scratch: Int64Table,
    stop: Int64s,
) -> int:
    """Search first words first..last; return 0 where `rows` was too short, else 1.

    `used` at a depth has the letters of the words before the last one, whose neighbours from AT
    to END are still to be tried; the last one itself shares no letter with them.
    """
    for root in range(first, last):
        if stop[0]:
            return 1
        depth = 1
        scratch[PICK, 0] = root
        used[1] = 0
        scratch[AT, 1] = starts[root]
        scratch[END, 1] = starts[root + 1]
        while depth > 0:
            at, end, before = scratch[AT, depth], scratch[END, depth], used[depth]
            if depth == k - 1:
                leaves[0] += end - at
                fifth = near_masks[at:end]
                fitting = 0
                for place in range(len(fifth)):
                    fitting += (fifth[place] & before) == 0
                if fitting:
                    for place in range(at, end):
                        if near_masks[place] & before:
                            continue
                        scratch[PICK, depth] = near[place]
                        if len(rows):
                            if totals[0] == len(rows):
                                return 0
                            for d in range(k):
                                rows[totals[0], d] = index[scratch[PICK, d]]
                        else:
                            product = 1
                            for d in range(k):
                                product *= weights[scratch[PICK, d]]
                            totals[1] += product
                        totals[0] += 1
                depth -= 1
                continue
            while at < end and near_masks[at] & before:
                at += 1
            if at == end:
                depth -= 1
                continue
            word = near[at]
            scratch[AT, depth] = at + 1
            scratch[PICK, depth] = word
            before |= masks[scratch[PICK, depth - 1]]
            start, end = starts[word], starts[word + 1]
            if depth + 2 < k:
                # most lists hold nothing that fits: a loop without branches finds that sooner
                following = near_masks[start:end]
                fitting = 0
                for place in range(len(following)):
                    fitting += (following[place] & before) == 0
                if fitting == 0:
                    continue
            depth += 1
            used[depth] = before
            scratch[AT, depth] = start
            scratch[END, depth] = end
    return 1
