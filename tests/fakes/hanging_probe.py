"""Never says whether it can run here."""

from typing import NoReturn

from fakes.hanging import hang
from fakes.honest import Honest, accepts

__all__ = ["accepts", "prepare", "probe"]


def probe() -> NoReturn:
    """Hang."""
    hang()


prepare = Honest
