"""Faults of the machine around a command: limits, missing folders, too many processes."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import needs
from shell import refused, run

from wordpack.backend.base import Options
from wordpack.backend.registry import row
from wordpack.compiled import code_cache
from wordpack.compiled.threads import pool
from wordpack.errors import Unavailable
from wordpack.packing.answer import Packings
from wordpack.solving.instances import INSTANCES
from wordpack.solving.loading import load

pytestmark = pytest.mark.slow

Command = Callable[..., Any]

PROGRAM = [sys.executable, "-m", "wordpack"]


@pytest.mark.parametrize("command", ["solve toy --count-only", "solve nonsense", "race nonsense"])
def test_a_full_standard_error_changes_nothing_else(command: str) -> None:
    """Exit status and standard output stay the same, since 1 would mean a wrong answer."""
    if not Path("/dev/full").exists():
        pytest.skip("/dev/full is Linux's")
    quiet, full = (run(f"wordpack {command} 2>{place}") for place in ("/dev/null", "/dev/full"))
    assert (full.returncode, full.stdout) == (quiet.returncode, quiet.stdout)


def test_a_current_folder_that_is_gone(tmp_path: Path) -> None:
    """A relative output path is refused; without one, the command runs as usual."""
    for options, status in (("", 0), (" --output rows", 2)):
        (tmp_path / "gone").mkdir()
        done = run(f"cd {tmp_path}/gone && rmdir ../gone && wordpack solve toy{options}")
        assert done.returncode == status
        assert ("cannot write rows" in done.stderr) == (status == 2)


@pytest.mark.parametrize(("number", "status"), [("0", 2), ("9999", 0)])
def test_any_number_of_numbas_threads(number: str, status: int, tmp_path: Path) -> None:
    """Threads of numba are not used; if numba refuses to start, the setting is named."""
    done = run(
        "wordpack solve toy --backend rarest_letter",
        NUMBA_NUM_THREADS=number,
        WORDPACK_CACHE_DIR=str(tmp_path),
    )
    assert done.returncode == status, done.stderr
    if status:
        refused(done, "NUMBA_NUM_THREADS")


def test_no_more_threads_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a thread cannot start, the reason is given, and the started ones do not wait for it."""
    started, start = [], threading.Thread.start

    def at_most_two(self: threading.Thread) -> None:
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        started.append(self)
        start(self)

    monkeypatch.setattr(threading.Thread, "start", at_most_two)
    with pytest.raises(Unavailable, match=r"cpu, 7 threads cannot be had .*`threads`"):
        pool(7)
    for thread in started:
        thread.join(timeout=30)
        assert not thread.is_alive()


def test_out_of_memory_is_one_line(wordpack: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's own error has no message, numpy's has one."""
    for error, said in (
        (MemoryError(), "out of memory: try"),
        (MemoryError("8 TiB"), "(8 TiB): try"),
    ):

        def exhausted(*_arguments: object, error: MemoryError = error) -> None:
            raise error

        monkeypatch.setattr("wordpack.solving.solve.load", exhausted)
        status, out, err = wordpack("solve", "toy")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert said in err


def parker(name: str) -> Packings:
    """Search with a backend prepared anew."""
    problem = load(INSTANCES["parker"].spec).problem
    answer = row(name).load().prepare(problem, Options()).run()
    assert isinstance(answer, Packings)
    return answer


def is_right(found: Packings) -> bool:
    expected = INSTANCES["parker"].expected
    return expected is not None and found.digest() == expected.digest


@pytest.mark.parametrize("name", ["bitset_rows", "rarest_letter"])
def test_two_threads_search_at_once(name: str) -> None:
    """First each has its own search, then both share one."""
    with ThreadPoolExecutor(2) as two:
        assert all(map(is_right, two.map(parker, [name, name])))
        search = row(name).load().prepare(load(INSTANCES["parker"].spec).problem, Options())
        found = list(two.map(lambda _: search.run(), range(4)))
    assert all(isinstance(each, Packings) and is_right(each) for each in found)


FORKS = """
import os, sys
from wordpack.backend.base import Options
from wordpack.solving.instances import INSTANCES
from wordpack.solving.loading import load
from wordpack.backend.registry import row
def search():
    problem = load(INSTANCES["parker"].spec).problem
    found = row("bitset_rows").load().prepare(problem, Options()).run()
    return found.digest() == INSTANCES["parker"].expected.digest
assert search()
child = os.fork()
if child == 0:
    os._exit(0 if search() else 3)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_fork_after_threads_can_search() -> None:
    """The child has its own threads."""
    command = [sys.executable, "-c", FORKS]
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()


OPENS = """
from concurrent.futures import ThreadPoolExecutor
from wordpack.kernels.device import opencl_host
with ThreadPoolExecutor(3) as three:
    assert len(set(map(id, three.map(lambda _: opencl_host.the_device(), range(3))))) == 1
"""


def test_threads_that_open_opencl_at_once_get_one_device() -> None:
    """While it opens, PoCL reads the environment, which all threads share."""
    needs("opencl")
    command = [sys.executable, "-c", OPENS]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_opencl_needs_no_cache_of_pyopencls(tmp_path: Path) -> None:
    """A search works even if the cache folder cannot be made, as in a read-only home."""
    needs("opencl")
    (tmp_path / "file").write_text("")
    ours = {code_cache.CACHE: str(code_cache.folder())}
    theirs = {"XDG_CACHE_HOME": str(tmp_path / "file")}
    done = run("wordpack solve toy --backend opencl", **ours, **theirs)
    assert (done.returncode, done.stdout.count("\n")) == (0, 10), done.stderr


def test_many_processes_at_once_on_a_cold_cache(tmp_path: Path) -> None:
    """All answers are right, and one kernel is left in the cache."""
    command = [*PROGRAM, "solve", "toy", "--backend", "rarest_letter"]
    environment = os.environ | {"WORDPACK_CACHE_DIR": str(tmp_path)}
    running = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    answers = {process.communicate()[0] for process in running}
    assert [process.returncode for process in running] == [0] * 3
    assert len(answers) == 1
    assert answers.pop().count(b"\n") == 10
    assert [path.suffix for path in tmp_path.iterdir()] == [".kernel"]
