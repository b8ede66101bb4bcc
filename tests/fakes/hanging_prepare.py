"""Never finishes preparing."""

from typing import NoReturn

from fakes import honest
from fakes.hanging import hang
from wordpack.backend.base import Options
from wordpack.packing.problem import Problem


class Fake(honest.Fake):
    """The backend."""

    def prepare(self, _problem: Problem, _options: Options) -> NoReturn:
        """Hang."""
        hang()
