"""Packings by their definition, in plain Python: the oracle of `differential.py`.

It imports nothing from wordpack. It takes lists of integers and returns rows, a sum and a digest,
all written from the documentation. Choices grow word by word and never share a letter.
Cost: a test per partial packing and later word of its group.
"""

from hashlib import sha256
from math import prod
from typing import NamedTuple


class PlainGroup(NamedTuple):
    """Pick `picks` different places of `masks`."""

    masks: list[int]
    picks: int
    weights: list[int]


class PlainProblem(NamedTuple):
    """A problem as literals: letters of the alphabet, bits per mask, groups."""

    letters: int
    bits: int
    groups: list[PlainGroup]


class PlainAnswer(NamedTuple):
    """All packings."""

    rows: list[tuple[int, ...]]
    """Places, ascending inside a group, groups side by side; rows ascending."""
    solutions: int
    digest: str


class TooMany(Exception):  # noqa: N818  not an error: the problem is too large for plain Python
    """There are more partial packings than the limit."""


def solve(problem: PlainProblem, most: int) -> PlainAnswer:
    """Find all packings; raise TooMany if that needs more than `most` tests of a word."""
    found: list[tuple[tuple[int, ...], int]] = [((), 0)]
    tests = 0
    for group in problem.groups:
        for pick in range(group.picks):
            longer = []
            for row, used in found:
                begin = row[-1] + 1 if pick else 0
                tests += len(group.masks) - begin
                if tests > most:
                    raise TooMany
                longer += [
                    ((*row, place), used | group.masks[place])
                    for place in range(begin, len(group.masks))
                    if not used & group.masks[place]
                ]
            found = longer
    rows = sorted(row for row, _ in found)
    weights = [group.weights for group in problem.groups for _ in range(group.picks)]
    solutions = sum(
        prod(own[place] for own, place in zip(weights, row, strict=True)) for row in rows
    )
    return PlainAnswer(rows, solutions, digest(problem, rows))


def digest(problem: PlainProblem, rows: list[tuple[int, ...]]) -> str:
    """Return the sha256 of the counts and each row's masks, ascending, as 64-bit numbers."""
    masks = []
    for row in rows:
        picked: list[int] = []
        for group in problem.groups:
            own, row = row[: group.picks], row[group.picks :]  # noqa: PLW2901  the rest of the row
            picked += sorted(group.masks[place] for place in own)
        masks.append(picked)
    numbers = [group.picks for group in problem.groups] + [
        mask for picked in sorted(masks) for mask in picked
    ]
    return sha256(b"".join(number.to_bytes(8, "little") for number in numbers)).hexdigest()
