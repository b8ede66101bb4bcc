"""A packing problem: groups of signatures, and how many of each to pick so that none overlap."""

from dataclasses import dataclass, field
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt

from wordpack.lexicon.alphabet import MAX_LETTERS


@dataclass(frozen=True, eq=False)
class Group:
    """Masks from which to pick `count` different ones."""

    masks: npt.NDArray[np.unsignedinteger]
    """(n,) uint32 or uint64, letter bits only; masks may repeat."""
    count: int
    weights: npt.NDArray[np.int64] = field(repr=False)
    """(n,) int64, at least 1: the number of words behind each mask."""

    def __post_init__(self) -> None:
        """Raise ValueError for shapes and types that no backend supports."""
        if self.masks.ndim != 1 or self.masks.dtype not in (np.uint32, np.uint64):
            raise ValueError("masks must be one-dimensional, uint32 or uint64")
        if self.weights.shape != self.masks.shape or self.weights.dtype != np.int64:
            raise ValueError("weights must be int64, one for each mask")
        if len(self.weights) and self.weights.min() < 1:
            raise ValueError("a weight is at least 1")
        if self.count < 0:
            raise ValueError("a group supplies 0 masks or more")

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """(n,) int64: the number of letters in each mask."""
        sizes: npt.NDArray[np.int64] = np.bitwise_count(self.masks).astype(np.int64)
        return sizes

    @cached_property
    def words(self) -> int:
        """The exact number of words behind all masks."""
        if int(self.weights.max(initial=0)) * len(self.weights) < 2**63:
            return int(self.weights.sum())
        return sum(self.weights.tolist())

    @cached_property
    def distinct(self) -> npt.NDArray[np.unsignedinteger]:
        """The distinct masks, ascending."""
        ordered = np.sort(self.masks)
        # not np.unique: its first call imports numpy.ma, which takes longer than a search
        new = np.ones(len(ordered), dtype=bool)
        new[1:] = ordered[1:] != ordered[:-1]
        distinct: npt.NDArray[np.unsignedinteger] = ordered[new]
        return distinct


@dataclass(frozen=True, eq=False)
class Problem:
    """Pick `count` masks of every group, pairwise disjoint, from `letters` letters.

    Groups may share masks. An empty mask is disjoint from everything, itself included. An index
    is picked at most once in a group. A problem without groups has one packing, the empty one.
    """

    groups: tuple[Group, ...]
    letters: int

    def __post_init__(self) -> None:
        """Raise ValueError for masks of different types, and bits beyond the letters."""
        if not 1 <= self.letters <= MAX_LETTERS:
            raise ValueError(f"letters must be 1 to {MAX_LETTERS}")
        if len({group.masks.dtype for group in self.groups}) > 1:
            raise ValueError("all groups must have masks of one type")
        for group in self.groups:
            if len(group.masks) and int(group.masks.max()) >> self.letters:
                raise ValueError(f"a mask has a bit beyond the {self.letters} letters")

    @property
    def picks(self) -> int:
        """The number of masks in a packing, over all groups."""
        return sum(group.count for group in self.groups)

    @property
    def has_too_few(self) -> bool:
        """Whether a group has fewer signatures than are to be picked from it."""
        return any(len(group.masks) < group.count for group in self.groups)

    @cached_property
    def impossible(self) -> str | None:
        """Why no packing can exist, as a sentence, if counting alone shows it; else None."""
        need = 0
        for group in self.groups:
            if len(group.masks) < group.count:
                return (
                    f"{group.count} different signatures are to be picked from "
                    f"{len(group.masks)}: there is no packing"
                )
            if group.count:
                sizes = np.partition(np.bitwise_count(group.masks), group.count - 1)
                need += int(sizes[: group.count].sum())
        if need > self.letters:
            return (
                f"{self.picks} words need at least {need} different letters and the alphabet "
                f"has {self.letters}: there is no packing"
            )
        return None

    @cached_property
    def estimated_nodes(self) -> float:
        """About how many partial packings a search in list order meets, over all depths.

        Disjointness of pairs is sampled and assumed independent, so this is only an order of
        magnitude. It tends to be high, and is good enough to tell minutes from years.
        """
        if self.impossible:
            return 0.0
        nodes, level = 0.0, 1.0
        for g, group in enumerate(self.groups):
            others = prod(
                _disjoint_share(earlier, group) ** earlier.count for earlier in self.groups[:g]
            )
            share = _disjoint_share(group, group) if group.count > 1 else 1.0
            for pick in range(group.count):
                level *= (len(group.masks) - pick) / (pick + 1) * others * share**pick
                nodes += level
        return nodes


SAMPLE = 256
"""Masks sampled evenly from each group; all pairs of them are tested."""


def _disjoint_share(one: Group, two: Group) -> float:
    left = one.masks[:: max(1, len(one.masks) // SAMPLE)]
    right = two.masks[:: max(1, len(two.masks) // SAMPLE)]
    if not len(left) or not len(right):
        return 0.0
    return float(np.mean((left[:, None] & right[None, :]) == 0))
