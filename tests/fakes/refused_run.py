"""Finds out in its first run that it does not take the problem."""

from fakes.honest import Honest, accepts, probe
from wordpack.errors import InputError
from wordpack.packing.answer import Packings

__all__ = ["accepts", "prepare", "probe"]


class Small(Honest):
    """A backend whose memory is too small."""

    def answer(self) -> Packings:
        """Fail."""
        raise InputError("these words need 9 GiB: free some")


prepare = Small
