"""Right, and prints what looks like the racer's own messages, through both layers."""

import os

from fakes.honest import Honest, accepts, probe
from wordpack.packing.answer import Packings

__all__ = ["accepts", "prepare", "probe"]

GARBAGE = '{"event": "done", "seconds": 0.0}\nnot json\n'


class Printer(Honest):
    """Left-over debugging."""

    def answer(self) -> Packings:
        """Print and answer."""
        print(GARBAGE, flush=True)  # noqa: T201  its fault
        os.write(1, GARBAGE.encode())
        return super().answer()


prepare = Printer
