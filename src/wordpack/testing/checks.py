"""Run one problem through one backend and compare every answer with the oracle's."""

from functools import reduce
from itertools import chain
from math import comb, prod
from operator import or_
from typing import Any

import numpy as np

from wordpack.backend.base import Options, Search
from wordpack.backend.row import Row
from wordpack.packing.answer import Counts, Packings, concatenate, verify
from wordpack.packing.problem import Group, Problem
from wordpack.testing.agreement import Differs, agree
from wordpack.testing.plain_packings import PlainAnswer, PlainProblem
from wordpack.testing.problems import Case

TESTS = 1_000_000
"""Plain Python solves problems of up to this many tests of a word."""

BOUNDS = {"combinations": 10_000, "subset sums": 1 << 20, "merged states": 1e6}
"""By algorithm: the most choices, sets of letters or states of a small problem."""

PARTS = 16
"""Request an answer in about this many parts at most; short answers come in smaller parts."""


def built(plain: PlainProblem) -> Problem:
    """Convert a problem to wordpack's own form."""
    dtype = np.uint32 if plain.bits == 32 else np.uint64  # noqa: PLR2004  bits of a mask
    groups = [
        Group(np.array(group.masks, dtype), group.picks, np.array(group.weights, np.int64))
        for group in plain.groups
    ]
    return Problem(tuple(groups), plain.letters)


def too_large(row: Row, problem: Problem) -> bool:
    """Whether the problem is too large for an algorithm whose cost differs from a search's."""
    choices = prod(comb(len(group.masks), group.count) for group in problem.groups)
    used = reduce(or_, chain(*(group.masks.tolist() for group in problem.groups)), 0)
    sizes = {
        "combinations": choices,
        "subset sums": 2.0 ** used.bit_count(),
        "merged states": problem.estimated_nodes,
    }
    return sizes.get(row.algorithm, 0) > BOUNDS.get(row.algorithm, 0)


class Check:
    """The checks of one problem by one backend."""

    def __init__(self, row: Row, case: Case, due: PlainAnswer) -> None:
        """Convert the problem to wordpack's own form."""
        self._row, self._due, self._asked = row, due, case.asked
        self._problem = built(case.problem)
        self._both = Counts(len(due.rows), due.solutions)
        self._table = [list(row) for row in due.rows]
        self._compared = 0

    def run(self) -> int:
        """Return how many answers agree, 0 if refused; raise Differs or the backend's error."""
        asked, options = self._asked, [self._options(count_only=only) for only in (True, False)]
        # a part may cost a device several launches
        most = max(asked.most, len(self._due.rows) // PARTS)
        counting = self._prepare(options[0])
        if counting is None:
            return 0
        self._counts(counting.run(), self._both, f"counted with {options[0]}")
        listing = None if self._row.counts_only else self._prepare(options[1])
        if listing is not None:
            whole = listing.run()
            self._packings(whole, f"listed with {options[1]}")
            agree(whole.work, {}, "counters that nobody asked for")
            if asked.parted:
                joined = self._joined(listing, most)
                self._rows(joined, f"in parts of {most} with {options[1]}")
                agree(joined.digest(), self._due.digest, "digest of all parts")
        if asked.again:
            beside = listing or self._prepare(Options(count_only=True))
            self._again(counting, beside, f"again with {options[0]}, beside {options[1]}")
        for slices in asked.cuts if self._row.slices else []:
            self._slices(slices, most)
        return self._compared

    def _options(self, *, count_only: bool) -> Options:
        """Return the options that the backend honours."""
        every = self._asked.counting if count_only else self._asked.listing
        honoured: dict[str, Any] = {n: each for n, each in every.items() if n in self._row.options}
        return Options(count_only=count_only, **honoured)

    def _again(self, counting: Search, other: Search | None, what: str) -> None:
        """Run both again and compare their counters, which must not depend on the options."""
        works = [self._counts(counting.run(work=True), self._both, what)]
        found = other.run(work=True) if other else None
        if isinstance(found, Packings):
            self._rows(found, what)
            works.append(found.work)
        else:
            works.append(self._counts(found, self._both, what))
        for name, number in (works[0] | works[1]).items():
            agree((type(number), number >= 0), (int, True), f"counter {name}")
        without = [_without_chunks(work, len(self._due.rows)) for work in works]
        agree(without[0], without[1], f"counters {what}")

    def _prepare(self, options: Options) -> Search | None:
        """Return a search, or None if the algorithm refuses the problem's shape."""
        backend = self._row.load()
        refusal = backend.accepts(self._problem, options)
        if refusal and refusal.kind == "shape":
            return None
        search: Search = backend.prepare(self._problem, options)
        return search

    def _joined(self, search: Search, most: int) -> Packings:
        """Return the parts of at most `most` rows, joined."""
        parts = list(search.parts(most))
        for part in parts:
            agree(1 <= len(part) <= most, True, f"{len(part)} rows in a part of {most}")
            lengths = {len(part), *(len(rows) for rows in part.rows)}
            agree(len(lengths), 1, f"lengths {lengths} of one part")
        return concatenate(self._problem, parts)

    def _counts(self, found: object, due: Counts, what: str) -> dict[str, int]:
        """Compare numbers, which must be Python ints; return the counters."""
        self._compared += 1
        if not isinstance(found, Counts):
            raise Differs(f"{what}: expected Counts, got {type(found).__name__}")
        both = found.packings, found.solutions
        agree((*both, *map(type, both)), (due.packings, due.solutions, int, int), what)
        return found.work

    def _packings(self, found: object, what: str) -> None:
        """Compare rows, digest and sum, and verify."""
        if isinstance(found, Packings):
            verify(found)
            self._rows(found, what)
            self._counts(found.counts(), self._both, f"solutions {what}")
            agree(found.digest(), self._due.digest, f"digest {what}")
        else:
            raise Differs(f"{what}: expected Packings, got {type(found).__name__}")

    def _rows(self, found: Packings, what: str) -> None:
        """Compare rows."""
        self._compared += 1
        # compare the numbers first, for a shorter message
        agree(len(found), len(self._due.rows), f"packings {what}")
        agree(_table(found), self._table, f"rows {what}")

    def _slices(self, slices: int, most: int) -> None:
        """Compare the slices of a search, joined, with the whole."""
        backend, options = self._row.load(), Options(count_only=True)
        cut = backend.cut(self._problem, options, slices)
        every, packings, solutions = [], 0, 0
        for i in range(len(cut)):
            what = f"slice {i} of {len(cut)}"
            counts = backend.prepare_slice(self._problem, options, cut, i).run()
            listing = backend.prepare_slice(self._problem, Options(), cut, i)
            rows = listing.run()
            if not isinstance(rows, Packings) or not isinstance(counts, Counts):
                raise Differs(f"{what}: {type(rows).__name__}, {type(counts).__name__}")
            verify(rows)
            self._counts(counts, rows.counts(), f"counted in {what}")
            agree(_table(self._joined(listing, most)), _table(rows), f"parts of {what}")
            every.append(rows)
            packings, solutions = packings + counts.packings, solutions + counts.solutions
        self._packings(concatenate(self._problem, every), f"in {len(cut)} slices")
        sums = Counts(packings, solutions)
        self._counts(sums, self._both, f"sums of {len(cut)} slices")


def _table(found: Packings) -> list[list[int]]:
    """Return the rows in ascending order, each ascending inside a group."""
    table = np.hstack([np.empty((len(found), 0), int), *(np.sort(r, axis=1) for r in found.rows)])
    if table.shape[1]:
        table = table[np.lexsort(table.T[::-1])]
    rows: list[list[int]] = table.tolist()
    return rows


def _without_chunks(work: dict[str, int], packings: int) -> dict[str, int]:
    """Return the counters without those per chunk, which must add up to the packings."""
    chunks = [number for name, number in work.items() if name.startswith("chunk_")]
    if chunks:
        agree(sum(chunks), packings, "packings of all chunks")
    return {name: number for name, number in work.items() if not name.startswith("chunk_")}
