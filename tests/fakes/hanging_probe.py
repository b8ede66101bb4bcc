"""Never says whether it can run here."""

from typing import NoReturn

from fakes import honest
from fakes.hanging import hang


class Fake(honest.Fake):
    """The backend."""

    def probe(self) -> NoReturn:
        """Hang."""
        hang()
