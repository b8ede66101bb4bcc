"""Problems for tests of searches: random ones of every shape, regular, odd and named."""

from functools import partial

import numpy as np
from hypothesis import HealthCheck, settings

from generators.strategies import strategy
from handmade import problem as made
from wordpack.packing.problem import Group, Problem
from wordpack.solving.instances import INSTANCES, instance
from wordpack.solving.loading import load
from wordpack.testing.checks import built
from wordpack.testing.problems import case
from wordpack.testing.shapes import SMALL

# the fixture `backend` is a constant row of the registry, so examples may share it
shared = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
cases = strategy(partial(case, shapes=SMALL))
problems = cases.map(lambda case: built(case.problem))

KNOWN = [name for name, known in INSTANCES.items() if known.workload == "packing"]
"""The named instances of packings."""

EMPTY = [0] * 70
ODD = {
    "no groups": made(),
    "a group that picks none": made(([1, 2], 0)),
    "and one that picks some": made(([1, 2], 0), ([4, 8, 16], 2)),
    "one pick": made(([1, 2, 4, 8], 1)),
    "two picks": made(([1, 2, 4, 8, 3, 12], 2)),
    "too few words": made(([1, 2], 3)),
    "too few letters": made(([3, 5, 6, 7], 3), letters=3),
    "no word fits another": made(([3, 5, 6, 7], 2), letters=4),
    "words without letters": made((EMPTY, 2)),
    "and others": made((EMPTY, 2), ([0, 1, 2, 3, 4], 2)),
    "groups of the same words": made(([1, 2, 4, 8, 0], 2), ([1, 2, 4, 8, 0], 2)),
    "a cut proves it empty": made(([a | b for a in (1, 2) for b in (4, 8, 16, 32)], 3), letters=6),
}
"""Problems with little or nothing to search."""


def named(name: str) -> Problem:
    return load(instance(name).spec).problem


def regular(seed: int, letters: int, size: int, *groups: tuple[int, int]) -> Problem:
    """Make groups of n masks of `size` letters each, with `count` to pick."""
    random = np.random.default_rng(seed)
    dtype = np.uint32 if letters <= 32 else np.uint64
    made = []
    for n, count in groups:
        masks = [
            sum(1 << int(b) for b in random.choice(letters, size, replace=False)) for _ in range(n)
        ]
        made.append(Group(np.array(masks, dtype), count, random.integers(1, 4, n)))
    return Problem(tuple(made), letters)
