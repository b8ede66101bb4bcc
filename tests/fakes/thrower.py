"""Raises in its run, with a message that a markup parser would misread."""

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class Thrower(Honest):
    """A bug."""

    def answer(self) -> Packings:
        """Raise."""
        raise ValueError("no room [for it] in [/dev/shm]")


class Fake(honest.Fake):
    """The backend."""

    search = Thrower
