"""Subset sums: count packings by inclusion-exclusion over letter sets, without finding any.

Let z(S) be the number of masks inside the letter set S. Then z(S)^k counts the ordered choices of
k masks inside S, with repetition. Every mask has s letters, so a choice uses ks letters exactly if
its masks are disjoint; then no mask repeats, and equal masks need no special care. The number of
choices that use exactly the letters of U is the sum over S in U of (-1)^(|U|-|S|) z(S)^k. Sum this
over all U of ks letters: S lies in C(L-|S|, ks-|S|) of them, and k masks have k! orders, so with L
letters

    k! packings = sum over S of (-1)^(ks-|S|) C(L-|S|, ks-|S|) z(S)^k

where sets of more than ks letters contribute nothing. Weights instead of counts in z give
solutions. Letters that no mask has are dropped first, since each would double the sets.
Two tricks: never hold 2^L numbers, and never raise them to a power. For each choice of letters
above the lowest twelve, the words that fit drop into 4,096 cells, which a fast zeta transform turns
into z inside the first cache. A set's coefficient is added to the bin of its z, and the few bins
are raised to the power k at the end, with Python integers. The absolute coefficients add up to
C(L, ks) 2^ks, at most 3^L, so a signed 64-bit bin is exact for up to 39 letters.
Memory: per thread 32 KiB of cells and 16 bytes per word (6x4 of words_alpha: 120 kB).
Cost: 2^L cells at 3 ns each in one thread, whatever the answer: 0.2 s for 26 letters.
Source: Björklund, Husfeldt, Koivisto, 'Set partitioning via inclusion-exclusion' (2009), which
counts packings too; the zeta transform is Yates's (1937).
"""

from collections.abc import Iterator
from concurrent.futures import wait
from itertools import count
from math import factorial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wordpack.backend.base import Backend, Options, Refusal, Search
from wordpack.compiled.instructions import ones
from wordpack.compiled.jit import Int64s, Int64Table, Uint64s, kernel, versions
from wordpack.compiled.threads import of_threads, pool, usable_cores
from wordpack.kernels.counting import letter_sets
from wordpack.kernels.counting.letter_sets import LOW, Sets
from wordpack.packing.answer import Counts
from wordpack.packing.problem import Problem

ROW = 64
"""Neighbouring cells that have the same letters above the six lowest."""

CHUNK = 64
"""Blocks of cells that a thread takes at a time."""


class SubsetSums(Backend):
    """Inclusion-exclusion over sets of letters, on the processor."""

    def probe(self) -> str:
        """Return the compiler's versions; raise Unavailable without numba."""
        return versions()

    def accepts(self, problem: Problem, options: Options) -> Refusal | None:
        """Refuse what cannot be summed, as `letter_sets` says."""
        return letter_sets.refusal(problem, options)

    def prepare(self, problem: Problem, options: Options) -> "SubsetSumsSearch":
        """Place words, compile, start threads. The counter `iterations` is the sets summed."""
        return SubsetSumsSearch(problem, options)

    def seconds(self, problem: Problem, options: Options) -> float:
        """Estimate the time in seconds, at 3 ns per set."""
        threads = options.threads or usable_cores()
        return 3e-9 * 2.0 ** len(letter_sets.letters(problem.groups[0])) / threads


class SubsetSumsSearch(Search):
    """A prepared sum over all sets of letters, in blocks of 2^LOW sets that threads share."""

    def __init__(self, problem: Problem, options: Options) -> None:
        group = problem.groups[0]
        self._k = group.count
        self._sets = sets = Sets(group)
        # both sums share one cell: neither outgrows its 32 bits
        values = np.uint64(1) | group.weights.astype(np.uint64) << np.uint64(32)
        self._words = _SplitWords(sets.heads, sets.tails, values)
        self._coefficients = _coefficients(sets)
        self._threads = max(1, min(options.threads or usable_cores(), sets.blocks // CHUNK))
        bins = int(group.weights.sum()) + 1
        self._bins = bins
        self._kernel = kernel(_sum)
        self._pool = pool(self._threads)
        self._begun = 0

    @property
    def device(self) -> str:
        """The device it runs on."""
        return of_threads(self._threads)

    def progress(self) -> float:
        """Return the share of blocks that threads have taken in the current run, 0 to 1."""
        return self._begun / max(1, self._sets.blocks)

    def run(self, *, work: bool = False) -> Counts:
        """Return both exact sums. The caller's thread only waits, so Ctrl-C reaches it."""
        stop, chunks = np.zeros(1, np.int64), count(0, CHUNK)
        self._begun = 0
        workers = [self._pool.submit(self._work, chunks, stop) for _ in range(self._threads)]
        try:
            found = [worker.result() for worker in workers]
        finally:
            stop[0] = 1
            wait(workers)
        blocks = sum(own for own, _ in found)
        sums = np.sum([bins for _, bins in found], axis=0)
        both = self._power_sum(sums[0]), self._power_sum(sums[1])
        return Counts(*both, {"iterations": blocks << LOW} if work else {})

    def _work(
        self, chunks: Iterator[int], stop: npt.NDArray[np.int64]
    ) -> tuple[int, npt.NDArray[np.int64]]:
        """Sum chunks of blocks until none is left; return the blocks with a word, and the bins."""
        cells, bins = np.zeros(1 << LOW, np.uint64), np.zeros((2, self._bins), np.int64)
        blocks, sums = 0, _Sums(cells, bins)
        while (first := next(chunks)) < self._sets.blocks and not stop[0]:
            last = min(first + CHUNK, self._sets.blocks)
            self._begun = max(self._begun, last)
            blocks += self._kernel(
                self._words, self._coefficients, self._sets.need, first, last, sums, stop
            )
        return blocks, bins

    def _power_sum(self, bins: npt.NDArray[np.int64]) -> int:
        some = np.flatnonzero(bins)
        pairs = zip(some.tolist(), bins[some].tolist(), strict=True)
        ordered: int = sum(coefficient * z**self._k for z, coefficient in pairs)
        return ordered // factorial(self._k)


def _coefficients(sets: Sets) -> npt.NDArray[np.int64]:
    """Return the coefficients by number of letters, laid out in rows for the inner loop.

    Row r is for sets with r letters above the six lowest; the bits of column c say which of the
    six lowest they have.
    """
    table = np.zeros((sets.letters + 1, ROW), np.int64)
    for row in range(sets.letters + 1):
        for column in range(ROW):
            table[row, column] = sets.coefficient(row + column.bit_count())
    return table


class _SplitWords(NamedTuple):
    """Words, their letters split into heads and tails; a tail has the LOW lowest letters."""

    heads: Uint64s
    tails: Int64s
    values: Uint64s
    """1, plus the weight from bit 32 on."""


class _Sums(NamedTuple):
    """A block's cells (scratch space) and the bins of both sums."""

    cells: Uint64s
    bins: Int64Table


def _sum(
    words: _SplitWords,
    coefficients: Int64Table,
    need: int,
    first: int,
    last: int,
    sums: _Sums,
    stop: Int64s,
) -> int:
    """Add the coefficients of blocks first..last to the bins; return how many had a word.

    A block is the sets that agree in all letters above the LOW lowest.
    """
    cells, bins = sums
    half = np.uint64(32)
    low = np.uint64(0xFFFFFFFF)
    blocks = 0
    for block in range(first, last):
        if stop[0]:
            break
        head = np.uint64(block)
        letters = ones(head)
        if letters > need:
            continue
        cells[:] = 0
        fit = 0
        for word in range(len(words.heads)):
            if not words.heads[word] & ~head:
                cells[words.tails[word]] += words.values[word]
                fit += 1
        if not fit:
            continue
        blocks += 1
        _add_subsets(cells)
        for start in range(0, len(cells), ROW):
            row = letters + ones(np.uint64(start))
            for column in range(ROW):
                z = cells[start + column]
                coefficient = coefficients[row, column]
                bins[0, z & low] += coefficient
                bins[1, z >> half] += coefficient
    return blocks


def _add_subsets(cells: Uint64s) -> None:
    """Replace each cell by the sum over all cells whose index is a subset of its index."""
    for at in range(0, len(cells), 8):
        # three bits at once: loops of one, two and four steps would dominate the cost
        c0 = cells[at]
        c1 = cells[at + 1] + c0
        c2 = cells[at + 2]
        c3 = cells[at + 3] + c2 + c1
        c2 += c0
        c4 = cells[at + 4]
        c5 = cells[at + 5] + c4
        c6 = cells[at + 6]
        c7 = cells[at + 7] + c6 + c5
        c6 += c4
        cells[at + 1], cells[at + 2], cells[at + 3] = c1, c2, c3
        cells[at + 4], cells[at + 5], cells[at + 6], cells[at + 7] = (
            c4 + c0,
            c5 + c1,
            c6 + c2,
            c7 + c3,
        )
    step = 8
    while step < len(cells):
        for start in range(0, len(cells), 2 * step):
            for at in range(start, start + step):
                cells[at + step] += cells[at]
        step *= 2
