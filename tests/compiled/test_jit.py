"""The cache of compiled kernels is never wrong: damaged, unwritable, or shared by processes."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from wordpack.compiled import arguments, code_cache, instructions, jit, linking
from wordpack.compiled.jit import Int32Table, Int64s, Kernel, Uint64s

pytestmark = pytest.mark.slow

SOLVE_TOY = """
import sys
from wordpack.backend.base import Options
from wordpack.solving.instances import INSTANCES
from wordpack.solving.loading import load
from wordpack.packing.answer import verify
from wordpack.backend.registry import row
toy = INSTANCES["toy"]
found = row("rarest_letter").load().prepare(load(toy.spec).problem, Options()).run()
verify(found)
print(len(found), found.solutions(), found.digest() == toy.expected.digest)
print("numba" in sys.modules)
"""


def dot(numbers: Int64s, masks: Uint64s, out: Int32Table, factor: int) -> int:
    """Read arrays of two types and write into a third."""
    total = 0
    for i in range(len(numbers)):
        total += numbers[i] * factor
        if masks[i] > np.uint64(1 << 63):
            out[i % out.shape[0], i % out.shape[1]] += 1
    return total


def check(kernel: Kernel) -> None:
    """Call `kernel` with arrays whose shapes tell dimensions apart."""
    out = np.zeros((2, 3), np.int32)
    masks = np.array([0, 2**64 - 1, 2**63 + 1, 1], np.uint64)
    assert kernel(np.array([1, 2, 3, -10], np.int64), masks, out, 10**9) == -4 * 10**9
    assert out.tolist() == [[0, 0, 1], [0, 1, 0]]
    assert kernel(np.zeros(0, np.int64), masks, out, 5) == 0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache folder that does not exist yet."""
    cache = tmp_path / "deep" / "cache"
    monkeypatch.setenv(code_cache.CACHE, str(cache))
    return cache


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the functions compiled while the test runs."""
    names: list[str] = []
    compile_ = jit._compile

    def counting(function: Callable[..., int], kinds: list[Any]) -> object:
        names.append(function.__name__)
        return compile_(function, kinds)

    monkeypatch.setattr(jit, "_compile", counting)
    return names


def only_file(folder: Path) -> Path:
    """Return the only file of the cache, with no unfinished file beside it."""
    (path,) = folder.iterdir()
    assert path.suffix == ".kernel"
    return path


def test_a_kernel_is_compiled_once(folder: Path, compiled: list[str]) -> None:
    """The second time it is loaded, and gives the same result."""
    check(Kernel(dot))
    before = only_file(folder).read_bytes()
    check(Kernel(dot))
    assert compiled == ["dot"]
    assert only_file(folder).read_bytes() == before


@pytest.mark.parametrize("module", [arguments, instructions, linking])
def test_a_module_that_shapes_the_code_is_part_of_its_name(
    module: ModuleType, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If such a module changes, code that was kept before is not loaded."""
    check(Kernel(dot))
    before = only_file(folder)
    changed = tmp_path / "changed.py"
    changed.write_text(Path(str(module.__file__)).read_text() + "# changed")
    monkeypatch.setattr(module, "__file__", str(changed))
    check(Kernel(dot))
    assert len(set(folder.iterdir()) - {before}) == 1


def flipped(place: int) -> Callable[[bytes], bytes]:
    return lambda raw: raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda _: b"\n",
        lambda raw: raw[: len(raw) // 2],
        lambda raw: raw[:-1],
        lambda raw: raw[:64],
        lambda raw: raw + b"\0",
        flipped(0),
        flipped(65),
        lambda raw: flipped(len(raw) // 2)(raw),
        lambda raw: flipped(len(raw) - 1)(raw),
    ],
    ids=["empty", "newline", "half", "cut", "head", "longer", "digest", "symbol", "code", "last"],
)
def test_a_damaged_file_is_compiled_again_and_replaced(
    folder: Path, compiled: list[str], damage: Callable[[bytes], bytes]
) -> None:
    Kernel(dot)
    path = only_file(folder)
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    check(Kernel(dot))
    assert compiled == ["dot", "dot"]
    assert only_file(folder) == path
    assert path.read_bytes() != damaged
    check(Kernel(dot))
    assert compiled == ["dot", "dot"]


@pytest.mark.parametrize("parent", [False, True])
def test_a_file_in_the_place_of_the_folder_costs_only_time(
    folder: Path, compiled: list[str], parent: bool
) -> None:
    """Nothing can be kept, so each kernel is compiled; the file is left alone."""
    blocking = folder.parent if parent else folder
    blocking.parent.mkdir(parents=True, exist_ok=True)
    blocking.write_text("mine")
    check(Kernel(dot))
    check(Kernel(dot))
    assert compiled == ["dot", "dot"]
    assert blocking.read_text() == "mine"


def test_a_folder_in_the_place_of_the_file_costs_only_time(
    folder: Path, compiled: list[str]
) -> None:
    Kernel(dot)
    path = only_file(folder)
    path.unlink()
    path.mkdir()
    check(Kernel(dot))
    assert compiled == ["dot", "dot"]
    assert path.is_dir()


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        (0, np.zeros(4, np.int32)),
        (0, np.zeros(4, np.float64)),
        (0, np.zeros(4, np.dtype(">i8"))),
        (0, np.zeros(8, np.int64)[::2]),
        (0, np.zeros((2, 2), np.int64)),
        (1, np.zeros(4, np.int64)),
        (2, np.zeros((3, 2), np.int32).T),
        (2, np.zeros((2, 6), np.int32)[:, ::2]),
        (2, np.zeros(6, np.int32)),
    ],
)
def test_a_wrong_array_is_a_type_error(folder: Path, place: int, wrong: np.ndarray) -> None:
    """A wrong type, byte order, dimension or stride raises: memory is never misread."""
    right: list[Any] = [np.zeros(4, np.int64), np.zeros(4, np.uint64), np.zeros((2, 3), np.int32)]
    kernel = Kernel(dot)
    assert kernel(*right, 1) == 0
    right[place] = wrong
    with pytest.raises(TypeError, match="C-contiguous"):
        kernel(*right, 1)
    assert folder.is_dir()


def test_a_wrong_number_of_arguments_is_an_error(folder: Path) -> None:
    kernel = Kernel(dot)
    with pytest.raises(ValueError, match="argument"):
        kernel(np.zeros(4, np.int64), np.zeros(4, np.uint64))
    assert only_file(folder)


def start(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SOLVE_TOY],
        cwd=folder.parent,  # not in the repository, whose sources would shadow the package
        env=os.environ | {code_cache.CACHE: str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_processes_share_the_cache(tmp_path: Path) -> None:
    """Two at once on a cold cache are both right; later ones load the kernel without numba.

    Only the process that finds the file damaged compiles it again.
    """
    cache = tmp_path / "cache"
    running = [start(cache), start(cache)]
    for process in running:
        out, _ = process.communicate()
        assert (process.returncode, out.splitlines()[0]) == (0, "5 10 True")
    path = only_file(cache)
    for damaged in (False, True, False):
        if damaged:
            path.write_bytes(path.read_bytes()[:-9])
        process = start(cache)
        out, _ = process.communicate()
        assert (process.returncode, out.splitlines()) == (0, ["5 10 True", str(damaged)])
