"""A library that cannot be imported or set up gives one line with its name."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from wordpack.errors import InputError, Unavailable
from wordpack.system.libraries import loaded, set_up

pytestmark = pytest.mark.slow

RAISED = [
    'ValueError("two\\nlines")',
    'ImportError("cannot import name x")',
    'OSError(5, "libx.so")',
    'SystemExit("gone")',
    # as a Rust library does when it panics
    'BaseException("panicked")',
    "AssertionError()",
    "RecursionError()",
    'AttributeError("module numpy has no attribute y")',
]


def broken(folder: Path, package: str, raised: str) -> dict[str, str]:
    """Make a package that raises on import; return an environment that finds it first."""
    (folder / package).mkdir(exist_ok=True)
    (folder / package / "__init__.py").write_text(f"raise {raised}\n")
    return os.environ | {"PYTHONPATH": str(folder)}


def told(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in its own process."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "wordpack", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def race_file(folder: Path, name: str, seconds: float) -> str:
    """Write a race with comparable samples; return its path."""
    samples = [seconds * (1 + 0.001 * place) for place in range(12)]
    entry = {
        "backend": "b",
        "status": "ok",
        "verified": "agreed",
        "seconds": {"samples": samples},
    }
    race = {
        "schema": 1,
        "wordpack": "0",
        "started": "2026-01-01T00:00:00+00:00",
        "instance": "made up",
        "machine": {},
        "backends": [entry],
    }
    (folder / name).write_text(json.dumps(race))
    return str(folder / name)


COMMANDS = {
    "dask": "solve toy --cluster local:1",
    "distributed": "sweep 1x5 --cluster local:1",
    "jinja2": "report m={one} --output {folder}/page.html",
    "plotly": "report m={one} --output {folder}/page.html",
    "scipy": "report --check m={one} m={two}",
    "cupy": "solve toy --backend cuda",
    "pyopencl": "solve toy --backend opencl",
}


@pytest.mark.parametrize("package", COMMANDS)
@pytest.mark.parametrize("raised", [RAISED[0], RAISED[4]], ids=["error", "panic"])
def test_a_package_that_raises_at_import(tmp_path: Path, package: str, raised: str) -> None:
    """One line has its name and message; the exit status is 2 and nothing is written."""
    line = COMMANDS[package].format(
        folder=tmp_path,
        one=race_file(tmp_path, "one.json", 1.0),
        two=race_file(tmp_path, "two.json", 2.0),
    )
    done = told(broken(tmp_path, package, raised), *line.split())
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.count("\n") == 1
    name = "dask" if package == "distributed" else package
    assert f"{name} cannot be imported" in done.stderr.lower()
    assert ("two lines" if raised == RAISED[0] else "panicked") in done.stderr
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize("raised", RAISED)
def test_a_broken_gpu_library_is_a_reason(tmp_path: Path, raised: str) -> None:
    """`doctor` shows the reason, and other backends run."""
    environment = broken(tmp_path, "pyopencl", raised)
    broken(tmp_path, "cupy", raised)
    broken(tmp_path, "pynvml", raised)
    ask = """
from wordpack.backend import registry
from wordpack.errors import Unavailable
from wordpack.machine import nvml
try:
    nvml.devices()
except Unavailable as reason:
    print("nvml", reason)
for name in ("cuda", "opencl"):
    try:
        registry.row(name).load().probe()
    except Unavailable as reason:
        print(name, reason)
"""
    done = subprocess.run(
        [sys.executable, "-P", "-c", ask],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    said = done.stdout.splitlines()
    assert [line.split()[:2] for line in said] == [
        ["nvml", "pynvml"],
        ["cuda", "CuPy"],
        ["opencl", "pyopencl"],
    ]
    assert all("cannot be imported" in line for line in said)


@pytest.mark.parametrize("package", ["plotly", "cryptography"])
def test_what_a_package_lacks_is_not_the_package(tmp_path: Path, package: str) -> None:
    """The package is installed, so the line names the dependency that is missing."""
    line = "report m={one} --output {folder}/page.html"
    if package == "cryptography":
        line = "solve toy --cluster local:1"
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text("import narwhals_that_is_not_there\n")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    one = race_file(tmp_path, "one.json", 1.0)
    done = told(environment, *line.format(one=one, folder=tmp_path).split())
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.count("\n") == 1
    assert f"{package} cannot be imported" in done.stderr
    assert "narwhals_that_is_not_there" in done.stderr
    assert "pip install" not in done.stderr


@pytest.mark.parametrize("module", ["dask", "distributed"])
def test_dask_is_two_packages(module: str) -> None:
    """Either of the two may be missing."""
    with pytest.raises(Unavailable, match=r"^say so$"), loaded("Dask", "say so"):
        raise ModuleNotFoundError(name=module)
    with pytest.raises(Unavailable, match="cannot be imported"), loaded("Dask", "say so"):
        raise ModuleNotFoundError(name="tornado")


@pytest.mark.parametrize(
    "raised", [RAISED[4], 'OSError("libssl.so.3: cannot open")', 'ImportError("libssl")']
)
def test_a_cryptography_that_is_broken(tmp_path: Path, raised: str) -> None:
    """No traceback, no mention of a full disk, and no advice to install an installed package."""
    environment = broken(tmp_path, "cryptography", raised)
    done = told(environment, "solve", "toy", "--cluster", "local:1")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith("wordpack: cryptography cannot be imported (")
    assert "pip install" not in done.stderr


def test_the_variable_that_it_speaks_of_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the line names all variables set, or advises correcting what the message names."""
    monkeypatch.setenv("LIB_A", "7 x")
    monkeypatch.setenv("LIB_B", "y")
    with pytest.raises(Unavailable, match=r"^lib refuses LIB_B=y .*: correct"), set_up("lib"):
        raise ValueError("y is no time")
    with pytest.raises(Unavailable, match="check LIB_A, LIB_B, or"), set_up("lib"):
        raise ConnectionError("y cannot be reached")
    with pytest.raises(Unavailable, match="check LIB_A, LIB_B, or"), set_up("lib"):
        raise ValueError("yes")
    with pytest.raises(Unavailable, match="correct what it names"), set_up("other"):
        raise ValueError("y")


def test_the_first_cause_is_told() -> None:
    """Dask wraps the first error in others that say less and less."""
    wrapped = RuntimeError("it failed")
    wrapped.__cause__ = KeyError("why")
    with pytest.raises(InputError, match="KeyError: 'why'"), set_up("lib", kind=InputError):
        raise wrapped


@pytest.mark.parametrize(
    "ours", [InputError("i"), Unavailable("u"), KeyboardInterrupt(), MemoryError()]
)
def test_what_is_no_fault_of_the_library_passes(ours: BaseException) -> None:
    """Our own errors, Ctrl-C and MemoryError pass through."""
    with pytest.raises(type(ours)) as caught, loaded("lib", "missing"):
        raise ours
    assert caught.value is ours


DASK = {
    "file": ("DASK_CONFIG", "{folder}", "bad.yaml"),
    "binary": ("DASK_CONFIG", sys.executable, sys.executable),
    "logging": ("DASK_DISTRIBUTED__LOGGING", "7", "DASK_DISTRIBUTED__LOGGING"),
    "connect": (
        *("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "bogus"),
        "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT",
    ),
    "client": (
        *("DASK_DISTRIBUTED__CLIENT__HEARTBEAT", "bogus"),
        "DASK_DISTRIBUTED__CLIENT__HEARTBEAT",
    ),
    "scheduler": (
        *("DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL", "bogus"),
        "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL",
    ),
}


@pytest.mark.parametrize("case", DASK)
def test_dask_settings_that_cannot_be_used(tmp_path: Path, case: str) -> None:
    """One line names the file or the variable, whenever Dask first uses the setting."""
    variable, value, named = DASK[case]
    (tmp_path / "bad.yaml").write_text("distributed: [1\n  a: {")
    environment = os.environ | {variable: value.format(folder=tmp_path)}
    done = told(environment, "solve", "toy", "--cluster", "local:1")
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(("wordpack: Dask cannot be", "wordpack: Dask refuses DASK_"))
    assert named in done.stderr


def test_a_setting_is_no_missing_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line about a cluster elsewhere names the variable too, not only the address."""
    from wordpack.cluster import connection

    async def connect(_address: str, _security: object) -> None:
        raise KeyError("Invalid time unit: bogus")

    monkeypatch.setattr(connection, "_answers", connect)
    with (
        pytest.raises(InputError, match="no scheduler answers"),
        connection.connected("tcp://127.0.0.1:1"),
    ):
        pass
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP", "bogus")
    with (
        pytest.raises(
            InputError, match=r"^Dask refuses DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP=bogus"
        ),
        connection.connected("tcp://127.0.0.1:1"),
    ):
        pass


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DASK_SCHEDULER_ADDRESS", "tcp://127.0.0.1:1"),
        ("DASK_DISTRIBUTED__COMM__DEFAULT_SCHEME", "tcp"),
        ("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1"),
    ],
)
def test_a_missing_scheduler_is_no_setting(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """A valid variable is not blamed just because its value is a word of the error."""
    from wordpack.cluster import connection

    monkeypatch.setattr(connection, "TIMEOUT", 1.0)
    monkeypatch.setenv(name, value)
    with (
        pytest.raises(InputError, match=r"no scheduler answers .*nothing listens there"),
        connection.connected("tcp://127.0.0.1:1"),
    ):
        pass
