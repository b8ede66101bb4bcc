"""A problem on which a backend fails, made as small as still shows the fault, piece by piece."""

from collections.abc import Iterator

from differential_checks import Check, built, too_large
from plain_packings import PlainAnswer, PlainProblem, TooMany, solve

from wordpack.backend.row import Row

TESTS = 1_000_000
"""Tests of a word up to which plain Python finds the packings."""


def fault(row: Row, plain: PlainProblem, due: PlainAnswer, seed: str) -> Exception | None:
    """Return what is raised while this backend is compared on this problem."""
    try:
        Check(row, plain, due, seed).run()
    except Exception as raised:
        return raised
    return None


def shrunk(row: Row, plain: PlainProblem, seed: str) -> PlainProblem:
    """Return the problem without the groups, words, picks and weights that the fault can spare."""
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(plain):
            try:
                due = solve(candidate, TESTS)
            except TooMany:
                continue
            if not too_large(row, built(candidate)) and fault(row, candidate, due, seed):
                plain, smaller = candidate, True
                break
    return plain


def _smaller(plain: PlainProblem) -> Iterator[PlainProblem]:
    """Yield the problem less a group, less half a group's words or one, less a pick, lighter."""
    for place, group in enumerate(plain.groups):
        before, after = plain.groups[:place], plain.groups[place + 1 :]
        yield plain._replace(groups=[*before, *after])
        n = len(group.masks)
        pieces = [(0, n // 2), (n // 2, n)] if n > 3 else []  # noqa: PLR2004  else one by one
        for low, high in [*pieces, *((word, word + 1) for word in range(n))]:
            masks, weights = (
                values[:low] + values[high:] for values in (group.masks, group.weights)
            )
            less = group._replace(masks=masks, weights=weights)
            yield plain._replace(groups=[*before, less, *after])
        if group.picks:
            less = group._replace(picks=group.picks - 1)
            yield plain._replace(groups=[*before, less, *after])
        if set(group.weights) - {1}:
            yield plain._replace(groups=[*before, group._replace(weights=[1] * n), *after])
