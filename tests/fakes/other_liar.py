"""Leaves out the first packing."""

from fakes.honest import Honest, accepts, probe
from wordpack.packing.answer import Packings

__all__ = ["accepts", "prepare", "probe"]


class OtherLiar(Honest):
    """One packing short, another one than Liar's."""

    def answer(self) -> Packings:
        """Return all but the first."""
        return self.pack(list(self.choices((), 0))[1:])


prepare = OtherLiar
