"""Lists rightly and counts one packing too many."""

from fakes.honest import Honest, accepts, probe
from wordpack.packing.answer import Answer, Counts

__all__ = ["accepts", "prepare", "probe"]


class Miscounter(Honest):
    """Wrong with count_only alone."""

    def run(self, *, work: bool = False) -> Answer:
        """Return one more where only numbers are wanted."""
        whole = super().run(work=work)
        return Counts(whole.packings + 1, whole.solutions) if isinstance(whole, Counts) else whole


prepare = Miscounter
