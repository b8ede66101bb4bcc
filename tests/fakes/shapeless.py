"""Accepts no problem at all."""

from fakes import honest
from wordpack.backend.base import Options, Refusal
from wordpack.packing.problem import Problem


class Fake(honest.Fake):
    """The backend."""

    def accepts(self, _problem: Problem, _options: Options) -> Refusal:
        """Refuse by shape."""
        return Refusal("shape", "it is for triangles only")
