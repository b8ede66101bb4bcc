"""Neighbour pairs: keep a list of later disjoint words for each word, and pick the next one there.

Signatures are sorted as numbers. Each gets a list of neighbours: the later signatures that share no
letter with it. The search is depth-first and takes the next word from the last word's neighbours,
so it only has to be tested against the words before the last. Threads take chunks of first words.
Cost: a test per neighbour of each partial packing's last word. On the author's list with his filter
(at most two vowels per word, here an option of the problem) 649,362,243 fifth words are tested.
Source: Lukakva's C program (2022; published: 821 ms with 8 threads of an M1 Pro).
"""

from typing import NamedTuple

import numpy as np

from wordpack.backend.base import Backend, Options, Refusal
from wordpack.backend.threaded_search import Integers, SharedSearch
from wordpack.compiled.jit import Int32s, Int32Table, Int64s, Int64Table, Uint64s, kernel, versions
from wordpack.packing.answer import Rows
from wordpack.packing.problem import Problem

AFFORDABLE = 1e13
"""Estimated partial packings; a core tests about 1e9 words per second."""

MOST_WORDS = 30_000
"""Most signatures whose lists of neighbours fit a few hundred megabytes."""

FALL = 3.0
"""First words have only later words below them, so early ones take most of the time."""


class NeighbourPairs(Backend):
    """Lukakva's search by pairs of neighbours."""

    def probe(self) -> str:
        """Return the compiler's versions; raise Unavailable without numba."""
        return versions()

    def accepts(self, problem: Problem, _options: Options) -> Refusal | None:
        """Refuse anything but one group of two or more words, and by cost hours or gigabytes."""
        if len(problem.groups) != 1 or problem.groups[0].count < 2:  # noqa: PLR2004  a pair
            return Refusal("shape", "it picks at least two words, and all from one list")
        if len(problem.groups[0].masks) > MOST_WORDS:
            return Refusal("cost", "the lists of neighbours would need gigabytes")
        if problem.estimated_nodes > AFFORDABLE:
            return Refusal("cost", f"it may visit {problem.estimated_nodes:.0e} partial packings")
        return None

    def prepare(self, problem: Problem, options: Options) -> SharedSearch:
        """Sort the signatures, list neighbours, compile, start the threads.

        The counter `kept` is the signatures searched, and `leaves` the last words tested.
        """
        tree = NeighbourTree(problem)
        kept = {"kept": tree.branches}
        return SharedSearch(
            problem, options, tree.branches, ("leaves",), tree.search, kept, fall=FALL
        )


class NeighbourTree:
    """The search by first word: branch i is the i-th smallest signature."""

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
        # masks in neighbour order, so that the last loop reads one array sequentially
        self._near_masks = self._masks[self._near]
        self._kernel = kernel(_descend)

    def search(
        self, first: int, last: int, rows: Rows, totals: Integers, leaves: Integers, stop: Integers
    ) -> int:
        """Search first words first..last with this thread's own scratch arrays."""
        used, scratch = np.empty(self._k, np.uint64), np.empty((3, self._k), np.int64)
        words = _Words(
            *(self._masks, self._index, self._weights),
            *(self._starts, self._near, self._near_masks),
        )
        chunk = _Chunk(first, last, rows, totals, leaves, stop)
        return self._kernel(words, chunk, used, scratch)


# rows of the scratch table, one column per depth
AT, END, PICK = range(3)


class _Words(NamedTuple):
    """The words, and the neighbours near[starts[i]:starts[i + 1]] of word i, with their masks."""

    masks: Uint64s
    indices: Int32s
    weights: Int64s
    starts: Int64s
    near: Int32s
    near_masks: Uint64s


class _Chunk(NamedTuple):
    """First words first..last, where results go, and the cell that stops the search."""

    first: int
    last: int
    rows: Int32Table
    totals: Int64s
    leaves: Int64s
    stop: Int64s


def _descend(words: _Words, chunk: _Chunk, used: Uint64s, scratch: Int64Table) -> int:
    """Search the first words of a chunk; return 0 if `rows` was too short, else 1.

    At each depth `used` (k,) has the letters of the words before the last one. The last word's
    neighbours from AT to END are still to be tried; they share no letter with the last word.
    """
    k, near_masks = len(used), words.near_masks
    for root in range(chunk.first, chunk.last):
        if chunk.stop[0]:
            return 1
        depth = 1
        scratch[PICK, 0] = root
        used[1] = 0
        scratch[AT, 1] = words.starts[root]
        scratch[END, 1] = words.starts[root + 1]
        while depth > 0:
            at, end, before = scratch[AT, depth], scratch[END, depth], used[depth]
            if depth == k - 1:
                if not _last_words(words, chunk, before, scratch):
                    return 0
                depth -= 1
                continue
            while at < end and near_masks[at] & before:
                at += 1
            if at == end:
                depth -= 1
                continue
            word = words.near[at]
            scratch[AT, depth] = at + 1
            scratch[PICK, depth] = word
            before |= words.masks[scratch[PICK, depth - 1]]
            start, end = words.starts[word], words.starts[word + 1]
            # most lists hold nothing that fits, which a loop without branches finds faster
            if depth + 2 < k and not _fitting(near_masks[start:end], before):
                continue
            depth += 1
            used[depth] = before
            scratch[AT, depth] = start
            scratch[END, depth] = end
    return 1


def _fitting(masks: Uint64s, before: np.uint64) -> int:
    """Return how many of the masks have none of these letters."""
    fitting = 0
    for place in range(len(masks)):
        fitting += (masks[place] & before) == 0
    return fitting


def _last_words(words: _Words, chunk: _Chunk, before: np.uint64, scratch: Int64Table) -> int:
    """Write down the picked words with each last word that fits; return 0 if there is no room.

    If there are no rows, only count them.
    """
    rows, totals, near_masks, k = chunk.rows, chunk.totals, words.near_masks, scratch.shape[1]
    at, end = scratch[AT, k - 1], scratch[END, k - 1]
    chunk.leaves[0] += end - at
    if not _fitting(near_masks[at:end], before):
        return 1
    for place in range(at, end):
        if near_masks[place] & before:
            continue
        scratch[PICK, k - 1] = words.near[place]
        if len(rows):
            if totals[0] == len(rows):
                return 0
            for d in range(k):
                rows[totals[0], d] = words.indices[scratch[PICK, d]]
        else:
            product = 1
            for d in range(k):
                product *= words.weights[scratch[PICK, d]]
            totals[1] += product
        totals[0] += 1
    return 1
