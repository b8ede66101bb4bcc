"""A kernel may use functions of its file and ints, and nothing that the cache would miss."""

import runpy
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from wordpack.compiled import code_cache, jit
from wordpack.compiled.instructions import lowest
from wordpack.compiled.jit import Int32s, Int32Table, Int64s, Kernel, Uint64s, kernel
from wordpack.text.formatting import counted


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache folder that does not exist yet."""
    cache = tmp_path / "cache"
    monkeypatch.setenv(code_cache.CACHE, str(cache))
    return cache


STEP = 3


def _scaled(number: int) -> int:
    return number * STEP


def _note(out: Int32Table, column: int, number: int) -> int:
    out[1, column] = _scaled(number)
    return 1


def spread(numbers: Int64s, out: Int32Table) -> int:
    """Call a function of this file, which calls another."""
    noted = 0
    for i in range(len(numbers)):
        noted += _note(out, i, numbers[i])
    return noted


def scaled_twice(numbers: Int64s, out: Int32Table) -> int:
    """Call a function that the other kernel also calls."""
    return _scaled(_scaled(numbers[0])) + _note(out, 0, 0)


def test_a_kernel_calls_functions_of_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled or loaded, it does what plain Python does, and the functions stay unchanged."""

    def check(one: Callable[..., int], two: Callable[..., int]) -> None:
        out = np.zeros((2, 3), np.int32)
        assert one(np.array([5, -7, 11], np.int64), out) == 3
        assert out.tolist() == [[0, 0, 0], [15, -21, 33]]
        assert two(np.array([5], np.int64), out) == 46

    check(Kernel(spread), Kernel(scaled_twice))
    check(spread, scaled_twice)
    monkeypatch.delattr(jit, "_compile")
    check(Kernel(spread), Kernel(scaled_twice))


CHANGING = """
from wordpack.compiled.jit import Int64s

STEP = {step}

def _scaled(number):
    return number * {factor} + STEP

def kernel(numbers: Int64s) -> int:
    return _scaled(numbers[0])
"""


def test_a_change_elsewhere_in_the_file_is_another_kernel(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own text is unchanged, but each version is kept separately and never mixed up."""

    def check(step: int, factor: int) -> None:
        path = tmp_path / f"{step}-{factor}" / "changing.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(CHANGING.format(step=step, factor=factor))
        kernel = Kernel(runpy.run_path(str(path))["kernel"])
        assert kernel(np.array([4], np.int64)) == 4 * factor + step

    changes = [(1, 10), (2, 10), (1, 20)]
    for change in changes:
        check(*change)
    assert len(list(folder.iterdir())) == 3
    monkeypatch.delattr(jit, "_compile")
    for change in changes:
        check(*change)


def places(masks: Uint64s, out: Int32Table) -> int:
    """Record the lowest bit of each mask, including one that a kernel has changed."""
    for i in range(len(masks)):
        out[0, i] = lowest(masks[i])
        if masks[i] & (masks[i] - np.uint64(1)):
            out[1, i] = lowest(masks[i] & (masks[i] - np.uint64(1)))
    return lowest(masks[0])


def test_the_lowest_bit_is_the_same_in_a_kernel_and_in_python() -> None:
    """Check every single bit, with and without all bits above it."""
    masks = np.array([1 << i for i in range(64)] + [2**64 - (1 << i) for i in range(64)], np.uint64)
    table = np.zeros((2, 128), np.int32)
    assert Kernel(places)(masks, table) == 0
    assert table[0].tolist() == [*range(64)] * 2
    assert table[1].tolist() == [0] * 64 + [*range(1, 64), 0]
    assert [lowest(mask) for mask in masks] == table[0].tolist()


PACE = 5


def _pace() -> int:
    return PACE


def stepping(numbers: Int64s) -> int:
    """Use a number through a function, as if the number were imported from another file."""
    return numbers[0] + _pace()


def test_a_number_that_changed_is_compiled_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file's text does not show the change, so the cache's key includes the number."""
    assert Kernel(stepping)(np.ones(1, np.int64)) == 6
    monkeypatch.setattr(sys.modules[__name__], "PACE", 7)
    assert Kernel(stepping)(np.ones(1, np.int64)) == 8
    assert len(list(folder.iterdir())) == 2


def total(numbers: Int64s) -> int:
    sum_of_all = 0
    for i in range(len(numbers)):
        sum_of_all += np.int64(numbers[i])
    return sum_of_all


def test_types_other_than_the_annotated_ones_make_another_kernel(folder: Path) -> None:
    """The same function is compiled for narrower arrays; each version refuses the other's."""
    wide, narrow = kernel(total), kernel(total, numbers=Int32s)
    assert wide is not narrow
    assert wide is kernel(total)
    assert (wide(np.arange(5)), narrow(np.arange(5, dtype=np.int32))) == (10, 10)
    with pytest.raises(TypeError, match="int32"):
        narrow(np.arange(5))
    assert len(list(folder.iterdir())) == 2


HALF = 0.5
TABLE = np.arange(3)
NAMES = ("one", "two")


def calling_another_file(numbers: Int64s) -> int:
    return len(counted(numbers[0], "word"))


def _calling_another_file(number: int) -> int:
    return len(counted(number, "word"))


def calling_another_file_in_two_steps(numbers: Int64s) -> int:
    return _calling_another_file(numbers[0])


def using_a_class(numbers: Int64s) -> int:
    return int(Fraction(int(numbers[0])))


def using_a_float(numbers: Int64s) -> int:
    return int(numbers[0] * HALF)


def using_an_array(numbers: Int64s) -> int:
    return int(numbers[0] + TABLE[1])


def using_a_tuple(numbers: Int64s) -> int:
    return int(numbers[0]) + len(NAMES)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (calling_another_file, "counted"),
        (calling_another_file_in_two_steps, "counted"),
        (using_a_class, "Fraction"),
        (using_a_float, "HALF"),
        (using_an_array, "TABLE"),
        (using_a_tuple, "NAMES"),
    ],
)
def test_what_could_change_behind_the_cache_is_refused_by_name(
    folder: Path, function: Callable[..., int], name: str
) -> None:
    """A kernel is cached by its file's text, which would not show a change elsewhere."""
    assert function(np.ones(1, np.int64)) >= 0, "plain Python can run it"
    with pytest.raises(TypeError, match=rf"not {name}$"):
        Kernel(function)
    assert not folder.exists() or not list(folder.iterdir())
