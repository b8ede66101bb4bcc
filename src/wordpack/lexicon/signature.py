"""The words of one group, grouped by signature: the set of a word's letters as a bitmask."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wordpack.lexicon.lexicon import Lexicon

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Signatures:
    """Masks in order of first appearance in a list, each with its words."""

    lexicon: Lexicon = field(repr=False)
    masks: npt.NDArray[np.unsignedinteger]
    """(n,) uint32, or uint64 for more than 32 letters."""
    offsets: Integers = field(repr=False)
    """(n + 1,): the words of mask i are `members[offsets[i]:offsets[i + 1]]`."""
    members: Integers = field(repr=False)
    """Places of words in the list, in list order within a signature."""

    def __len__(self) -> int:
        return len(self.masks)

    @cached_property
    def weights(self) -> Integers:
        """(n,) int64: how many words have each mask."""
        return np.diff(self.offsets)

    @cached_property
    def ranks(self) -> npt.NDArray[np.int32]:
        """(words,) int32: the place of each word in the alphabet's order of words."""
        ranks = np.empty(len(self.lexicon), dtype=np.int32)
        ranks[self.lexicon.order] = np.arange(len(ranks), dtype=np.int32)
        return ranks

    def spell(self, ranks: npt.NDArray[np.int32]) -> Iterable[str]:
        """Return the words with these `ranks`."""
        text, places = self.lexicon.text, self.lexicon.order[ranks]
        starts, ends = self.lexicon.starts[places], self.lexicon.ends[places]
        return (text[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True))


def group(lexicon: Lexicon, *, keep_anagrams: bool = False) -> Signatures:
    """Group the words of `lexicon` by signature, or keep each apart with `keep_anagrams`."""
    masks: npt.NDArray[np.unsignedinteger] = lexicon.masks.astype(lexicon.alphabet.dtype)
    if keep_anagrams:
        every = np.arange(len(masks) + 1)
        return Signatures(lexicon, masks, every, every[:-1])
    by_mask = _order(masks)
    heads = np.ones(len(masks), dtype=bool)
    heads[1:] = masks[by_mask[1:]] != masks[by_mask[:-1]]
    starts = np.flatnonzero(heads)
    sizes = np.empty(len(starts), dtype=np.int64)
    sizes[:-1] = starts[1:] - starts[:-1]
    sizes[-1:] = len(masks) - starts[-1:]
    # number the signatures by their first word's place in the list
    first = by_mask[starts]
    is_first = np.zeros(len(masks), dtype=bool)
    is_first[first] = True
    places = np.flatnonzero(is_first)
    run = np.empty(len(masks), dtype=np.int64)
    run[first] = np.arange(len(first))
    by_number = run[places]
    offsets = np.zeros(len(places) + 1, dtype=np.int64)
    np.cumsum(sizes[by_number], out=offsets[1:])
    moved = np.repeat(starts[by_number] - offsets[:-1], sizes[by_number])
    return Signatures(lexicon, masks[places], offsets, by_mask[moved + np.arange(len(masks))])


def _order(numbers: npt.NDArray[np.integer]) -> Integers:
    """Return the places of `numbers` in a stable ascending sort."""
    order = np.arange(len(numbers))
    # numpy radix-sorts 16-bit keys, which is faster than one sort of the whole numbers
    for shift in range(0, int(numbers.max(initial=0)).bit_length(), 16):
        digits = (numbers >> numbers.dtype.type(shift)).astype(np.uint16)
        order = order[np.argsort(digits[order], kind="stable")]
    return order
