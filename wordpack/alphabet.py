"""Letters and their bit positions: the order in which an alphabet is given is the order of bits."""

import unicodedata
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wordpack.errors import InputError
from wordpack.spec import LATIN

MAX_LETTERS = 64
NONE = 255
"""The position of a character that is no letter of the alphabet."""


def normalise(text: str) -> str:
    """Return `text` lower-cased by Unicode rules, then NFC-normalised."""
    lowered = text.lower()
    return lowered if lowered.isascii() else unicodedata.normalize("NFC", lowered)


@dataclass(frozen=True)
class Alphabet:
    """Up to 64 different letters, each one character after `normalise`.

    Raises InputError for no letter, more than 64, a letter twice, or a space among them.
    """

    letters: str = LATIN

    def __post_init__(self) -> None:
        """Normalise the letters as words are normalised, and refuse what cannot be an alphabet."""
        letters = normalise(self.letters)
        object.__setattr__(self, "letters", letters)
        if not letters:
            raise InputError("the alphabet has no letter: give --letters at least one")
        if len(letters) > MAX_LETTERS:
            raise InputError(
                f"the alphabet has {len(letters)} letters: a signature holds at most {MAX_LETTERS}"
            )
        for place, letter in enumerate(letters):
            if letter.isspace() or not letter.isprintable() or unicodedata.combining(letter):
                raise InputError(
                    f"{letter!r} (character {place + 1} of --letters) cannot be a letter: "
                    "give single printable characters, with nothing between them"
                )
            if letter in letters[:place]:
                raise InputError(
                    f"the letter {letter!r} is twice in the alphabet (upper and lower case count "
                    "as one): give each letter of --letters once"
                )

    def __len__(self) -> int:
        return len(self.letters)

    @property
    def dtype(self) -> np.dtype[np.uint32] | np.dtype[np.uint64]:
        """The type of a signature: uint32 for up to 32 letters, else uint64."""
        return np.dtype(np.uint32) if len(self) <= 32 else np.dtype(np.uint64)  # noqa: PLR2004

    @cached_property
    def _table(self) -> npt.NDArray[np.uint8]:
        # One entry past the last letter catches all larger code points; 256 keeps bytes unclipped.
        table = np.full(max(256, max(map(ord, self.letters)) + 2), NONE, dtype=np.uint8)
        table[[ord(letter) for letter in self.letters]] = np.arange(len(self), dtype=np.uint8)
        return table

    def positions(self, codes: npt.NDArray[np.unsignedinteger]) -> npt.NDArray[np.uint8]:
        """Return the bit position of each code point (uint8 or uint32), NONE for no letter."""
        if codes.dtype == np.uint8:
            # bytes.translate is several times faster than numpy's gather
            translated = codes.tobytes().translate(self._table[:256].tobytes())
            return np.frombuffer(translated, dtype=np.uint8)
        places: npt.NDArray[np.uint8] = self._table[np.minimum(codes, len(self._table) - 1)]
        return places

    @cached_property
    def bytewise(self) -> npt.NDArray[np.uint8]:
        """(256,) uint8: the bit position of each ASCII letter, capitals too, else NONE."""
        table = np.full(256, NONE, dtype=np.uint8)
        for place, letter in enumerate(self.letters):
            if letter.isascii():
                table[[ord(letter), ord(letter.upper())]] = place
        return table

    def mask_of(self, letters: str) -> int:
        """Return the bits of those `letters` that the alphabet has."""
        return sum(1 << place for place, letter in enumerate(self.letters) if letter in letters)

    def letters_of(self, mask: int) -> str:
        """Return the letters of `mask`, in the alphabet's order."""
        return "".join(letter for place, letter in enumerate(self.letters) if mask >> place & 1)

    def sort_key(self, word: str) -> str:
        """Return a key that sorts words of this alphabet by the order of its letters."""
        return word if self.letters == LATIN else word.translate(self._ranks)

    @cached_property
    def _ranks(self) -> dict[int, int]:
        return {ord(letter): place for place, letter in enumerate(self.letters)}
