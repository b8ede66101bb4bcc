"""Cannot run on any machine."""

from typing import NoReturn

from fakes import honest
from wordpack.errors import Unavailable


class Fake(honest.Fake):
    """The backend."""

    def probe(self) -> NoReturn:
        """Give a reason with the square brackets of an extra."""
        raise Unavailable("The library is missing: pip install 'wordpack[gpu]'.")
