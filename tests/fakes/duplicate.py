"""Repeats the first packing at the end, with its words in another order."""

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class Duplicate(Honest):
    """Returns one packing too many."""

    def answer(self) -> Packings:
        """Return all packings, and the first once more."""
        found = list(self.choices((), 0))
        return self.pack([*found, found[0][::-1]])


class Fake(honest.Fake):
    """The backend."""

    search = Duplicate
