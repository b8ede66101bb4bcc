"""Leaves out the first packing."""

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class OtherLiar(Honest):
    """Returns one packing too few, but not the same one as Liar."""

    def answer(self) -> Packings:
        """Return all but the first."""
        return self.pack(list(self.choices((), 0))[1:])


class Fake(honest.Fake):
    """The backend."""

    search = OtherLiar
