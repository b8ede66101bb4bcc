"""The size of a random sample of a word list: a share or a number of its words."""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from wordpack.errors import InputError

SHARE = re.compile(r"(0|1)?\.[0-9]{1,18}")
NUMBER = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True)
class Sample:
    """How many words to draw from a list: a share (0.25, 1.0) or a number (2000)."""

    text: str

    def __post_init__(self) -> None:
        """Raise InputError if the text is neither."""
        share = SHARE.fullmatch(self.text) is not None and 0 < Fraction(self.text) <= 1
        if not share and not (NUMBER.fullmatch(self.text) and int(self.text)):
            raise InputError(
                f"`samples` {self.text}: give a share of the words, such as 0.25, or a number, "
                "such as 2000"
            )

    def size(self, words: int) -> int:
        """Return how many of `words` words to draw; half a word is rounded up."""
        if "." in self.text:
            return floor(Fraction(self.text) * words + Fraction(1, 2))
        return int(self.text)
