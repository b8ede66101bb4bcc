"""Refuses everything by cost, and answers correctly if asked anyway."""

from fakes import honest
from wordpack.backend.base import Options, Refusal
from wordpack.packing.problem import Problem


class Fake(honest.Fake):
    """The backend."""

    def accepts(self, _problem: Problem, _options: Options) -> Refusal:
        """Refuse by cost."""
        return Refusal("cost", "it would take until the weekend")
