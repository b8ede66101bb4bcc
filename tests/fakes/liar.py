"""Leaves out the last packing."""

from fakes.honest import Honest, accepts, probe
from wordpack.packing.answer import Packings

__all__ = ["accepts", "prepare", "probe"]


class Liar(Honest):
    """One packing short."""

    def answer(self) -> Packings:
        """Return all but the last."""
        return self.pack(list(self.choices((), 0))[:-1])


prepare = Liar
