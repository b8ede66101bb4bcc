"""Rarest letter first: branch on the rarest unused letter, and skip as few letters as possible.

Letters are ranked by how many signatures have them, and each word is filed under its rarest
letter. The search is depth-first: the next word comes from the file of the rarest letter that is
neither used nor skipped. A letter may be skipped while enough letters remain for the words to come
(for five words of five letters: once). So every packing is met once, and the long files of common
letters are reached only when few of their words still fit. Inside a file, words are grouped into
runs by which of the commonest letters they have; a run with a used letter is skipped as a whole.
Cost: about 206,000 partial packings for parker, a few milliseconds in one thread.
Source: the community's programs after 2022, by oisyn, Kryger and stew675 (C++ and C).
"""

from typing import NamedTuple

import numpy as np

from wordpack.backend.base import Backend, Options, Refusal
from wordpack.backend.threaded_search import Integers, SharedSearch
from wordpack.compiled.jit import Int32s, Int32Table, Int64s, Int64Table, Uint64s, kernel, versions
from wordpack.packing.answer import Rows
from wordpack.packing.problem import Problem

COMMON = 6
"""The number of commonest letters that split a file into runs."""

AFFORDABLE = 1e13
"""Estimated partial packings in list order. This search visits far fewer: 206,000 of parker's
6e9, and 2e8 of the 8e11 of six four-letter words, so an hour is about 1e13."""


class RarestLetter(Backend):
    """The community's search on the rarest letter."""

    def probe(self) -> str:
        """Return the compiler's versions; raise Unavailable without numba."""
        return versions()

    def accepts(self, problem: Problem, _options: Options) -> Refusal | None:
        """Refuse anything but one group of words with letters: the algorithm uses one list."""
        if len(problem.groups) != 1 or problem.groups[0].count == 0:
            return Refusal("shape", "it picks at least one word, and all from one list")
        if len(problem.groups[0].masks) and int(problem.groups[0].masks.min()) == 0:
            return Refusal("shape", "a word without letters has no rarest letter to be filed under")
        if problem.estimated_nodes > AFFORDABLE:
            return Refusal("cost", f"it may visit {problem.estimated_nodes:.0e} partial packings")
        return None

    def prepare(self, problem: Problem, options: Options) -> SharedSearch:
        """Rank letters, file the words, compile, start the threads.

        The counters nodes_1 ... nodes_k are the partial packings of 1 ... k words.
        """
        tree = RarestLetterTree(problem)
        return SharedSearch(problem, options, tree.branches, tree.names, tree.search)


class _Files:
    """The words by rarest letter; letters are renumbered from rarest (bit 0) to commonest."""

    def __init__(self, problem: Problem) -> None:
        group, letters = problem.groups[0], problem.letters
        one = np.uint64(1)
        distinct = group.distinct.astype(np.uint64)
        rarity = [int((distinct >> np.uint64(bit) & one).sum()) for bit in range(letters)]
        masks = np.zeros(len(group.masks), np.uint64)
        # a stable sort keeps equally rare letters in alphabet order
        for rank, bit in enumerate(sorted(range(letters), key=lambda bit: rarity[bit])):
            masks |= (group.masks.astype(np.uint64) >> np.uint64(bit) & one) << np.uint64(rank)
        rarest = np.bitwise_count((masks & -masks) - one).astype(np.int64)
        self.shift = max(letters - COMMON, 0)
        runs = 1 << (letters - self.shift)
        run = rarest * runs + (masks >> np.uint64(self.shift)).astype(np.int64)
        order = np.argsort(run, kind="stable")
        self.masks = masks[order]
        self.index = order.astype(np.int32)
        self.weights = group.weights[order]
        sizes = np.bitwise_count(self.masks).astype(np.int64)
        self.smallest = int(sizes.min(initial=letters))
        self.excess = sizes - self.smallest
        self.starts = np.concatenate(([0], np.cumsum(np.bincount(run, minlength=letters * runs))))
        self.rarest = rarest[order]


class RarestLetterTree:
    """The search by root branch: branch i takes word i and skips all rarer letters."""

    def __init__(self, problem: Problem) -> None:
        self._k, self._letters = problem.groups[0].count, problem.letters
        self._files = files = _Files(problem)
        self._room = problem.letters - self._k * files.smallest
        self._kernel = kernel(_descend)
        self.branches = int(np.searchsorted(files.rarest, self._room, side="right"))
        self.names = tuple(f"nodes_{depth + 1}" for depth in range(self._k))

    def search(
        self, first: int, last: int, rows: Rows, totals: Integers, nodes: Integers, stop: Integers
    ) -> int:
        """Search branches first..last with this thread's own scratch arrays."""
        files = self._files
        closed, scratch = np.empty(self._k, np.uint64), np.empty((6, self._k), np.int64)
        words = _Words(
            *(files.masks, files.index, files.weights, files.excess, files.rarest),
            *(files.starts, files.shift, self._letters, self._room),
        )
        chunk = _Chunk(first, last, rows, totals, nodes, stop)
        return self._kernel(words, chunk, closed, scratch)


# rows of the scratch table, one column per depth
LETTER, LEFT, RUN, AT, END, PICK = range(6)


class _Words(NamedTuple):
    """The filed words: run r of letter l begins at starts[l * runs + r]."""

    masks: Uint64s
    indices: Int32s
    weights: Int64s
    excess: Int64s
    rarest: Int64s
    starts: Int64s
    shift: int
    """The commonest letters, which make runs, are the bits from here ..."""
    letters: int
    """... to here."""
    room: int
    """How many letters may be skipped."""


class _Chunk(NamedTuple):
    """Branches first..last, where results go, and the cell that stops the search."""

    first: int
    last: int
    rows: Int32Table
    totals: Int64s
    nodes: Int64s
    stop: Int64s


def _descend(  # noqa: C901  one loop, down and up
    words: _Words, chunk: _Chunk, closed: Uint64s, scratch: Int64Table
) -> int:
    """Search the root branches of a chunk; return 0 if `rows` was too short, else 1.

    At each depth `closed` has the letters used or skipped, LEFT the number that may still be
    skipped, LETTER and RUN the open file and run, AT and END the rest of that run.
    """
    masks, nodes = words.masks, chunk.nodes
    for root in range(chunk.first, chunk.last):
        depth = 0
        _begin(words, root, closed, scratch)
        while True:
            taken = closed[depth]
            word = scratch[AT, depth]
            end = scratch[END, depth]
            while word < end and masks[word] & taken:
                word += 1
            scratch[AT, depth] = word + 1
            if word < end:
                if scratch[LEFT, depth] < words.excess[word]:
                    continue
                nodes[depth] += 1
                scratch[PICK, depth] = word
                if depth + 1 < len(nodes):
                    if chunk.stop[0]:
                        return 1
                    _open(words, word, depth, closed, scratch)
                    depth += 1
                elif not _report(words, chunk, scratch):
                    return 0
            elif depth == 0:
                break
            elif not _next_run(words, depth, closed, scratch):
                depth -= 1
    return 1


def _begin(words: _Words, root: int, closed: Uint64s, scratch: Int64Table) -> None:
    """Open a run of the root's word alone, with all rarer letters skipped."""
    rarest = words.rarest[root]
    closed[0] = (np.uint64(1) << np.uint64(rarest)) - np.uint64(1)
    scratch[LETTER, 0], scratch[LEFT, 0] = rarest, words.room - rarest
    scratch[AT, 0], scratch[END, 0] = root, root + 1


def _open(words: _Words, word: int, depth: int, closed: Uint64s, scratch: Int64Table) -> None:
    """Continue below a word, at the end of its letter's file."""
    closed[depth + 1] = closed[depth] | words.masks[word]
    scratch[LETTER, depth + 1] = scratch[LETTER, depth]
    # closing the letter just used counts as a skip below: pay for it here
    scratch[LEFT, depth + 1] = scratch[LEFT, depth] - words.excess[word] + 1
    scratch[RUN, depth + 1] = 0
    scratch[AT, depth + 1] = 0
    scratch[END, depth + 1] = 0


def _next_run(words: _Words, depth: int, closed: Uint64s, scratch: Int64Table) -> bool:
    """Open the next run of this file or the next one; False if no letter may be skipped."""
    one, runs, taken = np.uint64(1), 1 << (words.letters - words.shift), closed[depth]
    run = scratch[RUN, depth]
    letter = scratch[LETTER, depth]
    if run == 0:
        # the file of this letter is done: skip the letter, open the next one's file
        taken |= one << np.uint64(letter)
        closed[depth] = taken
        scratch[LEFT, depth] -= 1
        while letter < words.letters and (taken >> np.uint64(letter)) & one:
            letter += 1
        if scratch[LEFT, depth] < 0 or letter == words.letters:
            return False
        scratch[LETTER, depth] = letter
        run = runs
    # the next smaller set of free common letters
    free = np.int64(~(taken >> np.uint64(words.shift)) & np.uint64(runs - 1))
    run = (run - 1) & free
    scratch[RUN, depth] = run
    scratch[AT, depth] = words.starts[letter * runs + run]
    scratch[END, depth] = words.starts[letter * runs + run + 1]
    return True


def _report(words: _Words, chunk: _Chunk, scratch: Int64Table) -> int:
    """Write down the picked words, or only count them without rows; 0 if there is no room."""
    rows, totals, k = chunk.rows, chunk.totals, len(chunk.nodes)
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
