"""Answers another problem than it was given."""

from dataclasses import replace

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class Stranger(Honest):
    """Valid packings of an equal problem of its own making."""

    def answer(self) -> Packings:
        """Return the packings of a copy."""
        return replace(super().answer(), problem=replace(self.problem))


class Fake(honest.Fake):
    """The backend."""

    search = Stranger
