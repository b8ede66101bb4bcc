"""Never finishes its run."""

from fakes import honest
from fakes.hanging import hang
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class HangingRun(Honest):
    """An endless search."""

    def answer(self) -> Packings:
        """Hang."""
        hang()


class Fake(honest.Fake):
    """The backend."""

    search = HangingRun
