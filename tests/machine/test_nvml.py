"""GPUs and their facts, with a fake driver that is checked against the real one's names."""

import inspect
import json
from pathlib import Path
from typing import Any

import pynvml
import pytest
from conftest import Command, Install

from fakes.nvml import Gpu, Nvml, OldNvml
from wordpack.errors import Unavailable
from wordpack.machine import hardware, nvml

pytestmark = pytest.mark.slow

UUIDS = ["GPU-aa", "GPU-ab", "GPU-b"]


def three(**changes: Any) -> Nvml:
    return Nvml(*(Gpu(uuid, **changes) for uuid in UUIDS), parts=(Gpu("MIG-c", name="part"),))


def check_facts(facts: nvml.Facts) -> None:
    """Assert what holds for the facts of any GPU, fake or real."""
    assert list(facts) == [
        *("name", "uuid", "memory_bytes", "compute_capability", "driver"),
        *("sm_clock_mhz", "memory_clock_mhz", "power_watts"),
    ]
    assert str(facts["uuid"]).startswith(("GPU-", "MIG-"))
    assert isinstance(facts["memory_bytes"], int)
    assert facts["memory_bytes"] > 1 << 28
    major, minor = str(facts["compute_capability"]).split(".")
    assert (int(major), int(minor)) > (1, 0)
    for name in ("sm_clock_mhz", "memory_clock_mhz", "power_watts"):
        value = facts[name]
        assert value is None or (isinstance(value, int | float) and value >= 0)
    json.dumps(facts, allow_nan=False)


def test_the_made_up_driver_has_the_real_ones_functions() -> None:
    """Every function of the fake exists in nvidia-ml-py, with the same parameter names."""
    mine = [name for name, _ in inspect.getmembers(OldNvml) if name.startswith("nvml")]
    for name in mine:
        real = inspect.signature(getattr(pynvml, name))
        fake = getattr(OldNvml(), name) or getattr(Nvml(), name)
        assert list(inspect.signature(fake).parameters) == list(real.parameters), name
    assert (Nvml.NVML_CLOCK_SM, Nvml.NVML_CLOCK_MEM) == (
        pynvml.NVML_CLOCK_SM,
        pynvml.NVML_CLOCK_MEM,
    )


def test_reasons_stand_in_the_places_of_their_bits() -> None:
    """The table's names follow the library's constants."""
    bits = {
        "gpu_idle": "GpuIdle", "applications_clocks": "ApplicationsClocksSetting",
        "sw_power_cap": "SwPowerCap", "hw_slowdown": "HwSlowdown", "sync_boost": "SyncBoost",
        "sw_thermal_slowdown": "SwThermalSlowdown", "hw_thermal_slowdown": "HwThermalSlowdown",
        "hw_power_brake": "HwPowerBrakeSlowdown", "display_clocks": "DisplayClockSetting",
    }  # fmt: skip
    for place, name in enumerate(nvml.REASONS[: len(bits)]):
        assert getattr(pynvml, f"nvmlClocksEventReason{bits[name]}") == 1 << place


def test_what_each_gpu_says(install: Install) -> None:
    """All facts of every GPU are read, and NVML is shut down afterwards."""
    library = install(three())
    found = nvml.devices()
    assert [facts["uuid"] for facts in found] == UUIDS
    assert library.running == 0
    check_facts(found[0])
    assert found[0] == {
        "name": "Model T", "uuid": "GPU-aa", "memory_bytes": 16 << 30,
        "compute_capability": "7.5", "driver": "570.1", "sm_clock_mhz": 1590,
        "memory_clock_mhz": 5001, "power_watts": 70.5,
    }  # fmt: skip


QUESTIONS = ["name", "uuid", "memory", "capability", "clocks", "power"]


@pytest.mark.parametrize("silent", [*([each] for each in QUESTIONS), QUESTIONS])
def test_what_a_gpu_does_not_say_is_unknown(
    install: Install, wordpack: Command, silent: list[str]
) -> None:
    """An unanswered query is None and affects no other; doctor says unknown."""
    install(Nvml(Gpu("GPU-aa", silent=set(silent))))
    facts = nvml.devices()[0]
    unknown = {name for name, value in facts.items() if value is None}
    assert {name.split("_")[0] for name in unknown} == {
        {"capability": "compute", "clocks": "sm"}.get(each, each) for each in silent
    } | ({"memory"} if "clocks" in silent else set())
    assert ("unknown" in wordpack("doctor").out) == bool(set(silent) - {"uuid"})


@pytest.mark.parametrize(
    ("visible", "due"),
    [
        (None, UUIDS),
        ("", []),
        ("2,0", ["GPU-b", "GPU-aa"]),
        (" 1 , GPU-b", ["GPU-ab", "GPU-b"]),
        ("GPU-a", []),
        ("GPU-ab,7,0", ["GPU-ab"]),
        ("-1,0", []),
        ("NoDevFiles", []),
        ("MIG-c", ["MIG-c"]),
        ("MIG-d,0", []),
    ],
)
def test_only_gpus_that_cuda_shows_are_named(
    install: Install, monkeypatch: pytest.MonkeyPatch, visible: str | None, due: list[str]
) -> None:
    """Numbers, UUIDs, unique prefixes and MIG parts are accepted; a wrong name ends the list."""
    install(three())
    if visible is not None:
        monkeypatch.setenv(nvml.VISIBLE, visible)
    assert [facts["uuid"] for facts in nvml.devices()] == due


def test_no_library_and_no_driver_are_told_apart(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One needs an extra, the other a driver; the real library without a driver agrees."""
    install(None)
    with pytest.raises(Unavailable, match=r"wordpack\[cuda12\]"):
        nvml.devices()
    install(three()).driver = None
    with pytest.raises(Unavailable, match=r"NVML cannot start: .*Not Found\."):
        nvml.devices()
    monkeypatch.setenv("PATH", "")
    assert "no NVIDIA driver" in str(hardware.describe()["gpu"]["why_not"])


def test_the_machine_lists_its_gpus(install: Install, wordpack: Command) -> None:
    """The first GPU is listed in short, all in full, and doctor has one line for each."""
    install(three())
    machine = hardware.describe()
    assert machine["gpu"] == {
        "name": "Model T", "memory": "16384 MiB", "driver": "570.1",
        "why_not": None, "unmeasured": None,
    }  # fmt: skip
    assert machine["gpus"] == nvml.devices()
    lines = [line for line in wordpack("doctor").out.splitlines() if line.startswith("GPU")]
    assert len(lines) == 3
    assert lines[0].split(None, 1)[1] == (
        "Model T, 16.0 GiB, compute capability 7.5, driver 570.1, "
        "clocks 1590 MHz (memory 5001), power 70.5 W"
    )


def test_hidden_gpus_are_not_a_missing_driver(
    install: Install, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install(three())
    (tmp_path / "nvidia-smi").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv(nvml.VISIBLE, "")
    assert nvml.VISIBLE in str(hardware.describe()["gpu"]["why_not"])


def test_a_real_gpu_says_the_same(gpu: None) -> None:
    """The same checks on the driver that is here."""
    del gpu
    found = nvml.devices()
    assert found
    for facts in found:
        check_facts(facts)
