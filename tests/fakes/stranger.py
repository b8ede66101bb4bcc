"""Answers a different problem from the one it was given."""

from dataclasses import replace

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class Stranger(Honest):
    """Returns valid packings of its own copy of the problem."""

    def answer(self) -> Packings:
        """Return the copy's packings."""
        return replace(super().answer(), problem=replace(self.problem))


class Fake(honest.Fake):
    """The backend."""

    search = Stranger
