"""The words of one group, filed under their signatures: the letters of a word as a bitmask."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wordpack.lexicon import Lexicon


@dataclass(frozen=True, eq=False)
class Signatures:
    """Masks in the order in which a list first has them, each with the words that have it."""

    words: tuple[str, ...] = field(repr=False)
    masks: npt.NDArray[np.unsignedinteger]
    """(n,) uint32, or uint64 for more than 32 letters."""
    offsets: npt.NDArray[np.int64] = field(repr=False)
    """(n + 1,): the words of mask i are `members[offsets[i]:offsets[i + 1]]`."""
    members: npt.NDArray[np.int64] = field(repr=False)
    """Indices into `words`, in list order inside a signature."""
    ranks: npt.NDArray[np.int64] = field(repr=False)
    """The place of each word in the alphabet's order of words."""

    def __len__(self) -> int:
        return len(self.masks)

    @cached_property
    def weights(self) -> npt.NDArray[np.int64]:
        """(n,) int64: how many words have each mask."""
        return np.diff(self.offsets)

    @cached_property
    def ordered(self) -> tuple[str, ...]:
        """The words in the alphabet's order: `ordered[ranks[i]]` is `words[i]`."""
        words: list[str] = [""] * len(self.words)
        for rank, word in zip(self.ranks.tolist(), self.words, strict=True):
            words[rank] = word
        return tuple(words)


def group(lexicon: Lexicon, *, keep_anagrams: bool = False) -> Signatures:
    """Return the words of `lexicon` by signature, or each on its own with `keep_anagrams`."""
    words = tuple(lexicon)
    masks: npt.NDArray[np.unsignedinteger] = lexicon.masks.astype(lexicon.alphabet.dtype)
    key = lexicon.alphabet.sort_key
    order = sorted(range(len(words)), key=lambda place: key(words[place]))
    ranks = np.empty(len(words), dtype=np.int64)
    ranks[order] = np.arange(len(words))
    if keep_anagrams:
        every = np.arange(len(words) + 1)
        return Signatures(words, masks, every, every[:-1], ranks)
    by_mask = np.argsort(masks, kind="stable")
    heads = np.ones(len(words), dtype=bool)
    heads[1:] = masks[by_mask][1:] != masks[by_mask][:-1]
    which = np.empty(len(words), dtype=np.int64)
    which[by_mask] = np.cumsum(heads) - 1
    first = by_mask[heads]
    # number the signatures by their first word's place in the list
    by_first = np.argsort(first)
    place = np.empty_like(by_first)
    place[by_first] = np.arange(len(by_first))
    members = np.argsort(place[which], kind="stable")
    offsets = np.concatenate(([0], np.cumsum(np.bincount(place[which], minlength=len(first)))))
    return Signatures(words, masks[first[by_first]], offsets, members, ranks)
