"""Replaces the last packing by words that share letters."""

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class Overlapping(Honest):
    """Returns the right number of packings, but one is not a packing."""

    def answer(self) -> Packings:
        """Return the first words of the list as the last packing."""
        found = list(self.choices((), 0))
        return self.pack([*found[:-1], tuple(range(len(self.slots)))])


class Fake(honest.Fake):
    """The backend."""

    search = Overlapping
