"""Energy and throttling of a timed region, from a fake driver and from the real one."""

import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest
from conftest import Command, Install

from fakes.honest import Honest
from fakes.nvml import Gpu, Nvml, OldNvml
from tree import TESTS
from wordpack import schemas
from wordpack.backend import registry
from wordpack.backend.base import Options
from wordpack.machine import nvml
from wordpack.machine.metering import TimedParts, facts_of, metered
from wordpack.packing.problem import Problem

pytestmark = pytest.mark.slow

FAKES = TESTS


def two() -> Nvml:
    return Nvml(Gpu("GPU-aa"), Gpu("GPU-ab"), parts=(Gpu("MIG-c", name="part"),))


def on(uuid: str | None, **more: Any) -> Any:
    return SimpleNamespace(device_facts={"uuid": uuid, **more})


def test_a_search_on_the_processor_has_no_facts(install: Install) -> None:
    """The driver is not asked before or after the timed region."""
    library = install(two())
    assert facts_of(Honest(Problem((), 26), Options())) is None
    with metered(None) as readings:
        pass
    assert readings == {}
    assert library.questions == 0


def test_the_driver_completes_what_a_search_says(install: Install) -> None:
    """The search's own values are kept; without a driver, missing values stay missing."""
    install(two())
    found = facts_of(on("GPU-ab", name="mine", driver=None, opencl_version="3.0"))
    part = facts_of(on("GPU-c"))
    other = facts_of(on("GPU-zz", name="mine", driver=None))
    placed = facts_of(on(None, pci_bus_id="0000:01:00.0"))
    install(None)
    alone = facts_of(on("GPU-ab", name="mine", driver=None))
    assert found is not None
    assert part is not None
    assert (found["name"], found["driver"], found["opencl_version"]) == ("mine", "570.1", "3.0")
    assert part["name"] == "part"
    assert placed is not None
    assert placed["uuid"] == "GPU-aa"
    assert other == {"uuid": "GPU-zz", "name": "mine", "driver": None}
    assert alone == {"uuid": "GPU-ab", "name": "mine", "driver": None}


@pytest.mark.parametrize("library", [Nvml, OldNvml])
def test_a_region_has_its_energy_and_reasons(install: Install, library: type[Nvml]) -> None:
    """NVML is asked before and after, not inside; unknown bits get a name too."""
    gpu = Gpu("GPU-aa", reasons=1 | 1 << 5)
    fake = install(library(gpu))
    with metered({"uuid": "GPU-aa"}) as readings:
        asked = fake.questions
        gpu.joules += 40
        gpu.reasons = 1 << 30
        assert fake.questions == asked
    assert readings == {
        "energy_joules": pytest.approx(42.5),
        "throttle_before": ["gpu_idle", "sw_thermal_slowdown"],
        "throttle_after": ["others_0x40000000"],
    }
    assert fake.running == 0


def test_readings_that_a_gpu_refuses_are_unknown(install: Install) -> None:
    fake = install(Nvml(Gpu("GPU-aa", silent={"energy", "reasons"})))
    with metered({"uuid": "GPU-aa"}) as readings:
        pass
    assert readings == dict.fromkeys(("energy_joules", "throttle_before", "throttle_after"))
    with pytest.raises(KeyError), metered({"uuid": "GPU-aa"}):
        raise KeyError
    assert fake.running == 0


def test_parts_have_the_energy_of_all_of_them(install: Install) -> None:
    """Energies add up over parts and the search for another; without a device there are none."""
    install(Nvml(Gpu("GPU-aa")))
    parts = TimedParts(iter([1, 2]), {"uuid": "GPU-aa"})  # type: ignore[arg-type]
    assert list(parts) == [1, 2]
    assert parts.readings["energy_joules"] == pytest.approx(3 * 2.5)
    assert parts.seconds > 0
    silent = TimedParts(iter([1]), None)  # type: ignore[arg-type]
    assert list(silent) == [1]
    assert silent.readings == {}


def schema(name: str) -> Any:
    return json.loads((Path(schemas.__file__).parent / f"{name}.json").read_text())


@pytest.fixture
def measured(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a backend with its own device at the top of the table."""
    install(two())
    row = registry.Row("measured", "fakes.measured:Fake", "a fake", "a fake")
    monkeypatch.setattr(registry, "ROWS", (row, *registry.ROWS))


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("more", [[], ["--count-only"]])
def test_solve_stores_device_and_readings(wordpack: Command, more: list[str]) -> None:
    """The JSON names the device and fits the schema."""
    outcome = wordpack("solve", "toy", "--backend", "measured", "--format", "json", *more)
    found = json.loads(outcome.out)
    jsonschema.validate(found, schema("solve"))
    assert (found["device_facts"]["uuid"], found["device_facts"]["driver"]) == ("GPU-aa", "570.1")
    assert found["readings"]["energy_joules"] > 0
    plain = json.loads(
        wordpack("solve", "toy", "--format", "json", "--backend", "combinations").out
    )
    assert not {"device_facts", "readings"} & set(plain)


@pytest.mark.usefixtures("measured")
def test_a_race_stores_device_and_readings(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each sample has a reading from the process that ran it; the processor has none."""
    (tmp_path / "pynvml.py").write_text(
        "import sys; from fakes.nvml import Gpu, Nvml; sys.modules[__name__] = Nvml(Gpu('GPU-aa'))"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(FAKES)]))
    target = tmp_path / "race.json"
    names = ("--backend", "measured", "--backend", "combinations")
    assert wordpack("race", "toy", *names, "--repeat", "2", "--json", str(target)).status == 0
    stored = json.loads(target.read_text())
    jsonschema.validate(stored, schema("race"))
    rows = {each["backend"]: each for each in stored["backends"]}
    assert rows["measured"]["device_facts"]["compute_capability"] == "7.5"
    readings = rows["measured"]["readings"]
    assert [each["energy_joules"] for each in readings] == [pytest.approx(2.5)] * 2
    assert rows["combinations"]["device_facts"] is None
    assert rows["combinations"]["readings"] == []
    assert [each["uuid"] for each in stored["machine"]["gpus"]] == ["GPU-aa", "GPU-ab"]


def test_a_real_region_has_readings(gpu: None) -> None:
    """A real driver answers with the right types, or with None."""
    del gpu
    for facts in nvml.devices():
        with metered(facts) as readings:
            pass
        assert readings["throttle_after"] is None or isinstance(readings["throttle_after"], list)
        energy = readings["energy_joules"]
        assert energy is None or energy >= 0
