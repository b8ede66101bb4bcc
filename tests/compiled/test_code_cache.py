"""Code that several processes lack at once: one makes it, even if one of them dies."""

import fcntl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from wordpack.compiled import code_cache

MAKES = """
import sys, time
from wordpack.compiled import code_cache
def make():
    with open(sys.argv[1], "a") as made:
        made.write("made\\n")
    print("making", flush=True)
    time.sleep(float(sys.argv[2]))
    return b"code"
print(code_cache.once("name", make), flush=True)
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep code in a folder that does not exist yet."""
    monkeypatch.setenv(code_cache.CACHE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@contextmanager
def making(made: Path, seconds: float) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a process that makes the code or waits for it."""
    command = [sys.executable, "-c", MAKES, str(made), str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        yield process
        process.kill()


def begun(process: subprocess.Popen[bytes]) -> bytes:
    """Return the next line that a process prints."""
    assert process.stdout
    return process.stdout.readline()


def not_called() -> bytes:
    """Fail if code is made a second time."""
    raise AssertionError


def test_one_of_several_processes_makes_what_all_lack(tmp_path: Path, cache: Path) -> None:
    """The others load it, and only the code is left in the folder."""
    made = tmp_path / "made"
    with making(made, 1) as one:
        assert begun(one) == b"making\n"
        with making(made, 0) as two, making(made, 0) as three:
            assert begun(two) == begun(three) == begun(one) == b"b'code'\n"
    assert made.read_text() == "made\n"
    assert [path.name for path in cache.iterdir()] == ["name"]


def test_where_the_one_is_killed_another_makes_it(tmp_path: Path, cache: Path) -> None:
    """A lock ends with its process, so a waiting process continues."""
    made = tmp_path / "made"
    with making(made, 600) as one:
        assert begun(one) == b"making\n"
        with making(made, 0) as two:
            one.kill()
            assert begun(two) == b"making\n"
            assert begun(two) == b"b'code'\n"
    assert [path.name for path in cache.iterdir()] == ["name"]


def test_nobody_waits_for_ever(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a timeout each process makes it, since the lock's holder may be stopped."""
    cache.mkdir()
    monkeypatch.setattr(code_cache, "PATIENCE", 0.1)
    with (cache / ".name.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert code_cache.once("name", lambda: b"code") == b"code"
    assert code_cache.once("name", not_called) == b"code"


@pytest.mark.parametrize("error", [OSError(37, "No locks available"), OSError(95, "Not supported")])
def test_a_file_system_without_locks(
    cache: Path, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    """Each process makes and keeps the code."""

    def none(*_arguments: object) -> None:
        raise error

    monkeypatch.setattr(fcntl, "flock", none)
    before = len(list(Path("/dev/fd").iterdir()))
    assert code_cache.once("name", lambda: b"code") == b"code"
    assert len(list(Path("/dev/fd").iterdir())) == before
    assert code_cache.once("name", not_called) == b"code"
    assert (cache / "name").exists()


def test_nowhere_to_keep_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the folder's path is a file or invalid, the code is made without an error."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(code_cache.CACHE, str(tmp_path / "file" / "cache"))
    assert code_cache.once("name", lambda: b"code") == b"code"
    monkeypatch.setattr(code_cache, "folder", lambda: None)
    assert code_cache.once("name", lambda: b"code") == b"code"
