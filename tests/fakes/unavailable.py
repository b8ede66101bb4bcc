"""Cannot run on any machine."""

from typing import NoReturn

from fakes.honest import Honest, accepts
from wordpack.errors import Unavailable

__all__ = ["accepts", "prepare", "probe"]


def probe() -> NoReturn:
    """Say why not, with the square brackets of an extra."""
    raise Unavailable("The library is missing: pip install 'wordpack[gpu]'.")


prepare = Honest
