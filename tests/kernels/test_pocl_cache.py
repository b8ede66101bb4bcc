"""The folder of PoCL's compiled kernels: kept if it is sound, replaced if it is not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import needs

from wordpack.kernels.device.pocl_cache import USERS, PoclCache

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in USERS:
        monkeypatch.delenv(name, raising=False)


def named(cache: PoclCache) -> Path:
    """Return the folder named to PoCL while OpenCL starts, and only then."""
    with cache.in_use():
        folder = Path(os.environ["POCL_CACHE_DIR"])
    assert not [name for name in USERS if name in os.environ]
    return folder


def compiled(folder: Path, content: bytes = b"code") -> Path:
    """Write code as PoCL does."""
    file = folder / "AB" / "kernel.so"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


def test_what_was_compiled_once_is_kept(tmp_path: Path) -> None:
    """The first process works beside the folder, the next one inside it, even with new code."""
    kept = tmp_path / "deep" / "pocl"
    first = PoclCache(kept)
    beside = named(first)
    assert beside != kept
    compiled(beside)
    first.seal()
    second = PoclCache(kept)
    assert named(second) == kept
    (kept / "AB" / "other.so").write_bytes(b"more")
    second.seal()
    assert named(PoclCache(kept)) == kept
    assert [path.name for path in tmp_path.joinpath("deep").iterdir()] == ["pocl"]


@pytest.mark.parametrize("damage", ["changed", "missing", "unknown", "no seal", "bad seal"])
def test_a_damaged_folder_is_replaced(tmp_path: Path, damage: str) -> None:
    kept = tmp_path / "pocl"
    cache = PoclCache(kept)
    compiled(named(cache))
    cache.seal()
    file, seal = kept / "AB" / "kernel.so", kept / "sealed.json"
    if damage == "changed":
        file.write_bytes(b"junk")
    elif damage == "missing":
        file.unlink()
    elif damage == "unknown":
        (kept / "new.so").write_bytes(b"half of it")
    elif damage == "no seal":
        seal.unlink()
    else:
        seal.write_bytes(b"{")
    again = PoclCache(kept)
    beside = named(again)
    assert beside != kept
    compiled(beside)
    again.seal()
    assert named(PoclCache(kept)) == kept
    assert file.read_bytes() == b"code"
    assert [path.name for path in tmp_path.iterdir()] == ["pocl"]


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone gives files away")
@pytest.mark.parametrize("planted", ["AB/kernel.so", "AB", "sealed.json"])
def test_what_another_user_planted_is_replaced(tmp_path: Path, planted: str) -> None:
    """A folder that was once open to everyone may still hold other users' files."""
    kept = sealed(tmp_path)
    os.chown(kept / planted, 1000, 1000)
    again = PoclCache(kept)
    assert named(again) != kept


@pytest.mark.parametrize("planted", ["AB/kernel.so", "AB", "sealed.json"])
def test_what_others_could_write_is_replaced(tmp_path: Path, planted: str) -> None:
    """Other users may have written it in place, or the target of a link."""
    kept = sealed(tmp_path)
    (kept / planted).chmod(0o777)
    assert named(PoclCache(kept)) != kept
    (kept / planted).chmod(0o755)
    assert named(PoclCache(kept)) == kept
    (kept / planted).rename(tmp_path / "elsewhere")
    (kept / planted).symlink_to(tmp_path / "elsewhere")
    assert named(PoclCache(kept)) != kept


def test_what_the_group_may_write_is_kept(tmp_path: Path) -> None:
    """A umask of 002 is common, so sealing removes the group's write permission."""
    before = os.umask(0o002)
    try:
        kept = sealed(tmp_path)
        cache = PoclCache(kept)
        assert named(cache) == kept
        (kept / "CD").mkdir()
        (kept / "CD" / "other.so").write_bytes(b"more")
        cache.seal()
        assert named(PoclCache(kept)) == kept
    finally:
        os.umask(before)


def sealed(folder: Path) -> Path:
    """Return a folder of compiled code, as left by an earlier process."""
    kept = folder / "pocl"
    cache = PoclCache(kept)
    compiled(named(cache))
    cache.seal()
    assert named(PoclCache(kept)) == kept
    return kept


def test_where_nothing_can_be_written_each_process_compiles(tmp_path: Path) -> None:
    """If the folder's place is a file, neither starting nor sealing is an error."""
    (tmp_path / "file").write_bytes(b"")
    for kept in (tmp_path / "file" / "pocl", None):
        cache = PoclCache(kept)
        compiled(named(cache))
        cache.seal()
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("name", USERS)
def test_what_the_user_has_set_stays(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setenv(name, "0")
    cache = PoclCache(tmp_path / "pocl")
    with cache.in_use():
        assert [os.environ.get(each) for each in USERS] == [
            "0" if each == name else None for each in USERS
        ]
    cache.seal()
    assert not list(tmp_path.iterdir())


def test_a_search_survives_damaged_kernels(tmp_path: Path) -> None:
    """PoCL kills the process if its code is damaged; our search still finds its five packings."""
    needs("opencl")
    command = [sys.executable, "-m", "wordpack", "solve", "toy", "--backend", "opencl"]
    environment = os.environ | {"WORDPACK_CACHE_DIR": str(tmp_path)}
    answers = []
    for _ in range(3):
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        answers.append(done.stdout)
        for code in (tmp_path / "pocl").rglob("*.so"):
            code.write_bytes(b"junk")
    assert answers[0].count("\n") == 10
    assert len(set(answers)) == 1
