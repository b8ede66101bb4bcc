"""Right the first time, then always one packing short."""

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Packings


class Flaky(Honest):
    """A race condition, seen from outside."""

    runs = 0

    def answer(self) -> Packings:
        """Return fewer packings than before."""
        self.runs += 1
        found = list(self.choices((), 0))
        return self.pack(found if self.runs == 1 else found[1:])


class Fake(honest.Fake):
    """The backend."""

    search = Flaky
