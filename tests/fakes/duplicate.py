"""Gives the first packing again at the end, its words in another order."""

from fakes.honest import Honest, accepts, probe
from wordpack.packing.answer import Packings

__all__ = ["accepts", "prepare", "probe"]


class Duplicate(Honest):
    """One packing too many."""

    def answer(self) -> Packings:
        """Return all, and the first once more."""
        found = list(self.choices((), 0))
        return self.pack([*found, found[0][::-1]])


prepare = Duplicate
