"""`wordpack machine` writes one entry of asv's file, atomically, and changes no other."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fakes.nvml import Gpu, Nvml
from wordpack.backend.registry import ROWS
from wordpack.compiled.threads import usable_cores
from wordpack.errors import Unavailable
from wordpack.machine import hardware
from wordpack.results import machine_names

Command = Callable[..., Any]

KEYS = {
    *("arch", "cpu", "machine", "num_cpu", "os", "ram"),  # asv's own
    *("cores", "memory", "gpu", "driver", "cuda", "opencl"),
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Yield a home folder for this test, for asv's file."""
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path / ".asv-machine.json"


def entries(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def test_every_machine_has_the_same_short_strings(wordpack: Command, home: Path) -> None:
    """Asv's keys and ours are all present, short and shown; no question is asked."""
    outcome = wordpack("machine", "--name", "i7-2010")
    assert (outcome.status, outcome.err) == (0, "")
    entry = entries(home)["i7-2010"]
    assert set(entry) == KEYS
    assert all(isinstance(value, str) and 0 < len(value) <= 40 for value in entry.values())
    assert entry["machine"] == "i7-2010"
    assert entry["cores"] == str(usable_cores())
    assert dict(line.split(maxsplit=1) for line in outcome.out.splitlines()) == entry


def test_asv_reads_what_is_written(wordpack: Command, home: Path) -> None:
    """Asv itself finds the machine, with our keys, without a terminal to ask."""
    wordpack("machine", "--name", "m1-2021")
    code = (
        "import json; from asv.machine import Machine; "
        "print(json.dumps(vars(Machine.load(machine_name='m1-2021', interactive=True))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == entries(home)["m1-2021"]


def test_other_machines_and_their_keys_are_kept(wordpack: Command, home: Path) -> None:
    """Registering again replaces one entry; other entries keep their own keys."""
    home.write_text(json.dumps({"old": {"machine": "old", "colour": "red"}, "version": 1}))
    for _ in range(2):
        assert wordpack("machine", "--name", "new").status == 0
    found = entries(home)
    assert found["old"] == {"machine": "old", "colour": "red"}
    assert set(found) == {"old", "new", "version"}
    assert set(found["new"]) == KEYS
    assert [each.name for each in home.parent.iterdir()] == [home.name], "nothing is left beside"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "/etc",
            ".hidden",
            "-x",
            "a b",
            "a\nb",
            "é",
            "a\0b",
        ),
        *("version", "Version", "benchmarks.json", "x" * 41),
    ],
)
def test_names_that_could_be_no_folder(wordpack: Command, home: Path, name: str) -> None:
    """One line, status 2 and no file, since a name becomes a folder and a key of asv's file."""
    outcome = wordpack("machine", f"--name={name}")
    assert outcome.status == 2
    assert outcome.err.startswith("wordpack: --name ")
    assert outcome.err.count("\n") == 1
    assert not home.exists()


def test_names_that_differ_in_case_only(wordpack: Command, home: Path) -> None:
    """On a Mac they would share one results folder."""
    assert wordpack("machine", "--name", "Mac").status == 0
    outcome = wordpack("machine", "--name", "mac")
    assert outcome.status == 2
    assert "called Mac" in outcome.err
    assert set(entries(home)) == {"Mac", "version"}


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "[]", "null", "7", '{"a": {}}', '{"version": 2}', '{"version": "1"}'),
        *("[" * 100_000, "\udcff"),
    ],
    ids=range(10),
)
def test_a_file_that_is_not_asvs_stays_as_it_is(
    wordpack: Command, home: Path, content: str
) -> None:
    """A damaged, deeply nested, foreign-version or binary file gives one line and status 2."""
    raw = content.encode(errors="surrogateescape")
    home.write_bytes(raw)
    outcome = wordpack("machine", "--name", "x")
    assert outcome.status == 2
    assert outcome.err.count("\n") == 1
    assert str(home) in outcome.err
    assert home.read_bytes() == raw


def test_a_folder_in_its_place(wordpack: Command, home: Path) -> None:
    home.mkdir()
    outcome = wordpack("machine", "--name", "x")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)


def test_a_link_stays_a_link(wordpack: Command, home: Path, tmp_path: Path) -> None:
    """A user who keeps settings elsewhere finds the entry there."""
    elsewhere = tmp_path / "settings.json"
    elsewhere.write_text('{"version": 1}')
    home.symlink_to(elsewhere)
    assert wordpack("machine", "--name", "x").status == 0
    assert home.is_symlink()
    assert "x" in entries(elsewhere)


def test_the_name_must_be_given(wordpack: Command, home: Path) -> None:
    """The hostname is never used."""
    outcome = wordpack("machine")
    assert outcome.status == 2
    assert "--name" in outcome.err
    assert not home.exists()


def test_an_nvidia_gpu_is_named(
    install: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver gives model, driver and CUDA versions, and the number of GPUs if several."""
    one, two = Gpu("GPU-a", name="NVIDIA T"), Gpu("GPU-b", name="NVIDIA T")
    library = install(Nvml(one))
    library.nvmlSystemGetCudaDriverVersion = lambda: 12_040
    found = machine_names.facts("x")
    assert (found["gpu"], found["driver"], found["cuda"]) == ("NVIDIA T", "570.1", "12.4")
    install(Nvml(one, two))
    found = machine_names.facts("x")
    assert (found["gpu"], found["cuda"]) == ("2 x NVIDIA T", "unknown")
    install(None)
    monkeypatch.setenv("PATH", "")
    assert machine_names.facts("x")["cuda"] == "none"


def test_an_opencl_gpu_is_named(
    install: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without NVIDIA's driver the OpenCL device is named, or 'none' if it cannot start."""
    install(None)
    monkeypatch.setenv("PATH", "")
    backend = next(row for row in ROWS if row.name == "opencl").load()
    apple = {"gpu": "Apple M1", "driver": "1.2 1.0", "opencl": "1.2"}
    monkeypatch.setattr(backend, "machine_facts", lambda: apple)
    found = machine_names.facts("x")
    assert {key: found[key] for key in apple} == apple

    def absent() -> None:
        raise Unavailable("No OpenCL platform was found.")

    monkeypatch.setattr(backend, "machine_facts", absent)
    found = machine_names.facts("x")
    assert {found[key] for key in apple} == {"none"}


def test_what_a_brand_carries_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trademark signs and filler words are removed; a long brand is cut."""
    monkeypatch.setattr(
        hardware, "cpu_model", lambda: "Intel(R) Core(TM) i7 CPU         920  @ 2.67GHz"
    )
    assert machine_names.facts("x")["cpu"] == "Intel Core i7 920 @ 2.67GHz"
    monkeypatch.setattr(hardware, "cpu_model", lambda: "W" * 60)
    assert machine_names.facts("x")["cpu"] == "W" * 40
    monkeypatch.setattr(hardware, "cpu_model", lambda: None)
    assert machine_names.facts("x")["cpu"] == "unknown"


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_home_that_cannot_be_written(wordpack: Command, home: Path) -> None:
    home.parent.chmod(0o500)
    try:
        outcome = wordpack("machine", "--name", "x")
    finally:
        home.parent.chmod(0o700)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
