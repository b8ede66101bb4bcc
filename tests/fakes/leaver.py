"""Ends its process in the middle of a run, without a word."""

import os

from fakes.honest import Honest, accepts, probe
from wordpack.packing.answer import Packings

__all__ = ["accepts", "prepare", "probe"]


class Leaver(Honest):
    """A library that calls exit."""

    def answer(self) -> Packings:
        """Leave."""
        os._exit(3)


prepare = Leaver
