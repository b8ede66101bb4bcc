"""Notices in its first run that it cannot take the problem."""

from fakes import honest
from fakes.honest import Honest
from wordpack.errors import InputError
from wordpack.packing.answer import Packings


class Small(Honest):
    """A backend whose memory is too small."""

    def answer(self) -> Packings:
        """Fail."""
        raise InputError("these words need 9 GiB: free some")


class Fake(honest.Fake):
    """The backend."""

    search = Small
