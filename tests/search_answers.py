"""Answers of searches in a comparable form, and the slow oracle's answer."""

import numpy as np

from wordpack.backend import registry
from wordpack.backend.base import Options
from wordpack.backend.cutting import Slices
from wordpack.kernels.search.bitset_rows import BitsetRows
from wordpack.packing.answer import Packings, verify
from wordpack.packing.problem import Problem


def oracle(problem: Problem) -> Packings:
    return listing(registry.row("combinations").load().prepare(problem, Options()).run())


def listing(found: object) -> Packings:
    assert isinstance(found, Packings)
    verify(found)
    return found


def table(packings: Packings) -> list[list[int]]:
    """Return the canonical rows with all groups side by side."""
    rows = packings.canonical().rows
    return np.hstack(rows).tolist() if rows else [[]] * len(packings)


def same_rows(one: Packings, two: Packings) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one.rows, two.rows, strict=True))


def cut_of(problem: Problem, slices: int, **options: bool) -> Slices:
    """Cut a problem and check the properties that every cut has."""
    cut = BitsetRows().cut(problem, Options(**options), slices)
    assert 1 <= len(cut) <= slices
    assert cut.bounds[0] == 0
    assert all(low < high for low, high in zip(cut.bounds, cut.bounds[1:], strict=False))
    assert len(cut) == len(cut.nodes) == len(cut.packings)
    assert list(cut.work) == [f"nodes_{depth + 1}" for depth in range(problem.picks)]
    assert not any(list(cut.work.values())[cut.depth :])
    if cut.depth:
        assert cut.bounds[-1] == cut.work[f"nodes_{cut.depth}"]
    return cut
