"""Never ends its run."""

from fakes.hanging import hang
from fakes.honest import Honest, accepts, probe
from wordpack.packing.answer import Packings

__all__ = ["accepts", "prepare", "probe"]


class HangingRun(Honest):
    """An endless search."""

    def answer(self) -> Packings:
        """Hang."""
        hang()


prepare = HangingRun
