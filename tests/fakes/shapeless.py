"""Takes no problem at all."""

from fakes.honest import Honest, probe
from wordpack.backend.base import Options, Refusal
from wordpack.packing.problem import Problem

__all__ = ["accepts", "prepare", "probe"]


def accepts(_problem: Problem, _options: Options) -> Refusal:
    """Refuse by shape."""
    return Refusal("shape", "it is for triangles only")


prepare = Honest
