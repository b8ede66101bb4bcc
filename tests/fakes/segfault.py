"""Dies of a signal in the middle of a run."""

import os
import signal

from fakes.honest import Honest, accepts, probe
from wordpack.packing.answer import Packings

__all__ = ["accepts", "prepare", "probe"]


class Segfault(Honest):
    """A bug in compiled code."""

    def answer(self) -> Packings:
        """Die."""
        os.kill(os.getpid(), signal.SIGSEGV)
        raise AssertionError


prepare = Segfault
