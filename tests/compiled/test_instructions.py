"""Machine instructions in a kernel do what their plain Python does."""

import numpy as np

from wordpack.compiled.instructions import BYTES, LANES, below, equal, lowest, ones, take, without
from wordpack.compiled.jit import Int64s, Uint8s, Uint64s, Uint64Table, kernel


def of_one_number(numbers: Uint64s, found: Int64s) -> int:
    for i in range(len(numbers)):
        found[2 * i], found[2 * i + 1] = lowest(numbers[i]), ones(numbers[i])
    return take(found, 5)


def of_bytes(text: Uint8s, byte: int, found: Int64s) -> int:
    for at in range(len(found)):
        found[at] = equal(text, at, byte)
    return 0


def of_rows(numbers: Uint64s, rows: Uint64Table, bits: int, at: int, left: Uint64Table) -> int:
    return without(numbers, rows, np.uint64(bits), at, left, 1)


def test_lowest_and_number_of_ones() -> None:
    """Check every single bit and random bits; `take` returns the previous value."""
    generator = np.random.default_rng(1)
    numbers = [1 << i for i in range(64)] + generator.integers(1, 1 << 63, 200).tolist()
    found = np.zeros(2 * len(numbers), np.int64)
    assert kernel(of_one_number)(np.array(numbers, np.uint64), found) == 0  # the lowest of 1
    known = [number for n in numbers for number in ((n & -n).bit_length() - 1, n.bit_count())]
    assert found.tolist() == [5, *known[1:]]


def test_equal_bytes_as_bits() -> None:
    """Check every place of a text, aligned or not, for bytes below and above 127."""
    generator = np.random.default_rng(2)
    text = generator.integers(0, 3, 300).astype(np.uint8) * np.uint8(100)
    for byte in (0, 100, 200, 7):
        found = np.empty(len(text) - BYTES + 1, np.int64)
        kernel(of_bytes)(text, byte, found)
        for at, bits in enumerate(found.tolist()):
            own = text[at : at + BYTES].tolist()
            assert bits % (1 << 64) == sum(1 << i for i, b in enumerate(own) if b == byte)
            assert bits == equal(text, at, byte)


def test_numbers_without_the_rows_of_bits() -> None:
    """Check any rows, with the eight numbers at any place."""
    generator = np.random.default_rng(3)
    numbers = generator.integers(0, 1 << 62, 30).astype(np.uint64)
    rows = generator.integers(0, 1 << 62, (64, 30)).astype(np.uint64)
    rows |= generator.integers(0, 1 << 62, (64, 30)).astype(np.uint64)
    for bits in (0, 1, 1 << 62, 5 << 40, 0x123456789):
        for at in (0, 1, 22):
            left, plain = np.zeros((2, LANES), np.uint64), np.zeros((2, LANES), np.uint64)
            some = kernel(of_rows)(numbers, rows, bits, at, left)
            assert some == without(numbers, rows, np.uint64(bits), at, plain, 1)
            assert left.tolist() == plain.tolist()
            kept = numbers[at : at + LANES].tolist()
            for b in range(64):
                if bits >> b & 1:
                    kept = [k & ~int(rows[b, at + lane]) for lane, k in enumerate(kept)]
            assert left[1].tolist() == kept


def bytes_below(text: Uint8s, byte: int, found: Int64s) -> int:
    for at in range(len(found)):
        found[at] = below(text, at, byte)
    return 0


def test_bytes_below_one_as_bits() -> None:
    """Check every place of a text and all bytes: those above 127 are not negative numbers."""
    text = np.random.default_rng(4).integers(0, 256, 300).astype(np.uint8)
    for byte in (0, 33, 128, 255):
        found = np.empty(len(text) - BYTES + 1, np.int64)
        kernel(bytes_below)(text, byte, found)
        for at, bits in enumerate(found.tolist()):
            own = text[at : at + BYTES].tolist()
            assert bits % (1 << 64) == sum(1 << i for i, b in enumerate(own) if b < byte)
            assert bits == below(text, at, byte)
