"""A part of a word list that is drawn at random: a share or a number of its words."""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from wordpack.errors import InputError

SHARE = re.compile(r"(0|1)?\.[0-9]{1,18}")
NUMBER = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True)
class Sample:
    """How many words are drawn of a list: a share, as 0.25 or 1.0, or a number, as 2000."""

    text: str

    def __post_init__(self) -> None:
        """Refuse what is neither."""
        share = SHARE.fullmatch(self.text) is not None and 0 < Fraction(self.text) <= 1
        if not share and not (NUMBER.fullmatch(self.text) and int(self.text)):
            raise InputError(
                f"`samples` {self.text}: give a share of the words, as 0.25, or a number of them, "
                "as 2000"
            )

    def size(self, words: int) -> int:
        """Return how many words are drawn of so many; half a word counts as one."""
        if "." in self.text:
            return floor(Fraction(self.text) * words + Fraction(1, 2))
        return int(self.text)
