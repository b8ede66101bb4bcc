"""It never ends, and says that a twentieth of its time has passed."""

from threading import Event

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class Timing(Honest):
    """A search without end."""

    def time_share(self) -> float:
        """Return always the same share."""
        return 0.05

    def answer(self) -> Packings:
        """Wait for longer than any budget of a test."""
        Event().wait(600)
        return super().answer()


class Fake(honest.Fake):
    """The backend."""

    search = Timing
