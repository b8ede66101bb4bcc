"""Answers another problem than it was given."""

from dataclasses import replace

from fakes.honest import Honest, accepts, probe
from wordpack.packing.answer import Packings

__all__ = ["accepts", "prepare", "probe"]


class Stranger(Honest):
    """Valid packings of an equal problem of its own making."""

    def answer(self) -> Packings:
        """Return the packings of a copy."""
        return replace(super().answer(), problem=replace(self.problem))


prepare = Stranger
