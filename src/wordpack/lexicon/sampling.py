"""Random samples of words that are the same on every machine, and nested: the smallest of n keys.

A word's key is the first 8 bytes of the sha256 of its UTF-8 text, little-endian. Seed s gives it
the rank that is output s + 1 of the generator splitmix64 begun at this key, and a sample of n words
is the n of the lowest rank. So a sample of a seed is part of every larger one of that seed; what is
drawn depends on the words alone, not on their order, on numpy or on a library's random numbers.
Cost: a hash for each word once, then a sort of the list for each seed.
Source: bottom-k sampling (Cohen, Kaplan 2007); splitmix64 (Steele, Lea, Flood 2014).
"""

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]

SEEDS = 1 << 32
"""Seeds are less than this."""

STEP = 0x9E3779B97F4A7C15
"""What a state of splitmix64 is from the next, modulo 2^64."""


def keys(words: Iterable[str]) -> Keys:
    """Return the key of each word, (n,) uint64."""
    raw = b"".join(hashlib.sha256(word.encode()).digest()[:8] for word in words)
    return np.frombuffer(raw, "<u8").astype(np.uint64)


def ranks(keys: Keys, seed: int) -> Keys:
    """Return the ranks, (n,) uint64, that a seed of 0 to SEEDS - 1 gives to words of these keys."""
    mixed = keys + np.uint64((seed + 1) * STEP % 2**64)
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def drawn(keys: Keys, seed: int, n: int) -> npt.NDArray[np.int64]:
    """Return the places of the n words that a seed draws, ascending, (n,) int64."""
    order = np.argsort(ranks(keys, seed), kind="stable")
    return np.sort(order[:n])
