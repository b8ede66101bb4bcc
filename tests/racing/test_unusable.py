"""A library that is installed but unusable: doctor says so, 'auto' says so and avoids it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from wordpack.backend import choosing, fallback, registry
from wordpack.backend.base import Options
from wordpack.backend.registry import Row
from wordpack.errors import Unavailable
from wordpack.library.diagnosis import doctor
from wordpack.racing import conversation, trial
from wordpack.solving.instances import INSTANCES
from wordpack.solving.loading import load

pytestmark = pytest.mark.slow

REFUSES = "Numba needs NumPy 2.0 or less. Got NumPy 2.3."

FAULTS = {
    "disabled": ("", "NUMBA_DISABLE_JIT is set"),
    "refusing": (f"raise ImportError({REFUSES!r})", REFUSES.rstrip(".")),
    "broken": ("raise AttributeError('numpy has no long')", "numpy has no long"),
    # as a library in Rust does when it panics
    "panicking": ("raise BaseException('it panicked')", "BaseException: it panicked"),
    "unable": (
        """
class config:
    DISABLE_JIT = 0

def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise RuntimeError("no LLVM for\\n" + name)
""",
        "RuntimeError: no LLVM for",
    ),
}
"""Text of a package called numba, and part of the reason; the first is the real one, disabled."""

DEADLY = {
    "kill": ("import os; os.kill(os.getpid(), 9)", "killed by SIGKILL"),
    "exit": ("import os; os._exit(7)", "exit status 7"),
    "abort": (
        "import os; os.write(2, b'LLVM ERROR: no\\n'); os.abort()",
        "killed by SIGABRT: LLVM",
    ),
    "raise": ("raise SystemExit('gone')", "exit status 1: gone"),
}
"""Text of a package that ends the process which imports it, and how it ends."""


class Done(NamedTuple):
    """The outcome of a command."""

    status: int
    out: str
    err: list[str]


Run = Callable[..., Done]


def package(folder: Path, name: str, text: str) -> str:
    """Write a package that shadows the real one, and return the PYTHONPATH for it."""
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text(text)
    return str(folder)


@pytest.fixture(params=FAULTS)
def fault(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def unusable(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command with an unusable numba and an empty cache."""
    monkeypatch.setenv("WORDPACK_CACHE_DIR", str(tmp_path / "kept"))
    text, _ = FAULTS[fault]
    if text:
        monkeypatch.setenv("PYTHONPATH", package(tmp_path, "numba", text), prepend=os.pathsep)
    else:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")

    def run(*arguments: str, given: str = "") -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "wordpack", *arguments],
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr.splitlines())

    return run


def test_solve_takes_a_backend_that_runs(unusable: Run, fault: str) -> None:
    """It gives the right answer, and one line says which backend ran and why not others."""
    status, out, err = unusable("solve", "toy")
    assert (status, len(out.splitlines())) == (0, 10)
    assert err[0].startswith("using filtered_arrays, since backends that need numba cannot run")
    assert FAULTS[fault][1] in err[0]
    assert err[1].startswith("5 packings, 10 solutions (as expected")


def test_json_stays_json(unusable: Run) -> None:
    """Only that line goes to standard error."""
    status, out, err = unusable("solve", "toy", "--count-only", "--format", "json")
    found = json.loads(out)
    assert (status, found["packings"], found["solutions"], len(err)) == (0, 5, 10, 1)
    assert found["backend"] == err[0].split()[1].rstrip(",")


def test_words_of_a_file_are_read_without_compiled_code(unusable: Run) -> None:
    """Including files that a kernel would scan otherwise."""
    words = "fjord\ngucks\nnymph\nvibex\nwaltz\nwaltz\nsevens\n"
    status, out, err = unusable("solve", "--words", "-", given=words)
    assert (status, out.split()) == (0, ["fjord", "gucks", "nymph", "vibex", "waltz"])
    assert err[0].startswith("using filtered_arrays")


def test_a_backend_asked_for_is_one_line(unusable: Run, fault: str) -> None:
    status, out, err = unusable("solve", "toy", "--backend", "bitset_rows")
    assert (status, out, len(err)) == (2, "", 1)
    assert FAULTS[fault][1] in err[0]


def test_explain_names_the_backend_that_runs(unusable: Run) -> None:
    status, out, err = unusable("solve", "toy", "--explain")
    assert (status, err) == (0, [])
    assert "filtered_arrays: filtered lists" in out
    assert "using filtered_arrays, since backends that need numba cannot run here" in out


@pytest.mark.parametrize(
    "arguments", ["hints --guess SLATE=.Y..G", "play", "sweep 2x5 --list toy --sample 20"]
)
def test_other_commands_work(unusable: Run, arguments: str) -> None:
    status, out, err = unusable(*arguments.split())
    assert (status, bool(out)) == (0, True), err
    assert not [line for line in err if "Traceback" in line]


def test_a_race_has_a_row_for_it(unusable: Run, fault: str, tmp_path: Path) -> None:
    """Whenever the fault shows; the other backend has its times."""
    two = ("--backend", "filtered_lists", "--backend", "bitset_rows")
    status, _, err = unusable("race", "toy", *two, "--repeat", "1", "--json", str(tmp_path / "r"))
    rows = {each["backend"]: each for each in json.loads((tmp_path / "r").read_text())["backends"]}
    assert (status, err) == (0, [])
    assert rows["filtered_lists"]["status"] == "ok"
    assert rows["bitset_rows"]["status"] == "unavailable"
    assert FAULTS[fault][1] in rows["bitset_rows"]["reason"]


def test_doctor_tells(unusable: Run, fault: str) -> None:
    """No backend that needs numba is listed as running; the others are unaffected."""
    status, out, _ = unusable("doctor", "--format", "json")
    found = {each["backend"]: each for each in json.loads(out)["backends"]}
    assert status == 0
    for row in registry.ROWS:
        if row.needs == "numba":
            assert not found[row.name]["runs"]
            assert FAULTS[fault][1] in found[row.name]["why_not"]
        elif not row.needs:
            assert found[row.name]["runs"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "AttributeError: module 'llvmlite.binding' has no attribute 'llvm_version_info'"),
        ("llvm_version_info = None", "TypeError: 'NoneType' object is not iterable"),
        ("llvm_version_info = (20,)", "module 'llvmlite' has no attribute '__version__'"),
        ("raise BaseException('it panicked')", "BaseException: it panicked"),
    ],
)
def test_an_llvm_that_is_broken(
    text: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """'auto' works without it, as without numba."""
    monkeypatch.setenv("PYTHONPATH", package(tmp_path, "llvmlite", ""), prepend=os.pathsep)
    (tmp_path / "llvmlite" / "binding.py").write_text(text)
    command = [sys.executable, "-m", "wordpack", "solve", "toy"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 10), done.stderr
    line = done.stderr.splitlines()[0]
    assert line.startswith("using filtered_arrays, since backends that need numba cannot run")
    assert "llvmlite cannot be imported (" in line
    assert reason in line
    assert line.endswith("reinstall numba")


@pytest.mark.parametrize("how", DEADLY)
@pytest.mark.parametrize("library", ["numba", "cupy", "pyopencl"])
def test_what_ends_the_process_is_the_reason(
    library: str, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal, an exit status or an exception."""
    text, reason = DEADLY[how]
    monkeypatch.setenv("PYTHONPATH", package(tmp_path, library, text), prepend=os.pathsep)
    ((runs, why),) = trial.tried([library]).values()
    assert not runs
    if how == "raise":
        # any exception of an import is named
        assert "cannot be imported (SystemExit: gone): " in why
    else:
        assert why.startswith(f"{library} ended the process that tried it: {reason}")


def test_the_others_run_beside_one_that_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, _ = DEADLY["kill"]
    monkeypatch.setenv("PYTHONPATH", package(tmp_path, "cupy", text), prepend=os.pathsep)
    found = {each["backend"]: each for each in doctor()["backends"]}
    for row in registry.ROWS:
        if row.needs == "cupy":
            assert "killed by SIGKILL" in found[row.name]["why_not"]
    assert found["filtered_lists"]["runs"]
    assert found["bitset_rows"]["runs"]


def test_a_library_that_hangs_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import time; time.sleep(1000)"
    monkeypatch.setenv("PYTHONPATH", package(tmp_path, "numba", text), prepend=os.pathsep)
    monkeypatch.setattr(trial, "LIMIT", 3.0)
    reason = "numba did not run a one-line kernel within 3 s."
    assert trial.tried(["numba"]) == {"numba": (False, reason)}


def test_the_trials_run_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """All processes start before the first answer is awaited, and all are ended."""
    log: list[str] = []

    class Child(trial.Child):
        def __init__(self, module: str, order: dict[str, Any], environment: Any) -> None:
            log.append(f"start {order['library']}")
            super().__init__(module, order, environment)

        def hear(self, *arguments: Any) -> Any:
            log.append("hear")
            return super().hear(*arguments)

        def close(self) -> None:
            log.append("close")
            super().close()

    monkeypatch.setattr(trial, "Child", Child)
    trial.tried(trial.TRIALS)
    assert log[:3] == ["start numba", "start cupy", "start pyopencl"]
    assert log[3:] == ["hear"] * 3 + ["close"] * 3


def test_numba_runs_here() -> None:
    """The trial really compiles: its cache keeps nothing."""
    ((runs, using),) = trial.tried(["numba"]).values()
    assert runs
    assert using.startswith("numba ")


def test_every_need_can_be_tried() -> None:
    """Every library that a row needs has a trial; only rows that need numba import its versions."""
    assert {row.needs for row in registry.ROWS} == {"", *trial.TRIALS}
    for row in registry.ROWS:
        text = Path(str(find_spec(row.backend.partition(":")[0]).origin)).read_text()
        assert (row.needs == "numba") == ("import versions" in text or ", versions" in text)


def test_what_needs_nothing_is_not_tried_again() -> None:
    """A backend that cannot run and needs no library fails with its reason at once."""
    tries: list[str] = []

    def fail(row: Row) -> None:
        tries.append(row.name)
        raise Unavailable("It cannot.")

    plain = registry.row("filtered_lists")
    with pytest.raises(Unavailable, match="It cannot"):
        fallback.prepared(lambda _unusable: (plain, None), fail, auto=True)
    assert tries == ["filtered_lists"]


@pytest.mark.parametrize("auto", [True, False])
def test_without_another_backend_the_reason_stays(auto: bool) -> None:
    """A chooser that offers the same row again, as a cluster's does, does not cause a loop."""
    tries: list[str] = []

    def fail(row: Row) -> None:
        tries.append(row.name)
        raise Unavailable("It cannot.")

    compiled = registry.row("bitset_rows")
    with pytest.raises(Unavailable, match="It cannot"):
        fallback.prepared(lambda _unusable: (compiled, None), fail, auto=auto)
    assert tries == ["bitset_rows"]


def test_a_library_that_no_probe_finds_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as an uninstalled numba; a single backend's failure does not condemn its library."""

    def missing() -> str:
        raise Unavailable("numba is not installed: reinstall wordpack.")

    whole, unusable = load(INSTANCES["toy"].spec).problem, fallback.Unusable()
    monkeypatch.setattr(registry.row("bitset_rows").load(), "probe", missing)
    assert choosing.choose("auto", whole, Options(), unusable).row.name == "rarest_letter"
    assert unusable == {}
    for row in registry.ROWS:
        if row.needs == "numba":
            monkeypatch.setattr(row.load(), "probe", missing)
    chosen = choosing.choose("auto", whole, Options(), unusable).row
    assert (chosen.name, unusable) == (
        "filtered_arrays",
        {"numba": "numba is not installed: reinstall wordpack."},
    )
    said = fallback.said(chosen, unusable)
    assert said == (
        "using filtered_arrays, since backends that need numba cannot run here: "
        "numba is not installed: reinstall wordpack"
    )


def test_a_gpu_without_a_driver_is_not_worth_a_line() -> None:
    """Only libraries that CPU backends need are mentioned."""
    row = registry.row("bitset_rows")
    assert fallback.said(row, {"cupy": "no driver"}) is None
    assert fallback.said(row, {}) is None


def test_the_racer_and_the_trial_speak_one_language() -> None:
    assert conversation.TRYING.takes == (conversation.Usable,)
