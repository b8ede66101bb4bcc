"""Lists rightly and counts one packing too many."""

from fakes import honest
from fakes.honest import Honest
from wordpack.packing.answer import Answer, Counts


class Miscounter(Honest):
    """Wrong with count_only alone."""

    def run(self, *, work: bool = False) -> Answer:
        """Return one more where only numbers are wanted."""
        whole = super().run(work=work)
        return Counts(whole.packings + 1, whole.solutions) if isinstance(whole, Counts) else whole


class Fake(honest.Fake):
    """The backend."""

    search = Miscounter
