"""Right twice; its third run never ends."""

from fakes import honest
from fakes.hanging import hang
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class Tiring(Honest):
    """A machine that is taken away."""

    runs = 0

    def answer(self) -> Packings:
        """Answer, or hang."""
        self.runs += 1
        if self.runs > 2:
            hang()
        return super().answer()


class Fake(honest.Fake):
    """The backend."""

    search = Tiring
