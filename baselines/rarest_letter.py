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
from wordpack.jit import Int32s, Int32Table, Int64s, Int64Table, Uint64s, kernel, versions
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
        once = np.sort(masks)
        once = once[np.append(True, once[1:] != once[:-1])]
        distinct = (once[:, None] >> np.arange(letters, dtype=np.uint64)) & np.uint64(1)
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
        self._kernel = kernel(_descend)
        self._pool = ThreadPoolExecutor(self._threads - 1) if self._threads > 1 else None
        self.device = f"cpu, {self._threads} thread{'s' if self._threads > 1 else ''}"
        # no more solutions than ways to choose words, so 64 bits hold their number or may not
        self._exact = comb(int(files.weights.sum()), self._k) < 2**63

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
        files, k = self._files, self._k
        own = _Tally(tally.count_only, k)
        rows = np.empty(
            (0 if tally.count_only else self._options.max_buffer or BUFFER, k), np.int32
        )
        totals, nodes = np.zeros(2, np.int64), np.zeros(k, np.int64)
        closed, scratch = np.zeros(k, np.uint64), np.zeros((6, k), np.int64)
        first = next(chunks)
        while first < stop and not tally.full:
            totals[:] = nodes[:] = 0
            fits = self._kernel(
                *(files.masks, files.index, files.weights, files.excess, files.rarest),
                *(files.starts, files.shift, self._problem.letters, self._room),
                *(first, min(first + self._chunk, stop), not tally.count_only),
                *(rows, totals, nodes, closed, scratch),
            )
            if fits:
                found = int(totals[0])
                own.count(found, int(totals[1]), nodes)
                if found and not tally.count_only:
                    own.rows.append(rows[:found].copy())
                    tally.full |= tally.limit is not None and own.packings > tally.limit
                first = next(chunks)
            else:
                tally.full |= tally.limit is not None and len(rows) >= tally.limit
                rows = np.empty((4 * len(rows) + 1, k), np.int32)
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


# rows of the scratch table: one column for each depth
LETTER, LEFT, RUN, AT, END, PICK = range(6)


def _descend(  # noqa: C901, PLR0912, PLR0913, PLR0915  one loop, whose state stays in registers
    masks: Uint64s,
    index: Int32s,
    weights: Int64s,
    excess: Int64s,
    rarest: Int64s,
    starts: Int64s,
    shift: int,
    letters: int,
    room: int,
    first: int,
    last: int,
    listing: int,
    rows: Int32Table,
    totals: Int64s,
    nodes: Int64s,
    closed: Uint64s,
    scratch: Int64Table,
) -> int:
    """Search root branches first..last; return 0 where `rows` was too short, else 1.

    At each depth `closed` has the letters used or skipped, LEFT how many more may be skipped,
    LETTER and RUN the open file and run, AT and END what is left of that run.
    """
    one = np.uint64(1)
    k = len(nodes)
    runs = 1 << (letters - shift)
    for root in range(first, last):
        depth = 0
        scratch[LETTER, 0] = rarest[root]
        closed[0] = (one << np.uint64(rarest[root])) - one
        scratch[LEFT, 0] = room - rarest[root]
        scratch[AT, 0] = root
        scratch[END, 0] = root + 1
        while True:
            taken = closed[depth]
            word = scratch[AT, depth]
            end = scratch[END, depth]
            while word < end and masks[word] & taken:
                word += 1
            scratch[AT, depth] = word + 1
            if word < end:
                if scratch[LEFT, depth] < excess[word]:
                    continue
                nodes[depth] += 1
                scratch[PICK, depth] = word
                if depth + 1 < k:
                    closed[depth + 1] = taken | masks[word]
                    scratch[LETTER, depth + 1] = scratch[LETTER, depth]
                    # closing the letter just used counts as a skip below: pay for it here
                    scratch[LEFT, depth + 1] = scratch[LEFT, depth] - excess[word] + 1
                    scratch[RUN, depth + 1] = 0
                    scratch[AT, depth + 1] = 0
                    scratch[END, depth + 1] = 0
                    depth += 1
                elif listing:
                    if totals[0] == len(rows):
                        return 0
                    for d in range(k):
                        rows[totals[0], d] = index[scratch[PICK, d]]
                    totals[0] += 1
                else:
                    product = 1
                    for d in range(k):
                        product *= weights[scratch[PICK, d]]
                    totals[0] += 1
                    totals[1] += product
                continue
            if depth == 0:
                break
            run = scratch[RUN, depth]
            letter = scratch[LETTER, depth]
            if run == 0:
                # the file of this letter is done: skip the letter, open the next one's file
                taken |= one << np.uint64(letter)
                closed[depth] = taken
                scratch[LEFT, depth] -= 1
                while letter < letters and (taken >> np.uint64(letter)) & one:
                    letter += 1
                if scratch[LEFT, depth] < 0 or letter == letters:
                    depth -= 1
                    continue
                scratch[LETTER, depth] = letter
                run = runs
            # the next smaller set of the common letters that are free
            free = np.int64(~(taken >> np.uint64(shift)) & np.uint64(runs - 1))
            run = (run - 1) & free
            scratch[RUN, depth] = run
            scratch[AT, depth] = starts[letter * runs + run]
            scratch[END, depth] = starts[letter * runs + run + 1]
    return 1
