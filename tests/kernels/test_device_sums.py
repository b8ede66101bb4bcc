"""Subset sums on devices: exact against closed forms, brute force, and the processor's sums."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from wordpack.backend.base import Options
from wordpack.backend.registry import row
from wordpack.errors import InputError
from wordpack.kernels.counting import subset_sums_on_device
from wordpack.kernels.counting.subset_sums_on_device import DeviceSums
from wordpack.kernels.device.device import Device, OutOfDeviceMemory, Shape
from wordpack.packing.answer import Answer, Counts
from wordpack.packing.problem import Group, Problem
from wordpack.solving.instances import instance
from wordpack.solving.loading import load

pytestmark = pytest.mark.slow

COUNTING = Options(count_only=True)
devices = pytest.mark.parametrize("name", ["subset_sums_cuda", "subset_sums_opencl"])


def problem(masks: list[int], count: int, weights: list[int] | None = None) -> Problem:
    """Pick `count` of these masks, of weight 1 by default."""
    letters = max(masks).bit_length()
    dtype = np.uint64 if letters > 32 else np.uint32
    each = np.array(weights or [1] * len(masks), np.int64)
    return Problem((Group(np.array(masks, dtype), count, each),), letters)


def counted(name: str, what: Problem, *, work: bool = False) -> Answer:
    return row(name).load().prepare(what, COUNTING).run(work=work)


def brute_force(what: Problem) -> Counts:
    """Try every choice."""
    group = what.groups[0]
    packings = solutions = 0
    for choice in itertools.combinations(range(len(group.masks)), group.count):
        masks = [int(group.masks[i]) for i in choice]
        if sum(masks).bit_count() == sum(mask.bit_count() for mask in masks):
            union = 0
            for mask in masks:
                union |= mask
            if union == sum(masks):
                packings += 1
                solutions += math.prod(int(group.weights[i]) for i in choice)
    return Counts(packings, solutions)


@devices
@pytest.mark.parametrize("letters", [1, 4, 11, 12, 13, 17, 20])
def test_random_words_are_counted_as_by_trying_all(name: str, letters: int) -> None:
    """All sizes, some masks twice, with and without weights; some counts are zero."""
    random, some = np.random.default_rng(letters), 0
    for size, count in ((1, 1), (1, 3), (2, 2), (3, 2), (3, 4), (5, 3)):
        if size > letters:
            continue
        for weighted in (False, True):
            masks = [
                sum(1 << int(b) for b in random.choice(letters, size, replace=False))
                for _ in range(12)
            ]
            weights = random.integers(1, 9, len(masks)).tolist() if weighted else None
            what = problem(masks, count, weights)
            found = counted(name, what)
            assert found == brute_force(what)
            some += found.packings
    assert some > 0


@devices
@pytest.mark.parametrize(
    ("title", "packings", "solutions"),
    [("6x4", 41_658_816, 111_898_839), ("4x6", 5, 5), ("3x7", 1_593, 1_877), ("parker", 538, 831)],
)
def test_families_have_their_published_counts(
    name: str, title: str, packings: int, solutions: int
) -> None:
    """It sums as many sets as the processor, and a second run agrees."""
    what = load(instance(title).spec).problem
    search = row(name).load().prepare(what, COUNTING)
    assert search.run() == Counts(packings, solutions)
    assert search.run(work=True) == counted("subset_sums", what, work=True)


@devices
@pytest.mark.parametrize("k", [1, 2, 5, 9, 12])
def test_sums_far_beyond_64_bits_are_exact(name: str, k: int) -> None:
    """One-letter words: C(n, k) packings; the solutions are an elementary symmetric polynomial."""
    n = 14
    weights = [(1 << 17) + i for i in range(n)]
    symmetric = [1] + [0] * k
    for weight in weights:
        for degree in range(k, 0, -1):
            symmetric[degree] += weight * symmetric[degree - 1]
    found = counted(name, problem([1 << b for b in range(n)], k, weights))
    assert found == Counts(math.comb(n, k), symmetric[k])
    assert k < 5 or found.solutions > 2**64


@devices
def test_letters_beyond_32_and_letters_of_nobody(name: str) -> None:
    """High bits of few letters count like low ones."""
    places = [0, 5, 31, 32, 40, 63]
    masks = [1 << a | 1 << b for a, b in itertools.combinations(places, 2)]
    # perfect matchings of six letters: 5 * 3
    assert counted(name, problem(masks, 3)) == Counts(15, 15)
    assert counted(name, problem(masks, 4)) == Counts(0, 0)


@devices
@pytest.mark.parametrize("blocks", [1, 3, 5])
def test_any_number_of_launches_gives_the_same(
    monkeypatch: pytest.MonkeyPatch, name: str, blocks: int
) -> None:
    """Sums continue from one launch to the next; progress goes from 0 to 1."""
    masks = [1 << a | 1 << b for a, b in itertools.combinations(range(16), 2)]
    monkeypatch.setattr(subset_sums_on_device, "BLOCKS", blocks)
    what = problem(masks, 4, [1 + i % 3 for i in range(len(masks))])
    search = row(name).load().prepare(what, COUNTING)
    assert search.progress() == 0  # type: ignore[attr-defined]
    assert search.run(work=True) == counted("subset_sums", what, work=True)
    assert search.progress() == 1  # type: ignore[attr-defined]


def test_powers_are_exact() -> None:
    """In as many 64-bit numbers as they need, for z up to the most words allowed."""
    for most, k, limbs in ((50, 1, 1), (1 << 12, 5, 1), (1 << 12, 12, 3), (1 << 15, 26, 7)):
        table = subset_sums_on_device._powers(most, k, limbs)
        for z in [*range(20), most // 3, most - 1, most]:
            assert sum(int(part) << 64 * i for i, part in enumerate(table[z])) == z**k


class _Full:
    """A device with room for `left` more buffers."""

    name, shape = "a test", Shape(8, 2, 1, 1000)

    def __init__(self, left: int) -> None:
        self.left = left

    def compile(self, *_: object) -> "_Full":
        return self

    def empty(self, nbytes: int) -> Any:
        self.left -= 1
        if self.left < 0:
            raise OutOfDeviceMemory(nbytes, 7)

    def upload(self, array: Any) -> Any:
        return self.empty(array.nbytes)

    def launch(self, *_: object) -> None:
        raise OutOfDeviceMemory(0, None)


@pytest.mark.parametrize("left", [0, 3, 8])
def test_a_device_without_room_is_one_line(left: int) -> None:
    """Whichever buffer fails, even if only the launch notices."""
    device: Device = _Full(left)  # type: ignore[assignment]
    free = "7 are" if left < 8 else "an unknown number are"
    with pytest.raises(InputError, match=rf"a test: .* bytes .* and {free} free: choose another"):
        DeviceSums(problem([3, 12, 48], 2), device)
