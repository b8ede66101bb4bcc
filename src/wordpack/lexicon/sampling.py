"""Random samples of words that are the same on every machine, and nested: the smallest of n keys.

A word's key is the first 8 bytes of the sha256 of its UTF-8 text, little-endian. Its rank under
seed s is output s + 1 of the generator splitmix64 started at this key. A sample of n words is the n
words of lowest rank, so it is part of every larger sample of the same seed. It depends on the words
alone, not on their order, on numpy or on a library's random numbers.
Cost: one hash per word, then one sort of the list per seed.
Source: bottom-k sampling (Cohen, Kaplan 2007); splitmix64 (Steele, Lea, Flood 2014).
"""

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]

SEEDS = 1 << 32
"""The number of seeds: 0 to SEEDS - 1."""

STEP = 0x9E3779B97F4A7C15
"""The step from one state of splitmix64 to the next, modulo 2^64."""


def keys(words: Iterable[str]) -> Keys:
    """Return the key of each word, (n,) uint64."""
    raw = b"".join(hashlib.sha256(word.encode()).digest()[:8] for word in words)
    return np.frombuffer(raw, "<u8").astype(np.uint64)


def ranks(keys: Keys, seed: int) -> Keys:
    """Return the rank of each key under a seed of 0 to SEEDS - 1, (n,) uint64."""
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
