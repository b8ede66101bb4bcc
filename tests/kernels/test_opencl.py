"""OpenCL as a backend: what it reports if it cannot run, and when it is chosen."""

import os
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from conftest import Command, needs

from wordpack.backend import choosing, registry
from wordpack.backend.base import Options
from wordpack.errors import InputError, Unavailable
from wordpack.kernels.device import opencl_device, opencl_host
from wordpack.kernels.device.device import OutOfDeviceMemory
from wordpack.packing.problem import Problem
from wordpack.solving.instances import instance
from wordpack.solving.loading import load


@pytest.fixture
def reopened() -> Iterator[None]:
    """Let the test open a device and forget it afterwards."""
    opencl_host.opened.cache_clear()
    yield
    opencl_host.opened.cache_clear()


class Platform:
    """An OpenCL platform without devices."""

    name = "Empty Platform "

    def get_devices(self) -> list[object]:
        """Return none."""
        return []


def library(platforms: Callable[[], list[Platform]]) -> ModuleType:
    """Return just enough of pyopencl to find no device."""

    class Error(Exception):
        pass

    found: Any = ModuleType("pyopencl")
    found.Error = found.LogicError = Error
    found.get_platforms = platforms
    return found  # type: ignore[no-any-return]  # a module is what it is


def missing() -> list[Platform]:
    raise sys.modules["pyopencl"].LogicError("PLATFORM_NOT_FOUND_KHR")


ABSENT: dict[str, tuple[ModuleType | None, str]] = {
    "no library": (None, "pip install 'wordpack[opencl]'"),
    "no loader": (library(missing), "No OpenCL platform was found: install"),
    "no platform": (library(list), "No OpenCL platform was found: install"),
    "no device": (library(lambda: [Platform()]), "has a device (seen: Empty Platform): check"),
}


@pytest.mark.usefixtures("reopened")
@pytest.mark.parametrize("what", ABSENT)
def test_a_machine_without_opencl_is_told_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, wordpack: Command, what: str
) -> None:
    """The reason says what to do; asked for by name, it is one line and exit status 2."""
    module, reason = ABSENT[what]
    monkeypatch.setitem(sys.modules, "pyopencl", module)
    with pytest.raises(Unavailable, match=r"^[A-Zp].*\.$") as raised:
        opencl_host.the_device()
    assert reason in str(raised.value)
    outcome = wordpack("solve", "toy", "--backend", "opencl")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert reason in outcome.err
    assert wordpack("solve", "toy").status == 0


@pytest.mark.usefixtures("reopened")
def test_a_device_that_is_named_and_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("opencl")
    opencl_host.opened.cache_clear()
    monkeypatch.setenv("PYOPENCL_CTX", "999:7")
    with pytest.raises(Unavailable, match="PYOPENCL_CTX=999:7 names no OpenCL device"):
        opencl_host.the_device()


@pytest.mark.usefixtures("reopened")
def test_a_device_without_any_memory_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("opencl")
    opencl_host.opened.cache_clear()

    def full(_device: object, nbytes: int) -> None:
        raise OutOfDeviceMemory(nbytes, 3)

    monkeypatch.setattr(opencl_device.OpenClDevice, "empty", full)
    with pytest.raises(Unavailable, match="has no room for 4 bytes"):
        opencl_host.the_device()


@pytest.mark.usefixtures("reopened")
def test_a_device_that_does_not_compile_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver may list a device without having a compiler for it; one line says so."""
    needs("opencl")
    opencl_host.opened.cache_clear()
    text = "KERNEL void tick(GLOBAL uint *cell) { no_such_thing; }"
    monkeypatch.setattr(opencl_device, "TRIAL", text)
    with pytest.raises(Unavailable, match=r"fails a trial \(.*check its driver") as refused:
        opencl_host.the_device()
    assert "\n" not in str(refused.value)


def test_a_forked_process_says_that_its_device_stayed_behind() -> None:
    """Otherwise it would wait for threads that it does not have."""
    needs("opencl")
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            opencl_host.the_device()
        except Unavailable as reason:
            os.write(write, str(reason).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as said:
        assert "does not outlive a fork" in said.read()
    os.waitpid(child, 0)


def test_more_than_any_device_has_is_out_of_memory() -> None:
    """The library's own errors become ours."""
    needs("opencl")
    import pyopencl as cl

    device = opencl_host.the_device()
    with pytest.raises(OutOfDeviceMemory, match=r"1,152,921,504,606,846,976 bytes"):
        device.empty(1 << 60)
    context = cl.Context([device.handle])
    with pytest.raises(OutOfDeviceMemory), device.memory_for(5):
        cl.Buffer(context, cl.mem_flags.READ_WRITE, 1 << 60)


def test_the_same_text_is_compiled_once() -> None:
    needs("opencl")
    device = opencl_host.the_device()
    text = "KERNEL void nothing(GLOBAL int *unused) { unused[0] = 7; }"
    program = device.compile(text, {"SPAN": 1})
    assert program is device.compile(text, {"SPAN": 1})
    assert program is not device.compile(text, {"SPAN": 8})
    buffer, found = device.upload(np.zeros(3, np.int32)), np.empty(3, np.int32)
    program.launch("nothing", 1, buffer)
    device.read(buffer, found)
    assert found.tolist() == [7, 0, 0]


class Quick:
    """A device with a given time estimate."""

    def __init__(self, seconds: float, why_not: str | None = None) -> None:
        self._seconds, self._why_not, self.probed = seconds, why_not, 0

    def probe(self) -> str:
        """Count how often it was asked."""
        self.probed += 1
        if self._why_not:
            raise Unavailable(self._why_not)
        return "a fake"

    def accepts(self, _problem: Problem, _options: Options) -> None:
        """Accept everything."""

    def seconds(self, _problem: Problem, _options: Options) -> float:
        """Return the given estimate."""
        return self._seconds


DEVICES = {
    "quicker": (Quick(0.0), "opencl"),
    "slower": (Quick(1e9), "bitset_rows"),
    "absent": (Quick(0.0, "There is none."), "bitset_rows"),
}


@pytest.mark.parametrize("what", DEVICES)
def test_auto_takes_a_device_where_it_pays(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """Five words of four letters are billions: the device is asked, and used if it is faster."""
    device, due = DEVICES[what]
    load_row = registry.Row.load
    monkeypatch.setattr(
        registry.Row, "load", lambda row: device if row.name == "opencl" else load_row(row)
    )
    device.probed = 0
    large = load(instance("5x4").spec).problem
    assert choosing.choose("auto", large, Options()).row.name == due
    assert device.probed == 1
    device.probed = 0
    # a short search despite its estimate in list order; and a count without a search
    short = load(instance("wrong-wordle").spec).problem
    assert choosing.choose("auto", short, Options()).row.name == "bitset_rows"
    assert choosing.choose("auto", short, Options(count_only=True)).row.name == "bitset_rows"
    assert choosing.choose("auto", large, Options(count_only=True)).row.name == "subset_sums"
    assert device.probed == 0


def test_auto_looks_at_no_device_that_ignores_an_option() -> None:
    """Threads are an option of CPUs only."""
    large = load(instance("5x4").spec).problem
    assert choosing.choose("auto", large, Options(threads=1)).row.name == "bitset_rows"
    with pytest.raises(InputError, match="opencl does not support `threads`"):
        choosing.choose("opencl", large, Options(threads=1))
