"""Never ends its preparation."""

from typing import NoReturn

from fakes.hanging import hang
from fakes.honest import accepts, probe
from wordpack.backend.base import Options
from wordpack.packing.problem import Problem

__all__ = ["accepts", "prepare", "probe"]


def prepare(_problem: Problem, _options: Options) -> NoReturn:
    """Hang."""
    hang()
