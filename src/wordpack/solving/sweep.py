"""The points of a sweep: every problem of some shapes, lists, alphabets and random samples.

The process that starts a sweep reads each list once per alphabet. Workers get the signatures and
keys of the words, so they need no files.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from wordpack.errors import InputError
from wordpack.lexicon import reading, sampling
from wordpack.lexicon.alphabet import Alphabet, spelled
from wordpack.lexicon.letters import LATIN
from wordpack.lexicon.lexicon import Lexicon
from wordpack.packing.problem import Group, Problem
from wordpack.solving.loading import read_own, unreadable
from wordpack.solving.sample import Sample
from wordpack.solving.spec import Source, check_list, check_shape
from wordpack.text.formatting import counted

MOST = 1_000_000
"""The most points of a sweep, since the rows of all points are held."""


@dataclass(frozen=True)
class Axes:
    """The axes of a sweep; its points are their product, and the last axis varies fastest."""

    shapes: tuple[tuple[int, int], ...]
    """Pairs (number of words, letters in each)."""
    sources: tuple[Source, ...] = (Source("words_alpha"),)
    alphabets: tuple[str, ...] = (LATIN,)
    without_each: bool = False
    """Add to each alphabet those without its first letter, its second letter, ..."""
    samples: tuple[Sample, ...] = ()
    """Whole lists if there are no samples."""
    seeds: int = 1
    """Number of draws of each sample, with the seeds 0 to seeds - 1."""

    def __post_init__(self) -> None:
        """Raise InputError for bad axes."""
        for count, length in self.shapes:
            check_shape(count, length)
        for source in self.sources:
            if source.embedded:
                check_list(source.name)
            elif source.name == reading.STDIN and len(self.alphabets) > 1:
                raise InputError("standard input can be read once: give one alphabet, or a file")
        if not 1 <= self.seeds <= sampling.SEEDS:
            raise InputError(f"`seeds` {self.seeds}: it must be 1 to {sampling.SEEDS:,}")
        if self.seeds > 1 and not self.samples:
            raise InputError("`seeds` goes with `samples`: whole lists are the same for every seed")
        letters = sum(1 + self.without_each * len(each) for each in self.alphabets)
        draws = max(1, len(self.samples)) * self.seeds
        points = len(self.shapes) * len(self.sources) * letters * draws
        if points > MOST:
            raise InputError(f"{points:,} points are too many to hold, the limit is {MOST:,}")


@dataclass(frozen=True, eq=False)
class Pool:
    """The words of one list, alphabet and length that repeat no letter."""

    name: str
    """Name of the list or file."""
    letters: str
    length: int
    masks: npt.NDArray[np.unsignedinteger] = field(repr=False)
    """(n,): the signature of each word."""
    keys: sampling.Keys = field(repr=False)
    """(n,): the keys by which words are drawn."""

    def __len__(self) -> int:
        return len(self.masks)

    @classmethod
    def of(cls, name: str, words: Lexicon, length: int) -> "Pool":
        """Return the pool of these words."""
        masks: npt.NDArray[np.unsignedinteger] = words.masks.astype(words.alphabet.dtype)
        return cls(name, words.alphabet.spelled, length, masks, sampling.keys(words))

    def without(self, place: int) -> "Pool":
        """Return the pool without the alphabet's letter at `place`, and without its words."""
        alphabet = Alphabet(self.letters)
        left = alphabet.letters[:place] + alphabet.letters[place + 1 :]
        letters = spelled(left, turkic=alphabet.turkic)
        masks, bit = self.masks.astype(np.uint64), np.uint64(1 << place)
        kept = (masks & bit) == 0
        low = masks & (bit - np.uint64(1))
        masks = low | (masks ^ low) >> np.uint64(1)
        dtype = Alphabet(letters).dtype
        return Pool(self.name, letters, self.length, masks[kept].astype(dtype), self.keys[kept])

    def problem(self, count: int, drawn: npt.NDArray[np.int64] | None = None) -> Problem:
        """Return the problem of picking `count` words, of all or of those at indices `drawn`."""
        masks = self.masks if drawn is None else self.masks[drawn]
        signatures, weights = np.unique(masks, return_counts=True)
        group = Group(signatures, count, weights.astype(np.int64))
        return Problem((group,), len(self.letters))


@dataclass(frozen=True)
class Point:
    """One problem of a sweep."""

    pool: int
    """Index of the pool of its words."""
    count: int
    draw: tuple[str, int, int] | None = None
    """The sample as given, its number of words, and its seed; None for the whole list."""


@dataclass(frozen=True, eq=False)
class Layout:
    """All points of a sweep, and the words that they are drawn from."""

    pools: tuple[Pool, ...]
    points: tuple[Point, ...]

    def problem(self, point: Point) -> Problem:
        """Return a point's problem."""
        pool = self.pools[point.pool]
        if point.draw is None:
            return pool.problem(point.count)
        _, n, seed = point.draw
        return pool.problem(point.count, sampling.drawn(pool.keys, seed, n))

    def fields(self, point: Point) -> dict[str, Any]:
        """Return the fields of a row that identify its point."""
        pool, draw = self.pools[point.pool], point.draw
        return {
            "problem": f"{point.count}x{pool.length}",
            "list": pool.name,
            "letters": pool.letters,
            "sample": draw[0] if draw else None,
            "seed": draw[2] if draw else None,
        }

    def said(self, point: Point) -> str:
        """Describe a point to a person: '5x5@wordle, sample 0.25, seed 7'."""
        known = self.fields(point)
        words = [f"{known['problem']}@{known['list']}"]
        if known["letters"] != LATIN:
            words.append(f"letters {known['letters']}")
        if point.draw:
            words += [f"sample {known['sample']}", f"seed {known['seed']}"]
        return ", ".join(words)

    @cached_property
    def digest(self) -> str:
        """The sha256 (hex) of all points and their words."""
        sha = hashlib.sha256()
        for pool in self.pools:
            sha.update(repr((pool.name, pool.letters, pool.length, len(pool))).encode())
            sha.update(pool.masks.astype("<u8").data)
            sha.update(pool.keys.astype("<u8").data)
        for point in self.points:
            sha.update(repr((point.pool, point.count, point.draw)).encode())
        return sha.hexdigest()


def laid_out(axes: Axes) -> Layout:
    """Read the lists and return all points.

    Raises InputError if a sample is larger than its list, or if no alphabet can read any word of a
    file.
    """
    pools: dict[tuple[Source, int, str], Pool] = {}
    alphabets: dict[str, None] = {}
    for source in axes.sources:
        refusals = []
        for alphabet in map(Alphabet, axes.alphabets):
            whole = _whole(source, alphabet, axes)
            refusals.append(None if whole is None else unreadable(whole))
            for pool in _pools(source, alphabet, axes, whole):
                known = pools.setdefault((source, pool.length, pool.letters), pool)
                alphabets[known.letters] = None
        if refusals[0] is not None and None not in refusals:
            raise refusals[0]
    numbers = {key: number for number, key in enumerate(pools)}
    points = []
    shapes = dict.fromkeys(axes.shapes)
    for (count, length), source, letters in product(shapes, axes.sources, alphabets):
        number = numbers[source, length, letters]
        pool = pools[source, length, letters]
        points += [Point(number, count, draw) for draw in _draws(axes, pool)]
    return Layout(tuple(pools.values()), tuple(points))


def _draws(axes: Axes, pool: Pool) -> Iterator[tuple[str, int, int] | None]:
    if not axes.samples:
        yield None
    for sample in axes.samples:
        if (n := sample.size(len(pool))) > len(pool):
            raise InputError(
                f"`samples` {sample.text}: {pool.name} has {counted(len(pool), 'word')} of "
                f"{pool.length} of the letters {pool.letters}: draw fewer, or a share"
            )
        yield from ((sample.text, n, seed) for seed in range(axes.seeds))


def _whole(source: Source, alphabet: Alphabet, axes: Axes) -> Lexicon | None:
    """Return a file's words, read once as it may be a pipe; None for an embedded list."""
    if source.embedded:
        return None
    lengths = {length for _, length in axes.shapes}
    only = lengths.pop() if len(lengths) == 1 else None
    return read_own(source, alphabet, only)


def _pools(source: Source, alphabet: Alphabet, axes: Axes, whole: Lexicon | None) -> Iterator[Pool]:
    """Yield the pools of a list and alphabet by length, and those without one of the letters."""
    for length in dict.fromkeys(length for _, length in axes.shapes):
        words = reading.read_embedded(source.name, alphabet, length) if whole is None else whole
        pool = Pool.of(source.name, words.select(length), length)
        yield pool
        if axes.without_each:
            yield from (pool.without(place) for place in range(len(alphabet)))
