"""Ends its process silently in the middle of a run."""

import os

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class Leaver(Honest):
    """A library that calls exit."""

    def answer(self) -> Packings:
        """Exit."""
        os._exit(3)


class Fake(honest.Fake):
    """The backend."""

    search = Leaver
