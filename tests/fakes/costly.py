"""Thinks everything too large, and is right when it is asked all the same."""

from fakes.honest import Honest, probe
from wordpack.backend.base import Options, Refusal
from wordpack.packing.problem import Problem

__all__ = ["accepts", "prepare", "probe"]


def accepts(_problem: Problem, _options: Options) -> Refusal:
    """Refuse by cost."""
    return Refusal("cost", "it would take until the weekend")


prepare = Honest
