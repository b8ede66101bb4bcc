"""Right after a few seconds, with progress reports until then."""

from threading import Event

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class Pacing(Honest):
    """A long search."""

    def progress(self) -> float:
        """Return the same share every time."""
        return 0.4

    def answer(self) -> Packings:
        """Answer after the race has been told twice."""
        Event().wait(2.5)
        return super().answer()


class Fake(honest.Fake):
    """The backend."""

    search = Pacing
