"""Raises in its run, with a message that a markup language would stumble over."""

from fakes.honest import Honest, accepts, probe
from wordpack.packing.answer import Packings

__all__ = ["accepts", "prepare", "probe"]


class Thrower(Honest):
    """A bug."""

    def answer(self) -> Packings:
        """Raise."""
        raise ValueError("no room [for it] in [/dev/shm]")


prepare = Thrower
