"""NamedTuples as arguments of kernels: flattened for C, rebuilt inside, never misread."""

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from wordpack.compiled import code_cache, jit
from wordpack.compiled.jit import (
    Int32Table,
    Int64s,
    Int64Table,
    Kernel,
    Uint16Table,
    Uint64s,
    kernel,
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache folder that does not exist yet."""
    cache = tmp_path / "cache"
    monkeypatch.setenv(code_cache.CACHE, str(cache))
    return cache


class Basket(NamedTuple):
    """Arrays of several types, with an int between them."""

    masks: Uint64s
    factor: int
    table: Int32Table
    numbers: Int64s


class Range(NamedTuple):
    """Only ints."""

    low: int
    high: int


class Sum(NamedTuple):
    """A tuple that a kernel makes and unpacks itself; no caller sees it."""

    above: np.uint64
    total: int


def _add(before: Sum, basket: Basket, i: int) -> Sum:
    above = before.above + np.uint64(basket.masks[i] > np.uint64(1 << 63))
    return Sum(above, before.total + basket.numbers[i] * basket.factor)


def weigh(first: Int64s, basket: Basket, some: Range, last: int) -> int:
    """Read every field, write into one, and keep sums in a tuple of the kernel's own."""
    found = Sum(np.uint64(0), first[0])
    for i in range(some.low, some.high):
        found = _add(found, basket, i)
        basket.table[i % basket.table.shape[0], i % basket.table.shape[1]] += last
    above, total = found
    return total + 1000 * np.int64(above)


def basket() -> Basket:
    masks = np.array([1, 2**63 + 1, 2**64 - 1, 0], np.uint64)
    numbers = np.array([1, 2, 4, 8], np.int64)
    return Basket(masks, 10, np.zeros((2, 3), np.int32), numbers)


def check(one: Callable[..., int]) -> None:
    """Call with shapes that tell dimensions apart, and bounds that leave numbers out."""
    mine = basket()
    assert one(np.array([7], np.int64), mine, Range(1, 4), 5) == 7 + 140 + 2000
    assert mine.table.tolist() == [[0, 0, 5], [5, 5, 0]]
    assert one(np.array([7], np.int64), mine, Range(3, 3), 5) == 7


def test_fields_arrive_where_they_belong(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel does the same if compiled, loaded, bound at any argument, or in plain Python."""
    check(weigh)
    check(Kernel(weigh))
    monkeypatch.delattr(jit, "_compile")
    kept = Kernel(weigh)
    check(kept)
    mine, first = basket(), np.array([7], np.int64)
    assert kept.bind(first)(mine, Range(1, 4), 5) == 7 + 140 + 2000
    assert kept.bind(first, mine)(Range(0, 1), 5) == 17
    assert kept.bind(first, mine, Range(0, 2), 1)() == 7 + 30 + 1000
    # a bound array is read at each call, not when it is bound
    bound = kept.bind(first, mine)
    first[0] = 100
    assert bound(Range(0, 0), 1) == 100


@pytest.mark.parametrize(
    ("field", "wrong", "said"),
    [
        ("masks", np.zeros(4, np.int64), "basket.masks must be a C-contiguous uint64 array of 1-d"),
        ("numbers", np.zeros(8, np.int64)[::2], "not a strided int64 array of 1-d"),
        ("numbers", np.zeros(4, np.dtype(">i8")), "basket.numbers must be .* int64 .* not a >i8"),
        (
            "table",
            np.zeros(6, np.int32),
            "basket.table must be .* of 2-d, not a int32 array of 1-d",
        ),
        ("table", np.zeros((3, 2), np.int32).T, "basket.table must be a C-contiguous int32"),
    ],
)
def test_a_wrong_field_is_named(field: str, wrong: Any, said: str) -> None:
    one = kernel(weigh)
    mine = basket()._replace(**{field: wrong})
    with pytest.raises(TypeError, match=said):
        one(np.zeros(1, np.int64), mine, Range(0, 0), 0)
    with pytest.raises(TypeError, match=said):
        one.bind(np.zeros(1, np.int64), mine)


def test_another_tuple_is_refused() -> None:
    """Even a tuple of the right length is refused, since fields are passed by position."""
    one, first, plain = kernel(weigh), np.zeros(1, np.int64), tuple(basket())
    with pytest.raises(TypeError, match=r"basket must be a Basket, not tuple"):
        one(first, plain, Range(0, 0), 0)
    with pytest.raises(TypeError, match=r"some must be a Range, not Sum"):
        one(first, basket(), Sum(np.uint64(0), 0), 0)
    with pytest.raises(TypeError, match=r"first must be a C-contiguous int64 array of 1-d"):
        one(np.zeros(1, np.int32), basket(), Range(0, 0), 0)
    with pytest.raises(ValueError, match="argument"):
        one(first, basket(), Range(0, 0))


CHANGING = """
from typing import NamedTuple
import numpy as np
from wordpack.compiled.jit import Int64s

class Pair(NamedTuple):
    {one}: Int64s
    {two}: {kind}

class Own(NamedTuple):
    {first}: int
    {second}: int

def kernel(pair: Pair) -> int:
    own = Own(pair.left[0], 1)
    return own.x - 10 * own.y
"""


def test_another_definition_is_another_kernel(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache's key has the fields' order and types, as if the class were in another file."""
    monkeypatch.setattr(jit, "_files", lambda _: set())
    path = tmp_path / "changing.py"
    changes = [
        ("left", "right", "Int64s", "x", "y", 3 - 10),
        ("right", "left", "Int64s", "x", "y", 4 - 10),
        ("left", "right", "int", "x", "y", 3 - 10),
        ("left", "right", "Int64s", "y", "x", 1 - 30),
    ]
    for kept, (one, two, kind, first, second, expected) in enumerate(changes):
        text = CHANGING.format(one=one, two=two, kind=kind, first=first, second=second)
        path.write_text(text)
        found = runpy.run_path(str(path))
        values = [np.array([3], np.int64), 4 if kind == "int" else np.array([4], np.int64)]
        assert Kernel(found["kernel"])(found["Pair"](*values)) == expected
        assert len(list(folder.glob("*.kernel"))) == kept + 1


def total(table: Int64Table, factor: int) -> int:
    return table[0, 0] * factor


def test_types_instead_are_those_of_plain_parameters() -> None:
    assert kernel(total, table=Uint16Table)(np.full((1, 1), 3, np.uint16), 2) == 6


def of_float(number: float) -> int:
    return int(number)


class Mixed(NamedTuple):
    """A field that no kernel can take."""

    names: list[str]


def of_names(mixed: Mixed) -> int:
    return len(mixed.names)


@pytest.mark.parametrize(("function", "name"), [(of_float, "number"), (of_names, "mixed.names")])
def test_what_c_cannot_take_is_refused_by_name(function: Callable[..., int], name: str) -> None:
    with pytest.raises(TypeError, match=rf"^{name} is neither int nor an array type"):
        Kernel(function)
