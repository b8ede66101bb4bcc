"""Never ends, and reports that a twentieth of its time has passed."""

from threading import Event

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class Timing(Honest):
    """A search without end."""

    def time_share(self) -> float:
        """Return the same share every time."""
        return 0.05

    def answer(self) -> Packings:
        """Wait longer than any test's budget."""
        Event().wait(600)
        return super().answer()


class Fake(honest.Fake):
    """The backend."""

    search = Timing
