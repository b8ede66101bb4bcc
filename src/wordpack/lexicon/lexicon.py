"""The words kept from a list, and an account of its other lines."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from wordpack.errors import InputError
from wordpack.lexicon.alphabet import MAX_LETTERS, Alphabet
from wordpack.lexicon.rules import VOWELS, Account, Dropped, Foreign

POSITION_BITS = (MAX_LETTERS - 1).bit_length()
WIDEST = 64 // POSITION_BITS
"""The most letters of a word whose positions fit in 64 bits."""

RUNS = 4
"""The least average length of ascending runs, in words, at which merging them is faster."""


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words kept from a list, in its order, as spans of one text in small letters."""

    name: str
    alphabet: Alphabet
    text: str = field(repr=False)
    positions: npt.NDArray[np.uint8] = field(repr=False)
    """Bit position of each character of `text`."""
    starts: npt.NDArray[np.int64] = field(repr=False)
    ends: npt.NDArray[np.int64] = field(repr=False)
    account: Callable[[], Account] = field(repr=False)
    """Where the lines went; the first call may have to read the list."""
    foreign: Callable[[int], Foreign] = field(repr=False, default=lambda _length: Foreign(0, 0, ""))
    """How many lines of a given length the alphabet costs; every call scans all lines."""

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[str]:
        text = self.text
        return (text[a:b] for a, b in zip(self.starts.tolist(), self.ends.tolist(), strict=True))

    def spelling(self, place: int) -> str:
        """Return the word at `place`."""
        return self.text[self.starts[place] : self.ends[place]]

    def lost_to_alphabet(self, length: int) -> str:
        """Return a line if the alphabet costs most words of `length`, else ''."""
        return self.foreign(length).said(self.name, length, self.alphabet.spelled)

    @property
    def lines(self) -> int:
        """Lines of the list."""
        return self.account().lines

    @property
    def dropped(self) -> Dropped:
        """How many lines were dropped, and why."""
        return self.account().dropped

    @property
    def trimmed(self) -> int:
        """How many lines with a word had white space around it."""
        return self.account().trimmed

    @property
    def examples(self) -> dict[str, str]:
        """The first line dropped of each kind."""
        return self.account().examples

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Letters of each word, int64."""
        return self.ends - self.starts

    @cached_property
    def masks(self) -> npt.NDArray[np.uint64]:
        """The signature of each word, uint64."""
        if not len(self):
            return np.zeros(0, dtype=np.uint64)
        if self.rows is not None:
            masks = np.zeros(len(self), dtype=np.uint64)
            for column in self.rows.T:
                masks |= np.uint64(1) << column.astype(np.uint64)
            return masks
        firsts = np.cumsum(self.lengths) - self.lengths
        where = np.repeat(self.starts - firsts, self.lengths) + np.arange(self.lengths.sum())
        bits = np.uint64(1) << self.positions[where].astype(np.uint64)
        return np.bitwise_or.reduceat(bits, firsts)

    @cached_property
    def rows(self) -> npt.NDArray[np.uint8] | None:
        """Letter positions (n, letters) if all words have one length, 1 to MAX_LETTERS."""
        width = int(self.lengths[0]) if len(self) else 0
        if not 1 <= width <= MAX_LETTERS or (self.lengths != width).any():
            return None
        if len(self.positions) == len(self) * width:
            return self.positions.reshape(-1, width)
        rows: npt.NDArray[np.uint8] = self.positions[self.starts[:, None] + np.arange(width)]
        return rows

    @cached_property
    def order(self) -> npt.NDArray[np.int64]:
        """The places of the words, (n,) int64, sorted by the alphabet's order."""
        if self.rows is None:
            key_of, words = self.alphabet.sort_key, list(self)
            return np.array(sorted(range(len(words)), key=lambda n: key_of(words[n])), np.int64)
        if self.rows.shape[1] <= WIDEST:
            key = np.zeros(len(self), dtype=np.uint64)
            for column in self.rows.T:
                key <<= np.uint64(POSITION_BITS)
                key |= column
            if np.count_nonzero(key[1:] < key[:-1]) * RUNS < len(key):
                return np.argsort(key, kind="stable")  # merges ascending runs
        # radix sort from the last letter, two or three at a time: numpy does so for 16-bit keys
        letters = len(self.alphabet)
        step = 3 if letters**3 <= 1 << 16 else 2
        order = np.arange(len(self))
        for last in range(self.rows.shape[1], 0, -step):
            digits = np.zeros(len(self), dtype=np.uint16)
            for column in self.rows.T[max(0, last - step) : last]:
                digits *= np.uint16(letters)
                digits += column
            order = order[np.argsort(digits[order], kind="stable")]
        return order

    def select(
        self,
        length: int | None = None,
        *,
        repeats: bool = False,
        max_vowels: int | None = None,
    ) -> "Lexicon":
        """Return the words of `length` letters that pass the rules on repeats and vowels.

        `max_vowels` counts different letters of aeiouy. Raises InputError if the alphabet has
        none of these.
        """
        kept = self
        if length is not None:
            kept = kept.drop("length", kept.lengths != length)
        if not repeats:
            kept = kept.drop("repeated_letter", np.bitwise_count(kept.masks) < kept.lengths)
        if max_vowels is not None:
            vowels = self.alphabet.mask_of(VOWELS)
            if not vowels:
                raise InputError(
                    f"`max_vowels` counts the letters {VOWELS}, and the alphabet "
                    f"{self.alphabet.spelled} has none of them: leave the option out"
                )
            kept = kept.drop(
                "vowels", np.bitwise_count(kept.masks & np.uint64(vowels)) > max_vowels
            )
        return kept

    def shared_with(self, other: "Lexicon") -> "Lexicon":
        """Return the words that are also in `other`, letter for letter."""
        theirs = set(other)
        return self.drop("not_shared", np.array([word not in theirs for word in self], bool))

    def drop(self, kind: str, bad: npt.NDArray[np.bool_]) -> "Lexicon":
        """Return the words that are not `bad`, and count the bad ones as dropped for `kind`."""
        count = int(np.count_nonzero(bad))
        if not count:
            return self
        example = self.spelling(int(np.argmax(bad)))
        account = self.account
        return self.keep(~bad, cache(lambda: account().less(kind, count, example)))

    def keep(self, good: npt.NDArray[np.bool_], account: Callable[[], Account]) -> "Lexicon":
        """Return the words that are `good`, with a new account of the lines."""
        places = np.flatnonzero(good)  # faster than indexing with booleans three times
        kept = replace(self, starts=self.starts[places], ends=self.ends[places], account=account)
        # carry over what is already computed
        if "masks" in vars(self):
            vars(kept)["masks"] = self.masks[places]
        if "order" in vars(self):
            number = np.empty(len(self), np.int64)
            number[places] = np.arange(len(places))
            vars(kept)["order"] = number[self.order[np.flatnonzero(good[self.order])]]
        return kept
