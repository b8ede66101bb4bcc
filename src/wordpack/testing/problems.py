"""Small problems as literals, and how to ask backends for their answers."""

from ast import literal_eval
from typing import NamedTuple

from wordpack.testing.draw import Draw
from wordpack.testing.plain_packings import PlainGroup, PlainProblem
from wordpack.testing.shapes import SHAPES, Shape

ALPHABETS = [*range(1, 13), 31, *[1, 26, 32, 33, 63, 64] * 16]


class Asked(NamedTuple):
    """How to ask a backend for a problem's answers."""

    devices: bool
    """Whether to ask devices too, whose start-up costs more than these searches."""
    counting: dict[str, int]
    listing: dict[str, int]
    """Options for counting and for listing; a backend gets only those that it honours."""
    again: bool
    """Whether to run both again, with their counters."""
    parted: bool
    most: int
    """Most rows of a part."""
    cuts: list[int]
    """Numbers of slices to cut the search into, if any."""


class Case(NamedTuple):
    """A problem, the name of its shape, and how to ask backends for its answers."""

    shape: str
    problem: PlainProblem
    asked: Asked

    def __repr__(self) -> str:
        """Return a Python literal that `read` accepts."""
        letters, bits, groups = self.problem
        return repr((self.shape, (letters, bits, [*map(tuple, groups)]), tuple(self.asked)))

    @classmethod
    def read(cls, literal: str) -> "Case":
        """Return the case from such a literal."""
        shape, (letters, bits, groups), asked = literal_eval(literal)
        problem = PlainProblem(letters, bits, [PlainGroup(*each) for each in groups])
        return cls(shape, problem, Asked(*asked))


def case(draw: Draw, shapes: list[Shape] = SHAPES) -> Case:
    """Draw a problem of one of these shapes, and how to ask backends."""
    shape, letters = draw.choice(shapes), draw.choice(ALPHABETS)
    bits = 64 if letters > 32 or draw.often(0.5) else 32  # noqa: PLR2004  bits of a mask
    return Case(shape.__name__, PlainProblem(letters, bits, shape(draw, letters)), asked(draw))


def asked(draw: Draw) -> Asked:
    """Draw how to ask: again and in parts half of the time each, in slices one time in ten."""
    cuts = draw.choices([1, 2, 3, 5, 9, 17, 64], draw.integers(1, 2)) if draw.often(0.1) else []
    return Asked(
        devices=draw.often(0.2),
        counting=_options(draw),
        listing=_options(draw),
        again=draw.often(0.5),
        parted=draw.often(0.5),
        most=draw.choice([1, 2, 3, 5, 7, 100]),
        cuts=cuts,
    )


def _options(draw: Draw) -> dict[str, int]:
    """Draw options; each is left out sometimes."""
    every = {
        "threads": draw.choice([None, 1, 1, 1, 1, 1, 2, 3, 5]),
        "chunk": draw.choice([None, 1, 2, 7, 12]),
        "max_buffer": draw.choice([None, 1, 2, 3, 50]),
    }
    return {name: value for name, value in every.items() if value is not None}


WHOLE = [1] * 2000
"""Integers from which `part` draws the whole case."""


def part(given: Case, draw: Draw) -> Case:
    """Draw a part of a case: fewer groups, words, picks and options, and weights of 1."""
    groups = []
    for whole in given.problem.groups:
        if draw.integers(0, 1):
            kept = [at for at in range(len(whole.masks)) if draw.integers(0, 1)]
            masks = [whole.masks[at] for at in kept]
            weighed = [whole.weights[at] if draw.integers(0, 1) else 1 for at in kept]
            picks = sum(draw.integers(0, 1) for _ in range(whole.picks))
            groups.append(PlainGroup(masks, picks, weighed))
    every = given.asked
    asked = every._replace(
        devices=every.devices and draw.integers(0, 1) == 1,
        counting=every.counting if draw.integers(0, 1) else {},
        listing=every.listing if draw.integers(0, 1) else {},
        again=every.again and draw.integers(0, 1) == 1,
        parted=every.parted and draw.integers(0, 1) == 1,
        cuts=[cut for cut in every.cuts if draw.integers(0, 1)],
    )
    return Case(given.shape, given.problem._replace(groups=groups), asked)
