"""Leaves out the last packing."""

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class Liar(Honest):
    """Returns one packing too few."""

    def answer(self) -> Packings:
        """Return all but the last."""
        return self.pack(list(self.choices((), 0))[:-1])


class Fake(honest.Fake):
    """The backend."""

    search = Liar
