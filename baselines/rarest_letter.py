"""Rarest letter first: branch on the rarest letter not yet used, and skip as few as must be.

Letters are ranked by how many signatures have them, and each word is filed under its rarest
letter. Depth-first, the next word must come from the file of the rarest letter that is neither
used nor skipped; a letter may be skipped while enough letters remain for the words to come (for
five words of five letters: once). So every packing is met once, and the long files of common
letters are reached when few of their words still fit. Inside a file, words lie by which of the
commonest letters they have, and runs that have a used one are passed over whole.
Cost: for parker some 206,000 partial packings, a few milliseconds in one thread.
Source: the community's programs after 2022, by oisyn, Kryger and stew675 (C++ and C).
"""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from math import comb

import numpy as np
import numpy.typing as npt

from wordpack.backend import Options, Refusal
from wordpack.hardware import usable_cores
from wordpack.jit import compiled, versions
from wordpack.packing import Answer, Counts, Packings
from wordpack.problem import Problem

COMMON = 6
"""How many of the commonest letters split a file into runs."""

BUFFER = 1024
"""Packings that a thread's buffer holds at first."""

LISTED = 1 << 20
"""Packings held at a time where their solutions are too many for 64 bits to count."""


def probe() -> str:
    """Return the compiler's versions; raise Unavailable without numba."""
    return versions()


def accepts(problem: Problem, _options: Options) -> Refusal | None:
    """Refuse all but one group of words that have letters: the algorithm knows one list only."""
    if len(problem.groups) != 1 or problem.groups[0].count == 0:
        return Refusal("shape", "it picks at least one word, and all from one list")
    if len(problem.groups[0].masks) and int(problem.groups[0].masks.min()) == 0:
        return Refusal("shape", "a word without letters has no rarest letter to be filed under")
    return None


def prepare(problem: Problem, options: Options) -> "RarestLetter":
    """Rank letters, file the words, compile, start the threads."""
    return RarestLetter(problem, options)


class _Files:
    """The words by rarest letter, letters renumbered from the rarest (bit 0) to the commonest."""

    def __init__(self, problem: Problem) -> None:
        group, letters = problem.groups[0], problem.letters
        masks = group.masks.astype(np.uint64)
        bits = (masks[:, None] >> np.arange(letters, dtype=np.uint64)) & np.uint64(1)
        distinct = (np.unique(masks)[:, None] >> np.arange(letters, dtype=np.uint64)) & np.uint64(1)
        # a stable sort leaves equally rare letters in the alphabet's order
        by_rarity = np.argsort(distinct.sum(axis=0), kind="stable")
        weight = np.uint64(1) << np.arange(letters, dtype=np.uint64)
        masks = (bits[:, by_rarity] * weight).sum(axis=1, dtype=np.uint64)
        rarest = np.bitwise_count((masks & -masks) - np.uint64(1)).astype(np.int64)
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


class RarestLetter:
    """The search; counters nodes_1 ... nodes_k are the partial packings of 1 ... k words."""

    def __init__(self, problem: Problem, options: Options) -> None:
        self._problem = problem
        self._options = options
        self._k = problem.groups[0].count
        self._files = files = _Files(problem)
        room = problem.letters - self._k * files.smallest
        # branch i of the root takes word i and skips the letters rarer than its rarest one
        roots = int(np.searchsorted(files.rarest, room, side="right"))
        first, last = options.slice or (0, roots)
        self._roots = range(min(first, roots), min(last, roots)) if room >= 0 else range(0)
        self._room = room
        threads = options.threads or usable_cores()
        self._threads = max(1, min(threads, len(self._roots)))
        self._chunk = options.chunk or max(1, len(self._roots) // (self._threads * 16))
        self._kernel = compiled(_descend)
        self._pool = ThreadPoolExecutor(self._threads - 1) if self._threads > 1 else None
        self.device = f"cpu, {self._threads} thread{'s' if self._threads > 1 else ''}"
        # no more solutions than ways to choose words, so 64 bits hold their number or may not
        self._exact = comb(int(files.weights.sum()), self._k) < 2**63
        self._collect(range(0), _Tally(options.count_only, self._k))  # compiles

    def run(self, *, work: bool = False) -> Answer:
        """Return all packings, or with count_only their exact numbers."""
        tally = _Tally(self._options.count_only and self._exact, self._k)
        if self._options.count_only and not self._exact:
            solutions = 0
            for part in self._batches(LISTED, tally):
                solutions += part.solutions()
            return Counts(tally.packings, solutions, tally.work(work))
        self._collect(self._roots, tally)
        if self._options.count_only:
            return Counts(tally.packings, tally.solutions, tally.work(work))
        return self._pack(tally.rows, tally.work(work))

    def parts(self, max_rows: int) -> Iterator[Packings]:
        """Yield the packings, at most `max_rows` at a time; one root branch's are held at least."""
        for part in self._batches(max_rows, _Tally(False, self._k)):
            yield from part.split(max_rows)

    def _batches(self, max_rows: int, tally: "_Tally") -> Iterator[Packings]:
        """Yield packings of ranges of root branches, halved until `max_rows` hold what they have."""
        ranges = [self._roots] if self._roots else []
        while ranges:
            branches = ranges.pop()
            found = _Tally(False, self._k, max_rows if len(branches) > 1 else None)
            if self._collect(branches, found):
                tally.add(found)
                if found.packings:
                    yield self._pack(found.rows, {})
            else:
                middle = len(branches) // 2
                ranges += [branches[middle:], branches[:middle]]

    def _pack(self, rows: list[npt.NDArray[np.int32]], work: dict[str, int]) -> Packings:
        table = np.concatenate([np.empty((0, self._k), np.int32), *rows])
        return Packings(self._problem, (table,), len(table), work)

    def _collect(self, branches: range, tally: "_Tally") -> bool:
        """Search `branches` on all threads into `tally`; False where its limit was passed."""
        chunks = count(branches.start, self._chunk)
        helpers = [
            self._pool.submit(self._work, chunks, branches.stop, tally)
            for _ in range(self._threads - 1)
            if self._pool and len(branches) > 1
        ]
        self._work(chunks, branches.stop, tally)
        for each in helpers:
            each.result()
        return not tally.full

    def _work(self, chunks: Iterator[int], stop: int, tally: "_Tally") -> None:
        """Take chunks of root branches until none is left; a buffer too small grows fourfold."""
        files, own = self._files, _Tally(tally.count_only, self._k)
        capacity = 0 if tally.count_only else self._options.max_buffer or BUFFER
        rows = np.empty((capacity, self._k), np.int32)
        first = next(chunks)  # one call at least, since the first of all compiles
        while not tally.full:
            last = max(first, min(first + self._chunk, stop))
            nodes, totals = np.zeros(self._k, np.int64), np.zeros(2, np.int64)
            fits = self._kernel(
                *(files.masks, files.index, files.weights, files.excess, files.rarest),
                *(files.starts, files.shift, self._problem.letters, self._room),
                *(first, last, tally.count_only, rows, nodes, totals),
            )
            if not fits:
                if tally.limit is not None and len(rows) >= tally.limit:
                    tally.full = True
                rows = np.empty((4 * len(rows) + 1, self._k), np.int32)
                continue
            found = int(totals[0])
            own.count(found, int(totals[1]), nodes)
            if found and not tally.count_only:
                own.rows.append(rows[:found].copy())
                tally.full |= tally.limit is not None and own.packings > tally.limit
            first = next(chunks)
            if first >= stop:
                break
        tally.add(own)


class _Tally:
    """What several threads have found; `full` tells them that it is more than `limit` rows."""

    def __init__(self, count_only: bool, k: int, limit: int | None = None) -> None:  # noqa: FBT001
        self.count_only, self.limit, self.full = count_only, limit, False
        self.packings = self.solutions = 0
        self.nodes = np.zeros(k, np.int64)
        self.rows: list[npt.NDArray[np.int32]] = []
        self._lock = threading.Lock()

    def count(self, packings: int, solutions: int, nodes: npt.NDArray[np.int64]) -> None:
        """Add one chunk's numbers."""
        self.packings += packings
        self.solutions += solutions
        self.nodes += nodes

    def add(self, other: "_Tally") -> None:
        """Add what another thread has found."""
        with self._lock:
            self.count(other.packings, other.solutions, other.nodes)
            self.rows += other.rows
            self.full |= self.limit is not None and self.packings > self.limit

    def work(self, wanted: bool) -> dict[str, int]:  # noqa: FBT001
        """Return the counters under their names."""
        return {f"nodes_{d + 1}": int(n) for d, n in enumerate(self.nodes)} if wanted else {}


def _descend(  # noqa: C901, PLR0912, PLR0913, PLR0915  one loop, for numba to keep in registers
    masks, index, weights, excess, rarest, starts, shift, letters, room,
    first, last, count_only, rows, nodes, totals,
):  # fmt: skip
    """Search root branches first..last; return False where `rows` was too short."""
    one = np.uint64(1)
    k = len(nodes)
    runs = 1 << (letters - shift)
    pick = np.empty(k, np.int64)
    closed = np.empty(k, np.uint64)  # letters used or skipped before this depth's word
    left = np.empty(k, np.int64)  # letters that may still be skipped
    letter = np.empty(k, np.int64)
    run = np.empty(k, np.int64)
    at = np.empty(k, np.int64)
    end = np.empty(k, np.int64)
    for root in range(first, last):
        depth = 0
        letter[0] = rarest[root]
        closed[0] = (one << np.uint64(letter[0])) - one
        left[0] = room - letter[0]
        run[0] = 0
        at[0] = root
        end[0] = root + 1
        while depth >= 0:
            if at[depth] == end[depth]:
                if depth == 0:
                    break
                if run[depth] > 0:
                    free = ~(closed[depth] >> np.uint64(shift)) & np.uint64(runs - 1)
                    run[depth] = np.int64(np.uint64(run[depth] - 1) & free)
                else:
                    # this file is done: skip its letter (or, on arrival, close the used one again)
                    closed[depth] |= one << np.uint64(letter[depth])
                    left[depth] -= 1
                    while letter[depth] < letters and (
                        closed[depth] >> np.uint64(letter[depth])
                    ) & one:
                        letter[depth] += 1
                    if left[depth] < 0 or letter[depth] == letters:
                        depth -= 1
                        continue
                    free = ~(closed[depth] >> np.uint64(shift)) & np.uint64(runs - 1)
                    run[depth] = np.int64(free)
                place = letter[depth] * runs + run[depth]
                at[depth] = starts[place]
                end[depth] = starts[place + 1]
            word = at[depth]
            stop = end[depth]
            while word < stop and masks[word] & closed[depth]:
                word += 1
            at[depth] = word
            if word == stop:
                continue
            at[depth] = word + 1
            if left[depth] < excess[word]:
                continue
            nodes[depth] += 1
            pick[depth] = word
            if depth + 1 < k:
                depth += 1
                closed[depth] = closed[depth - 1] | masks[word]
                letter[depth] = letter[depth - 1]
                left[depth] = left[depth - 1] - excess[word] + 1
                run[depth] = 0
                at[depth] = 0
                end[depth] = 0
            elif count_only:
                product = np.int64(1)
                for d in range(k):
                    product *= weights[pick[d]]
                totals[0] += 1
                totals[1] += product
            else:
                if totals[0] == len(rows):
                    return False
                for d in range(k):
                    rows[totals[0], d] = index[pick[d]]
                totals[0] += 1
    return True
