"""Partitioned triples: six guesses are two triples of guesses, both disjoint from the answer.

For each answer, list all disjoint triples of its disjoint guesses, partitioned by which of the ten
commonest letters they have. Only partitions with disjoint keys can hold triples that fit together,
and those are paired. Six guesses make two triples in ten ways; only the one whose first triple has
the first three guesses is taken, so each set is met once.
Unlike the original, this needs no set of all results for that, counts triples before it stores
them, and does not store a partition without a partner.
Memory per thread: one answer's stored triples, 20 bytes each (at most 9 million on wrong-wordle),
its guesses' rows of bits, and its packings.
Cost: a step per disjoint triple; wrong-wordle has 5,466,222,564.
Source: pure-chance's Rust program 'Optimally wrong Wordle' (published: about 20 s on a laptop).
"""

from queue import SimpleQueue

import numpy as np
import numpy.typing as npt

from wordpack.backend.base import Backend, Options, Refusal
from wordpack.backend.threaded_search import Integers, SharedSearch
from wordpack.baselines.triples import (
    Found,
    Picks,
    Triples,
    count_triples,
    list_triples,
    pair_triples,
)
from wordpack.compiled.jit import kernel, versions
from wordpack.compiled.threads import usable_cores
from wordpack.packing.answer import Rows
from wordpack.packing.problem import Problem

SHAPE = (1, 6)

COMMON = 10
"""Letters in a partition's key; the commonest of Wordle's guesses are s e a o r i l t n u."""

AFFORDABLE = 1e13
"""Estimated partial packings in list order; wrong-wordle has 2e11."""

MOST_WORDS = 30_000
"""Most guesses whose bit rows fit a few hundred megabytes."""

BUFFER = 1 << 17
"""Rows of a thread's buffer; wrong-wordle's answer with most packings has 103,843."""


class PartitionedTriples(Backend):
    """pure-chance's pairs of triples."""

    def probe(self) -> str:
        """Return the compiler's versions; raise Unavailable without numba."""
        return versions()

    def accepts(self, problem: Problem, _options: Options) -> Refusal | None:
        """Refuse anything but one word of a list and six of another, and by cost long searches."""
        if tuple(group.count for group in problem.groups) != SHAPE:
            return Refusal("shape", "it pairs triples: one word of a list with six of another")
        if len(problem.groups[1].masks) > MOST_WORDS:
            return Refusal("cost", "the guesses' bit rows would need gigabytes")
        if problem.estimated_nodes > AFFORDABLE:
            return Refusal("cost", f"it may visit {problem.estimated_nodes:.0e} partial packings")
        return None

    def prepare(self, problem: Problem, options: Options) -> SharedSearch:
        """Rank the letters, compile, start the threads, which take one answer at a time.

        The counter `iterations` is the disjoint triples of all answers, and `leaves` the pairs of
        triples tested.
        """
        triples = TripleTree(problem, options.threads or usable_cores())
        return SharedSearch(
            *(problem, options, triples.branches, ("iterations", "leaves"), triples.search),
            chunk=1,
            buffer=BUFFER,
        )


class _Scratch:
    """Arrays of one thread, kept from answer to answer."""

    def __init__(self, keys: int) -> None:
        self.sizes, self.starts = np.zeros(keys, np.int64), np.zeros(keys + 1, np.int64)
        self.useful = np.zeros(keys, np.int64)
        self.bits = np.zeros(0, np.uint64)
        self.reserve(0)

    def rows(self, n: int) -> npt.NDArray[np.uint64]:
        """Return an uninitialized bit table of n rows and at least n columns."""
        words = n // 64 + 1
        if n * words > len(self.bits):
            self.bits = np.zeros(n * words, np.uint64)
        return self.bits[: n * words].reshape(n, words)

    def reserve(self, triples: int) -> None:
        """Make room for `triples` triples, after freeing the old room."""
        self.masks, self.members = np.empty(0, np.uint64), np.empty((0, 3), np.int32)
        self.masks, self.members = np.empty(triples, np.uint64), np.empty((triples, 3), np.int32)


class TripleTree:
    """The search by answer: branch i has all packings of the i-th answer."""

    def __init__(self, problem: Problem, threads: int) -> None:
        answers, guesses = problem.groups
        self.common = commonest(problem)
        self._answers = _ranked(answers.masks, problem.letters, self.common)
        self._guesses = _ranked(guesses.masks, problem.letters, self.common)
        self._answer_weights, self._guess_weights = answers.weights, guesses.weights
        self.branches = len(self._answers)
        self._scratch: SimpleQueue[_Scratch] = SimpleQueue()
        for _ in range(threads):
            self._scratch.put(_Scratch(1 << len(self.common)))
        self._count = kernel(count_triples)
        self._list, self._pair = kernel(list_triples), kernel(pair_triples)

    def search(
        self,
        first: int,
        last: int,
        rows: Rows,
        totals: Integers,
        counters: Integers,
        stop: Integers,
    ) -> int:
        """Search answers first..last, holding the triples of one at a time."""
        scratch = self._scratch.get()
        try:
            return int(
                all(
                    self._answer(answer, scratch, rows, totals, counters, stop)
                    for answer in range(first, last)
                )
            )
        finally:
            self._scratch.put(scratch)

    def _answer(
        self,
        answer: int,
        scratch: _Scratch,
        rows: Rows,
        totals: Integers,
        counters: Integers,
        stop: Integers,
    ) -> int:
        own = np.flatnonzero((self._guesses & self._answers[answer]) == 0).astype(np.int32)
        masks, weights = self._guesses[own], self._guess_weights[own]
        bits = scratch.rows(len(own))
        sizes, starts = scratch.sizes, scratch.starts
        kept = self._count(masks, bits, sizes, starts, scratch.useful, counters, stop)
        if kept < 0:
            return 1  # stopped
        if kept > len(scratch.masks):
            scratch.reserve(kept)
        triples = (scratch.masks, scratch.members)
        self._list(masks, bits, sizes, starts, scratch.useful, *triples, stop)
        picks = Picks(answer, int(self._answer_weights[answer]), own, weights)
        found = Found(rows, totals, counters, stop)
        return self._pair(Triples(*triples, starts), picks, found)


def commonest(problem: Problem) -> list[int]:
    """Return the letters of the key: the letters in most guesses, commonest first."""
    masks, one = problem.groups[1].masks, problem.groups[1].masks.dtype.type(1)
    letters = [masks.dtype.type(letter) for letter in range(problem.letters)]
    having = [int((masks >> letter & one).sum()) for letter in letters]
    return sorted(range(problem.letters), key=lambda letter: -having[letter])[:COMMON]


def _ranked(
    masks: npt.NDArray[np.unsignedinteger], letters: int, common: list[int]
) -> npt.NDArray[np.uint64]:
    """Return the masks with the common letters as their lowest bits."""
    ranked = np.zeros(len(masks), np.uint64)
    rest = [letter for letter in range(letters) if letter not in common]
    for place, letter in enumerate([*common, *rest]):
        bit = masks.astype(np.uint64) >> np.uint64(letter) & np.uint64(1)
        ranked |= bit << np.uint64(place)
    return ranked
