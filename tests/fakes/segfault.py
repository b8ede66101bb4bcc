"""Dies from a signal in the middle of a run."""

import os
import signal

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class Segfault(Honest):
    """A bug in compiled code."""

    def answer(self) -> Packings:
        """Die."""
        os.kill(os.getpid(), signal.SIGSEGV)
        raise AssertionError


class Fake(honest.Fake):
    """The backend."""

    search = Segfault
