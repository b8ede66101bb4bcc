"""Random samples: the same everywhere, nested, and as even as a draw should be."""

import hashlib
from fractions import Fraction

import numpy as np
import pytest

from wordpack.errors import InputError
from wordpack.lexicon.sampling import drawn, keys, ranks
from wordpack.solving.sample import Sample

WORDS = [f"{a}{b}{c}" for a in "abcdefghij" for b in "klmnopqrst" for c in "uvwxyzåæøé"]


def splitmix64(state: int, outputs: int) -> int:
    """Return an output of the generator as its authors define it, state and all."""
    for _ in range(outputs):
        state = (state + 0x9E3779B97F4A7C15) & (2**64 - 1)
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & (2**64 - 1)
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & (2**64 - 1)
    return z ^ (z >> 31)


def test_the_generator_is_splitmix64() -> None:
    """Started at 1234567, it has the outputs published with other implementations."""
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    for seed, output in enumerate(known):
        assert ranks(np.array([1234567], np.uint64), seed).tolist() == [output]
        assert splitmix64(1234567, seed + 1) == output


@pytest.mark.parametrize("seed", [0, 1, 99, 1000])
def test_a_sample_is_what_its_definition_says(seed: int) -> None:
    """A sample equals one made in plain Python: hash, generator, sort."""

    def rank(word: str) -> int:
        key = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
        return splitmix64(key, seed + 1)

    order = sorted(WORDS, key=rank)
    for n in (0, 1, 10, 500, len(WORDS)):
        places = drawn(keys(WORDS), seed, n)
        assert sorted(WORDS[place] for place in places) == sorted(order[:n])


def test_samples_are_nested_and_depend_on_no_order() -> None:
    """A larger sample of a seed contains every smaller one, whatever the order of the list."""
    other = WORDS[::-1]
    for seed in range(20):
        before: set[str] = set()
        for n in (0, 3, 50, 400, 1000):
            words = {WORDS[place] for place in drawn(keys(WORDS), seed, n)}
            assert words == {other[place] for place in drawn(keys(other), seed, n)}
            assert len(words) == n
            assert before <= words
            before = words


def test_seeds_draw_independently() -> None:
    """Each word is in about half of 400 half-size samples; two seeds share about a quarter."""
    known = keys(WORDS)
    table = np.zeros((400, len(WORDS)), bool)
    for seed in range(400):
        table[seed, drawn(known, seed, 500)] = True
    # 400 draws: a standard deviation of 10; of 1000 words the farthest is some 3.3 of them away
    assert abs(table.sum(axis=0) - 200).max() < 55
    shared = table[:-1] & table[1:]
    assert abs(shared.sum(axis=1).mean() - 250) < 5


@pytest.mark.parametrize(
    ("text", "words", "size"),
    [("0.25", 10, 3), ("0.25", 9, 2), ("1.0", 7, 7), (".5", 5, 3), ("2000", 2315, 2000),
     ("1", 9, 1), ("0.1", 4, 0), ("0.3", 5, 2)],
)  # fmt: skip
def test_shares_are_rounded_exactly(text: str, words: int, size: int) -> None:
    """Shares are fractions, rounded half up: 0.3 of 5 is exactly 1.5, but not in floating point."""
    assert Sample(text).size(words) == size
    if "." in text:
        assert abs(Fraction(text) * words - size) <= Fraction(1, 2)


@pytest.mark.parametrize("text", ["0", "0.0", "1.5", "-3", "25%", "", "1e3", "nan", "0.2.5"])
def test_other_samples_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="a share of the words"):
        Sample(text)
