"""The CUDA host on a fake GPU, and on a real one if there is one."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from conftest import absent

from fakes.cuda import Cuda, DriverFault, RuntimeFault
from wordpack.compiled import code_cache
from wordpack.errors import Unavailable
from wordpack.kernels.device import cuda_host
from wordpack.kernels.device.cuda_device import LOCAL, SMALL, CudaDevice
from wordpack.kernels.device.device import OutOfDeviceMemory
from wordpack.machine import nvml
from wordpack.machine.metering import facts_of

TEXT = """
KERNEL void tick(GLOBAL uint *cell) { RESERVE(cell, 1); }
KERNEL void mix(GLOBAL uint *cells, int a, uint b, ulong c)
{
    int i = GROUP_ID * LOCAL_SIZE + LOCAL_ID;
    cells[i] = (uint)i + (uint)a + b + (uint)(c >> 40);
}
"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(code_cache.CACHE, str(tmp_path / "cache"))
    cuda_host.the_device.cache_clear()
    yield
    cuda_host.the_device.cache_clear()


def started(cuda: Any, monkeypatch: pytest.MonkeyPatch) -> CudaDevice:
    """Start with this module in place of CuPy's."""
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(cuda=cuda, __version__="14.2"))
    return cuda_host.the_device()


@pytest.fixture(params=["made up", "real"])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> CudaDevice:
    """Provide a fake and a real device: the same tests must pass on both."""
    if request.param == "made up":
        return started(Cuda(), monkeypatch)
    try:
        return cuda_host.the_device()
    except Unavailable as reason:
        absent(str(reason))


@pytest.mark.parametrize("nbytes", [1, 3, SMALL - 1, SMALL, SMALL + 1, 2 * SMALL, 5 * SMALL + 7])
def test_what_is_uploaded_is_read(device: CudaDevice, nbytes: int) -> None:
    """All bytes arrive, even if they pass the small pinned buffer several times."""
    sent = np.random.default_rng(nbytes).integers(0, 256, nbytes, np.uint8)
    buffer = device.upload(sent)
    got = np.zeros_like(sent)
    device.read(buffer, got)
    assert buffer.nbytes == nbytes
    assert np.array_equal(got, sent)


@pytest.mark.parametrize("rows", [1, SMALL // 8, SMALL // 8 + 1, 9 * SMALL])
def test_fetched_arrays_are_their_owners(device: CudaDevice, rows: int) -> None:
    """Small and large arrays have the buffer's content, and keep it when the buffer changes."""
    sent = np.arange(2 * rows, dtype=np.int32).reshape(rows, 2)
    buffer = device.upload(sent)
    one, other = (device.fetch(buffer, (rows, 2), np.int32) for _ in range(2))
    device.zero(buffer)
    device.finish()
    one[0] = 9
    assert np.array_equal(other, sent)
    assert one.dtype == np.int32
    assert np.array_equal(one[1:], sent[1:])


def test_without_pinned_memory_results_come_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = Cuda()
    device = started(cuda, monkeypatch)
    cuda.pinned = 0
    sent = np.arange(9 * SMALL, dtype=np.int32)
    assert np.array_equal(device.fetch(device.upload(sent), (9 * SMALL,), np.int32), sent)


def test_asked_for_in_order_done_in_order(device: CudaDevice) -> None:
    """Writes, clears, launches and reads see all earlier requests and no later ones."""
    cell, n = np.array([[7, 9]], np.uint32), np.zeros(2, np.uint32)
    program = device.compile(TEXT, {})
    buffer = device.upload(cell)
    cell[:] = 0
    program.launch("tick", 2, buffer)
    device.read(buffer, n)
    assert n.tolist() == [7 + 2 * LOCAL, 9]
    device.write(buffer, np.array([1], np.uint32))
    program.launch("tick", 1, buffer)
    program.launch("tick", 3, buffer)
    device.finish()
    device.read(buffer, n[:1])
    assert n[0] == 1 + 4 * LOCAL
    device.zero(buffer)
    device.read(buffer, n)
    assert n.tolist() == [0, 0]


def test_arguments_of_every_type(device: CudaDevice) -> None:
    """A pointer, and signed and unsigned numbers of 32 and 64 bits."""
    n = 3 * LOCAL
    buffer = device.empty(4 * n)
    arguments = np.int32(-5), np.uint32(1 << 31), np.uint64(11 << 40)
    device.compile(TEXT, {}).launch("mix", 3, buffer, *arguments)
    found = np.zeros(n, np.uint32)
    device.read(buffer, found)
    assert found.tolist() == [i - 5 + (1 << 31) + 11 for i in range(n)]


def test_one_text_is_compiled_once(device: CudaDevice) -> None:
    """Different defines make a different program."""
    assert device.compile(TEXT, {"N": 1}) is device.compile(TEXT, {"N": 1})
    assert device.compile(TEXT, {"N": 1}) is not device.compile(TEXT, {"N": 2})


def test_a_text_that_is_wrong_is_a_loud_error(device: CudaDevice) -> None:
    """A compile error is our bug, so it is not reported as a state of the machine."""
    with pytest.raises(RuntimeError, match="nonsense"):
        device.compile("nonsense", {})


def test_memory_that_is_not_there_is_said(device: CudaDevice) -> None:
    """The error has the bytes requested and free; smaller buffers still fit."""
    with pytest.raises(OutOfDeviceMemory) as refused:
        device.empty(1 << 50)
    assert refused.value.asked == 1 << 50
    assert refused.value.free is not None
    assert 0 < refused.value.free < 1 << 50
    assert device.empty(1000).nbytes == 1000


def test_memory_is_given_back(device: CudaDevice) -> None:
    """Dropping the last reference to a buffer frees it; the room can be reused repeatedly."""
    size = device.free_memory() // 3 * 2
    for _ in range(3):
        buffer = device.empty(size)
        del buffer


def test_its_shape_and_its_facts(device: CudaDevice) -> None:
    """Groups are whole teams of eight lanes; facts have a name, and NVML's UUID or PCI bus id."""
    shape = device.shape
    assert shape.span == 1
    assert shape.local % 8 == 0
    assert shape.groups * shape.local >= 1024
    assert 0 < shape.memory <= device.free_memory()
    assert device.described.startswith("CuPy 1")
    assert device.name in device.described
    facts = device.facts
    assert facts["name"] == device.name
    uuid = "GPU-01234567-89ab-cdef-0123-456789abcdef"
    assert facts["uuid"] is None or len(str(facts["uuid"])) == len(uuid)
    assert len(str(facts["pci_bus_id"])) == len("0000:3B:00.0")
    assert float(str(facts["compute_capability"])) >= 7.5


def test_marks_have_the_devices_time_between_them(device: CudaDevice) -> None:
    """The time is not negative, and the work in between is done when it is known."""
    buffer = device.upload(np.zeros(1, np.uint32))
    program = device.compile(TEXT, {})
    first = device.mark()
    program.launch("tick", 1, buffer)
    assert device.seconds_between(first, device.mark()) >= 0


def test_a_real_gpu_is_known_to_its_driver() -> None:
    """By its UUID or, since CuPy may truncate that, by its PCI bus id."""
    try:
        own = cuda_host.the_device().facts
        with nvml.nvml():
            pass
    except Unavailable as reason:
        absent(str(reason))
    for without in ("uuid", "pci_bus_id"):
        facts = own | {without: None}
        if facts["uuid"] or facts["pci_bus_id"]:
            found = facts_of(SimpleNamespace(device_facts=facts))  # type: ignore[arg-type]
            assert found is not None
            assert found["driver"] is not None


def test_a_uuid_that_is_cut_short_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = Cuda()
    assert started(cuda, monkeypatch).facts["uuid"] == "GPU-01020304-0506-0708-090a-0b0c0d0e0f10"
    cuda.properties["uuid"] = bytes(range(1, 9))
    assert started(cuda, monkeypatch).facts["uuid"] is None


def test_code_is_kept_between_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second start compiles nothing; a damaged or read-only cache only costs time."""
    cuda = Cuda()
    started(cuda, monkeypatch).compile(TEXT, {})
    assert cuda.nvrtc.compiled == ["sm_80", "sm_80"]
    again = Cuda()
    again.nvrtc.archs = None  # not even NVRTC is needed again
    cuda_host.the_device.cache_clear()
    started(again, monkeypatch).compile(TEXT, {})
    assert again.nvrtc.compiled == []
    for path in (tmp_path / "cache").iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    damaged = Cuda()
    cuda_host.the_device.cache_clear()
    started(damaged, monkeypatch)
    assert damaged.nvrtc.compiled == ["sm_80"]
    monkeypatch.setenv(code_cache.CACHE, "/dev/null/nowhere")
    nowhere = Cuda()
    cuda_host.the_device.cache_clear()
    started(nowhere, monkeypatch)
    assert nowhere.nvrtc.compiled == ["sm_80"]


def test_a_gpu_younger_than_the_compiler_gets_code_that_its_driver_finishes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cuda = Cuda()
    cuda.properties |= {"major": 12, "minor": 0}
    started(cuda, monkeypatch)
    assert cuda.nvrtc.compiled == ["compute_90"]


def test_a_launch_without_memory_is_told_from_other_faults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cuda = Cuda()
    device = started(cuda, monkeypatch)
    program, buffer = device.compile(TEXT, {}), device.empty(4)
    cuda.function.Module.fault = 2
    with pytest.raises(OutOfDeviceMemory):
        program.launch("tick", 1, buffer)
    cuda.function.Module.fault = 700
    with pytest.raises(DriverFault, match="700"):
        program.launch("tick", 1, buffer)


def changed(**attributes: Any) -> Cuda:
    cuda = Cuda()
    for name, value in attributes.items():
        setattr(cuda, name, value)
    return cuda


def without_nvrtc() -> Cuda:
    cuda = Cuda()
    cuda.nvrtc.archs = None
    return cuda


def without_builtins() -> Cuda:
    cuda = Cuda()
    cuda.nvrtc.builtins = False
    return cuda


def too_young() -> Cuda:
    cuda = Cuda()
    cuda.nvrtc.archs = (90,)
    return cuda


def old() -> Cuda:
    cuda = Cuda()
    cuda.properties |= {"major": 6, "minor": 1}
    return cuda


def faulty(status: int) -> Cuda:
    cuda = Cuda()
    cuda.function.Module.fault = status
    return cuda


@pytest.mark.parametrize(
    ("cuda", "reason"),
    [
        (None, r"CuPy cannot be imported .*wordpack\[cuda12\].*wordpack\[cuda13\]"),
        (changed(devices=0), "no NVIDIA GPU is visible.*CUDA_VISIBLE_DEVICES"),
        (changed(devices=RuntimeFault(100)), "no NVIDIA GPU is visible"),
        (changed(devices=RuntimeFault(35), driver_version=0), "no NVIDIA driver was found"),
        (changed(devices=RuntimeFault(35)), r"driver is for CUDA 12\.4, and CuPy for CUDA 12\.9"),
        (changed(devices=RuntimeFault(999)), "CUDA cannot start: error 999"),
        (old(), r"Model T has compute capability 6\.1, and 7\.5 is the oldest"),
        (without_nvrtc(), r'NVRTC.*cannot be loaded \(Failure finding "libnvrtc\.so"\): pip'),
        (without_builtins(), r"NVRTC does not compile for Model T \(.*reinstall CuPy"),
        (too_young(), r"compiles for compute capability 9\.0 at least.*8\.0"),
        (changed(room=3), "Model T has no memory for a trial .*4 bytes.*3 are free"),
        (faulty(2), "Model T has no memory for a trial"),
        (faulty(700), "Model T fails a trial: error 700"),
    ],
)
def test_what_is_missing_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, cuda: Cuda | None, reason: str
) -> None:
    """The sentence says what to do, and asking again gives the same answer."""
    if cuda is None:
        monkeypatch.setitem(sys.modules, "cupy", None)
    else:
        monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(cuda=cuda, __version__="14.2"))
    for _ in range(2):
        with pytest.raises(Unavailable, match=reason) as refused:
            cuda_host.the_device()
        assert "\n" not in str(refused.value)
        assert str(refused.value).endswith(".")


def test_a_gpu_that_counts_wrong_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fakes.cuda.tick", lambda *_: None)
    with pytest.raises(Unavailable, match="failed its self-test"):
        started(Cuda(), monkeypatch)
