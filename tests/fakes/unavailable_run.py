"""Finds out in its first run that it cannot run."""

from fakes.honest import Honest, accepts, probe
from wordpack.errors import Unavailable
from wordpack.packing.answer import Packings

__all__ = ["accepts", "prepare", "probe"]


class Lost(Honest):
    """A device that is lost after some right answers."""

    right = 0

    def answer(self) -> Packings:
        """Answer, or fail."""
        if not self.right:
            raise Unavailable("The device is lost in a run: reset it.")
        self.right -= 1
        return super().answer()


prepare = Lost
