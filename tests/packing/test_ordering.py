"""Sorted rows, by radix and by comparison, against Python's sorted."""

import hashlib
import struct
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordpack.errors import Unavailable
from wordpack.packing import ordering
from wordpack.packing.answer import Packings
from wordpack.packing.problem import Group, Problem

Numbers = npt.NDArray[np.int32]


@pytest.fixture(params=["long", "short", "no compiler"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Sort as for long tables, as for short ones, and as if nothing can be compiled."""

    def refuse(_function: Callable[..., int], **_instead: object) -> None:
        raise Unavailable("there is no compiler")

    monkeypatch.setattr(ordering, "LONG", 1 << 62 if request.param == "short" else 0)
    if request.param == "no compiler":
        monkeypatch.setattr(ordering, "kernel", refuse)
    way: str = request.param
    return way


def reference(
    groups: Sequence[Numbers], places: Sequence[Numbers], values: Sequence[npt.NDArray[np.generic]]
) -> list[list[int]]:
    """Sort the places of each row, then the rows, and look the values up."""
    rows = sorted(
        tuple(
            tuple(sorted(own[group[row]].tolist()))
            for group, own in zip(groups, places, strict=True)
        )
        for row in range(len(groups[0]))
    )
    return [
        [int(own[place]) for part, own in zip(row, values, strict=True) for place in part]
        for row in rows
    ]


def table(
    generator: np.random.Generator, rows: int, columns: int, size: int, top: int
) -> tuple[Numbers, Numbers]:
    """Return indices less than `size`, and `size` places of which `top` is the largest."""
    places = generator.integers(0, top, size, endpoint=True).astype(np.int32)
    places[generator.integers(size)] = top
    return generator.integers(0, size, (rows, columns)).astype(np.int32), places


@settings(max_examples=300, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    rows=st.sampled_from([0, 1, 2, 30, 300, 600]),
    shapes=st.lists(
        st.tuples(
            st.sampled_from([0, 1, 1, 2, 3, 5, 6, 11]),
            st.integers(1, 9),
            st.sampled_from([0, 1, 2, 7, 8, 127, 200, 4095, 5000, 16383, 16384, 66000, 10**6]),
        ),
        min_size=1,
        max_size=3,
    ),
    wide=st.booleans(),
)
def test_rows_are_sorted_and_replaced(
    seed: int, rows: int, shapes: list[tuple[int, int, int]], wide: bool
) -> None:
    """Both ways agree, also with equal places, repeated rows and many columns."""
    generator = np.random.default_rng(seed)
    drawn = [table(generator, rows, columns, size, top) for columns, size, top in shapes]
    groups, places = [group for group, _ in drawn], [own for _, own in drawn]
    kind = np.uint64 if wide else np.int32
    values = [generator.integers(0, 2**31, top + 1).astype(kind) for _, _, top in shapes]
    if wide:
        values = [own << np.uint64(33) for own in values]
    expected = reference(groups, places, values)
    found = ordering._by_comparison(groups, places, values)
    assert (found.tolist(), found.dtype) == (expected, kind)
    shifts = ordering._shifts(groups, places)
    if shifts is not None:
        found = ordering._by_radix(groups, places, values, shifts)
        assert (found.tolist(), found.dtype) == (expected, kind)


def test_what_does_not_fit_is_sorted_all_the_same(way: str) -> None:
    """Eleven columns of 20 bits are too many for two 64-bit words; six are not."""
    generator = np.random.default_rng(1)
    values = [np.arange(2**20, dtype=np.int32)]
    for columns, fits in ((11, False), (6, True)):
        group, places = table(generator, 500, columns, 40, 2**20 - 1)
        assert (ordering._shifts([group], [places]) is not None) == fits
        found = ordering.in_order([group], [places], values)
        assert found.tolist() == reference([group], [places], values), way


def packings(seed: int, n: int, shapes: list[tuple[int, int]], letters: int) -> Packings:
    """Return rows over groups of these sizes and counts; masks and rows may repeat."""
    generator = np.random.default_rng(seed)
    kind = np.uint32 if letters <= 32 else np.uint64
    groups, tables = [], []
    for size, count in shapes:
        pool = generator.integers(0, 2**letters, size // 2 + 1, dtype=np.uint64)
        masks = generator.choice(pool, size).astype(kind)
        groups.append(Group(masks, count, np.ones(size, np.int64)))
        some = [generator.choice(size, count, replace=False) for _ in range(min(n, 30))]
        rows = [some[pick] for pick in generator.integers(0, 30, n)]
        tables.append(np.array(rows, np.int32).reshape(n, count))
    return Packings(Problem(tuple(groups), letters), tuple(tables), n, {"leaves": 3})


@pytest.mark.parametrize("letters", [26, 60])
@pytest.mark.parametrize("n", [0, 30, 300])
@pytest.mark.parametrize(
    "shapes",
    [
        [(50, 5)],
        [(3, 1), (60, 6)],
        [(9, 0)],
        [(9, 0), (5, 2), (9, 0)],
        [(70_000, 5)],
        [(70_000, 3), (100_000, 4)],
        [(5, 1)] * 20,
        [(40, 25)],
    ],
    ids=str,
)
def test_canonical_and_digest_are_those_of_their_definitions(
    way: str, shapes: list[tuple[int, int]], n: int, letters: int
) -> None:
    """Cover few and many columns, indices beyond 16 bits, equal masks and repeated rows."""
    found = packings(n, n, shapes, letters)
    indices = [[sorted(own[row].tolist()) for own in found.rows] for row in range(n)]
    canonical = found.canonical()
    assert [[own[row].tolist() for own in canonical.rows] for row in range(n)] == sorted(indices)
    assert all(own.dtype == np.int32 for own in canonical.rows)
    assert [own.shape for own in canonical.rows] == [own.shape for own in found.rows]
    assert (len(canonical), canonical.work) == (n, found.work)
    masks = [group.masks.tolist() for group in found.problem.groups]
    picked = sorted(
        [sorted(own[index] for index in part) for own, part in zip(masks, row, strict=True)]
        for row in indices
    )
    numbers = [count for _, count in shapes]
    numbers += [mask for row in picked for part in row for mask in part]
    expected = hashlib.sha256(struct.pack(f"<{len(numbers)}Q", *numbers)).hexdigest()
    assert found.digest() == canonical.digest() == expected, way
