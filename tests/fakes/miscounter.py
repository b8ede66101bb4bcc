"""Lists correctly but counts one packing too many."""

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Answer, Counts


class Miscounter(Honest):
    """Is wrong only with count_only."""

    def run(self, *, work: bool = False) -> Answer:
        """Return one more if only numbers are wanted."""
        whole = super().run(work=work)
        return Counts(whole.packings + 1, whole.solutions) if isinstance(whole, Counts) else whole


class Fake(honest.Fake):
    """The backend."""

    search = Miscounter
