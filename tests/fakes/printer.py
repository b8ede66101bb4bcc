"""Right, but prints text like the racer's own messages, through both layers."""

import os

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings

GARBAGE = '{"event": "done", "seconds": 0.0}\nnot json\n'


class Printer(Honest):
    """Left-over debugging."""

    def answer(self) -> Packings:
        """Print and answer."""
        print(GARBAGE, flush=True)  # noqa: T201  its fault
        os.write(1, GARBAGE.encode())
        return super().answer()


class Fake(honest.Fake):
    """The backend."""

    search = Printer
