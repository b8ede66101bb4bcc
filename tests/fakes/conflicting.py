"""Treats words without letters as if they shared one."""

from collections.abc import Iterator

from fakes import honest
from fakes.honest import Honest

SHARED = 1 << 64
"""A letter beyond all alphabets."""


class Conflicting(Honest):
    """Never puts two empty masks in one packing."""

    def choices(self, chosen: tuple[int, ...], used: int) -> Iterator[tuple[int, ...]]:
        """Yield the choices with at most one empty mask."""
        for choice in super().choices(chosen, used):
            picked = zip(self.slots, choice, strict=False)
            if sum(not self.problem.groups[group].masks[index] for group, index in picked) < 2:
                yield choice


class Fake(honest.Fake):
    """The backend."""

    search = Conflicting
