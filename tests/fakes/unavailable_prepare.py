"""Finds out in `prepare` that it cannot run."""

from typing import NoReturn

from fakes.honest import accepts, probe
from wordpack.backend.base import Options
from wordpack.errors import Unavailable
from wordpack.packing.problem import Problem

__all__ = ["accepts", "prepare", "probe"]


def prepare(_problem: Problem, _options: Options) -> NoReturn:
    """Fail."""
    raise Unavailable("The device is lost in prepare: reset it.")
