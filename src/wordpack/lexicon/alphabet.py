"""Alphabets: letters and their bit positions, in the order in which the letters are given.

All text that is compared with an alphabet goes through `Alphabet.spelt`: word lists, options,
patterns and guesses.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from wordpack.errors import InputError
from wordpack.lexicon.letters import (
    JAMO,
    LATIN,
    SYLLABLES,
    apart,
    clusters,
    composed,
    forms,
    is_plain,
    is_turkic,
)
from wordpack.lexicon.letters import small as small_form

MAX_LETTERS = 64
NONE = 255
"""The position of a character outside the alphabet."""

ASCII = [chr(code) for code in range(128)]

BETWEEN = re.compile(r"[\s,]+")
"""Separators, which people put between letters and which are refused."""

NAMED = 3
"""The most digraphs that an error line names."""


@dataclass(frozen=True)
class Alphabet:
    """Up to 64 different letters, each a single character, in the order of their bits.

    `letters` may be given in any case. With a dotless small or a dotted capital I the alphabet is
    Turkic, and the two are separate letters. Raises InputError if there is no letter, if there are
    more than 64, or if one is repeated or cannot be a letter.
    """

    letters: str = LATIN
    """The small form of each letter."""
    turkic: bool = field(init=False)
    owners: dict[str, str] = field(init=False, repr=False, compare=False)
    """The small form of the letter that each form belongs to."""

    def __post_init__(self) -> None:
        """Parse the letters; raise InputError if they cannot be an alphabet."""
        for name, value in zip(("letters", "turkic", "owners"), _parsed(self.letters), strict=True):
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.letters)

    @property
    def dtype(self) -> np.dtype[np.uint32] | np.dtype[np.uint64]:
        """The type of a signature: uint32 for up to 32 letters, else uint64."""
        return np.dtype(np.uint32) if len(self) <= 32 else np.dtype(np.uint64)  # noqa: PLR2004

    @property
    def spelled(self) -> str:
        """The letters, written so that `Alphabet` of them gives this alphabet again."""
        return spelled(self.letters, turkic=self.turkic)

    @property
    def unusual(self) -> list[tuple[str, ...]]:
        """The forms of each letter that has more than a small form and its capital."""
        found = ((letter, forms(letter, turkic=self.turkic)) for letter in self.letters)
        return [several for letter, several in found if not is_plain(letter, several)]

    @cached_property
    def has_jamo(self) -> bool:
        """Whether Hangul syllables are split into conjoining jamo before words are compared."""
        return JAMO.search(self.letters) is not None

    @cached_property
    def lowers_ascii(self) -> bool:
        """Whether str.lower() spells ASCII text correctly, as it does unless this is Turkic."""
        return all(
            self.owners.get(each) == self.owners.get(each.lower())
            and self.owners.get(each) in (None, each.lower())
            for each in ASCII
        )

    def spelt(self, text: str) -> str:
        """Return `text` with every letter of the alphabet as its one small character.

        Other characters stay outside the alphabet: they are lower-cased only if the result is one
        character and not a letter.
        """
        if text.isascii() and self.lowers_ascii:
            return text.lower()
        text = composed(text)
        if self.has_jamo:
            text = apart(text)
        for form in self._of_several:
            text = text.replace(form, self.owners[form])
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        seen = np.zeros(int(codes.max(initial=0)) + 1, bool)
        seen[codes] = True
        table = np.arange(len(seen), dtype="<u4")
        for code in np.flatnonzero(seen).tolist():
            table[code] = ord(self._small(chr(code)))
        return str(table[codes].data, "utf-32-le", "surrogatepass")

    @cached_property
    def _of_several(self) -> list[str]:
        """The forms of several code points, longest first, since one may be a prefix of another."""
        return sorted((form for form in self.owners if len(form) > 1), key=len, reverse=True)

    def _small(self, character: str) -> str:
        if character in self.owners:
            return self.owners[character]
        lowered = character.lower()
        return lowered if len(lowered) == 1 and lowered not in self.owners else character

    @cached_property
    def _table(self) -> npt.NDArray[np.uint8]:
        # One entry past the last letter catches all larger code points; 256 keeps bytes unclipped.
        table = np.full(max(256, max(map(ord, self.letters)) + 2), NONE, dtype=np.uint8)
        table[[ord(letter) for letter in self.letters]] = np.arange(len(self), dtype=np.uint8)
        return table

    def positions(self, codes: npt.NDArray[np.unsignedinteger]) -> npt.NDArray[np.uint8]:
        """Return the bit position of each code point of a spelt text, or NONE.

        `codes` are uint8 or uint32.
        """
        if codes.dtype == np.uint8:
            # bytes.translate is several times faster than numpy's gather
            translated = codes.tobytes().translate(self._table[:256].tobytes())
            return np.frombuffer(translated, dtype=np.uint8)
        places: npt.NDArray[np.uint8] = self._table[np.minimum(codes, len(self._table) - 1)]
        return places

    @cached_property
    def bytewise(self) -> npt.NDArray[np.uint8]:
        """(256,) uint8: the bit position of each ASCII letter, small or capital, else NONE."""
        table = np.full(256, NONE, dtype=np.uint8)
        for form, letter in self.owners.items():
            if form.isascii():
                table[ord(form)] = self.letters.index(letter)
        return table

    def mask_of(self, letters: str) -> int:
        """Return the bits of `letters`, ignoring those outside the alphabet."""
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


def spelled(letters: str, *, turkic: bool) -> str:
    """Return small `letters`, written so that their alphabet is Turkic if `turkic` is true."""
    if turkic and not is_turkic(letters):
        return letters.replace("i", "İ")
    return letters


@lru_cache(maxsize=64)
def _parsed(text: str) -> tuple[str, bool, dict[str, str]]:
    """Return an alphabet's small letters, whether it is Turkic, and the letter of each form."""
    if not text:
        raise InputError("the alphabet has no letter: give `letters` at least one")
    if BETWEEN.search(text):
        raise InputError(_separated(text))
    turkic, given = is_turkic(text), clusters(text)
    letters = [small_form(each, turkic=turkic) for each in given]
    if len(letters) > MAX_LETTERS:
        raise InputError(
            f"the alphabet has {len(letters)} letters: a signature holds at most {MAX_LETTERS}"
        )
    owners: dict[str, str] = {}
    for place, (cluster, letter) in enumerate(zip(given, letters, strict=True)):
        if len(letter) > 1:
            raise InputError(
                f"{cluster!r} (letter {place + 1} of `letters`) is {len(letter)} characters, and "
                "letters are single characters: leave it out, or give its base letter alone"
            )
        if not letter.isprintable() or unicodedata.combining(letter):
            raise InputError(
                f"{letter!r} (letter {place + 1} of `letters`) cannot be a letter: "
                "give single printable characters, with nothing between them"
            )
        found = forms(letter, turkic=turkic)
        for form in found:
            if form in owners:
                first = given[letters.index(owners[form])]
                raise InputError(_twice(first, given[place : place + 2], form))
        owners |= dict.fromkeys(found, letter)
    if JAMO.search(text) and (syllable := SYLLABLES.search("".join(letters))):
        raise InputError(
            f"`letters` has conjoining jamo and the syllable {syllable[0][0]!r}, which is jamo "
            "too: give jamo alone, or syllables alone"
        )
    return "".join(letters), turkic, owners


def _separated(text: str) -> str:
    """Return the error line for letters with separators between them."""
    place = next(place for place, each in enumerate(text) if BETWEEN.match(each))
    what = "a space" if text[place] == " " else repr(text[place])
    found = f"`letters` has {what} (character {place + 1})"
    parts = [part for part in BETWEEN.split(text) if part]
    several = [repr(part) for part in parts if len(clusters(part)) > 1]
    if several and len(parts) > 1:
        more = f" and {len(several) - NAMED:,} more" if len(several) > NAMED else ""
        found += f" and the digraphs {', '.join(several[:NAMED])}{more}"
    return f"{found}: write single characters without separators; a digraph cannot be a letter"


def _twice(first: str, second: list[str], form: str) -> str:
    """Return the error line for two letters that share a form."""
    if first != second[0]:
        return (
            f"{first!r} and {second[0]!r} of `letters` are the same letter twice, since both can "
            f"be {form!r}: give it once"
        )
    pair = "".join(second)
    if len(second) > 1 and pair.isalpha():
        return (
            f"`letters` has the letter {first!r} twice, once in {pair!r}: give each letter once; "
            "letters are single characters, and a digraph cannot be one"
        )
    return f"`letters` has the letter {first!r} twice: give each letter once"
