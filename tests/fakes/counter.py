"""Counts when asked to list."""

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Counts


class Counter(Honest):
    """Returns the right numbers, but nothing to verify."""

    def run(self, *, work: bool = False) -> Counts:  # noqa: ARG002  the interface's name
        """Return numbers only."""
        return self.answer().counts()


class Fake(honest.Fake):
    """The backend."""

    search = Counter
