"""Ends its process in the middle of a run, without a word."""

import os

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class Leaver(Honest):
    """A library that calls exit."""

    def answer(self) -> Packings:
        """Leave."""
        os._exit(3)


class Fake(honest.Fake):
    """The backend."""

    search = Leaver
