"""Small problems and answers, written by hand."""

import numpy as np

from wordpack.packing.answer import Packings
from wordpack.packing.problem import Group, Problem

Row = tuple[tuple[int, ...], ...]  # for each group the indices picked


def problem(*groups: tuple[list[int], int], letters: int = 5) -> Problem:
    return Problem(
        tuple(
            Group(np.array(masks, np.uint32), count, np.ones(len(masks), np.int64))
            for masks, count in groups
        ),
        letters,
    )


def answer(of: Problem, rows: list[Row]) -> Packings:
    return Packings(
        of,
        tuple(
            np.array([row[g] for row in rows], np.int32).reshape(len(rows), group.count)
            for g, group in enumerate(of.groups)
        ),
        len(rows),
    )


def rows_of(packings: Packings) -> list[Row]:
    tables = [table.tolist() for table in packings.rows]
    return [tuple(tuple(table[i]) for table in tables) for i in range(len(packings))]
