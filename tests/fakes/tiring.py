"""Right twice; the third run never ends."""

from fakes.hanging import hang
from fakes.honest import Honest, accepts, probe
from wordpack.packing.answer import Packings

__all__ = ["accepts", "prepare", "probe"]


class Tiring(Honest):
    """A machine that is taken away."""

    runs = 0

    def answer(self) -> Packings:
        """Answer, or hang."""
        self.runs += 1
        if self.runs > 2:
            hang()
        return super().answer()


prepare = Tiring
