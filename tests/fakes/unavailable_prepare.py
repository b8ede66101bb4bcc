"""Notices in `prepare` that it cannot run."""

from typing import NoReturn

from fakes import honest
from wordpack.backend.base import Options
from wordpack.errors import Unavailable
from wordpack.packing.problem import Problem


class Fake(honest.Fake):
    """The backend."""

    def prepare(self, _problem: Problem, _options: Options) -> NoReturn:
        """Fail."""
        raise Unavailable("The device is lost in prepare: reset it.")
