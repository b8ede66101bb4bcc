"""Notices in its first run that it cannot run."""

from fakes import honest
from fakes.honest import Honest
from wordpack.errors import Unavailable
from wordpack.packing.answer import Packings


class Lost(Honest):
    """A device that is lost after a few right answers."""

    right = 0

    def answer(self) -> Packings:
        """Answer, or fail."""
        if not self.right:
            raise Unavailable("The device is lost in a run: reset it.")
        self.right -= 1
        return super().answer()


class Fake(honest.Fake):
    """The backend."""

    search = Lost
