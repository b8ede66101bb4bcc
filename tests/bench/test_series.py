"""The asv suite: static parameters, n/a told from failures, and preparing only once."""

import json
import re
import subprocess
import sys
from typing import Any

import pytest

from series import verified
from series.search import Long, Search
from series.start import First
from series.table import BACKENDS, INSTANCES, LONG, PLAYERS, PLAYS, SECONDS, SHORT, SLOW
from tree import ROOT
from wordpack.backend import registry
from wordpack.games.instances import PLAYS as KNOWN_PLAYS
from wordpack.solving.instances import INSTANCES as KNOWN

pytestmark = pytest.mark.usefixtures("fakes_in_series")

LISTING = """
import json, sys
for name in ("wordpack", "numpy", "numba", "cupy", "pyopencl"):
    sys.modules[name] = None
from asv_runner.discovery import disc_benchmarks
from asv_runner._aux import update_sys_path
root = sys.argv[1]
update_sys_path(root)
found = [
    {"name": each.name, "version": each.version, "params": each._params, "type": each.type}
    for each in disc_benchmarks(root, ignore_import_errors=False)
]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def benchmarks() -> list[dict[str, Any]]:
    """Find all benchmarks as asv does, while neither the package nor a library can be imported."""
    command = [sys.executable, "-c", LISTING, str(ROOT / "bench" / "series")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_parameters_depend_on_no_machine(benchmarks: list[dict[str, Any]]) -> None:
    """Parameters are found without the package: asv shows what the last run's list has."""
    names = {each["name"].split(".")[0] for each in benchmarks}
    assert names == {
        *("search", "start", "words", "order", "growth", "memory", "command", "device"),
        "games",
        "why",
    }
    classes = {tuple(each["name"].split(".")[:2]) for each in benchmarks}
    assert len({name for _, name in classes}) == len(classes), "an import would measure twice"
    for each in benchmarks:
        assert each["params"]
        assert all(type(value) in (str, float) for values in each["params"] for value in values)


def test_versions_are_explicit(benchmarks: list[dict[str, Any]]) -> None:
    """A cosmetic edit starts no new history, because no version is a hash of the source."""
    assert all(each["version"].isdecimal() for each in benchmarks)


def test_device_times_are_stored_as_times(benchmarks: list[dict[str, Any]]) -> None:
    kinds = {each["name"]: each["type"] for each in benchmarks}
    assert kinds["device.Device.track_run"] == "time"


def test_every_backend_and_instance_has_its_place() -> None:
    """Every backend, instance and play is measured, or skipped by the table of seconds."""
    for workload, backends in (("packing", BACKENDS), ("play", PLAYERS)):
        rows = registry.of_workload(workload)
        assert {row.name for row in rows if not row.backend.startswith("fakes.")} <= set(backends)
    assert set(INSTANCES) == set(KNOWN)
    assert set(PLAYS) == set(KNOWN_PLAYS)
    assert {backend for backend, _ in SECONDS} <= set(BACKENDS)
    assert {name for _, name in SECONDS} <= set(INSTANCES)


def test_a_search_is_in_one_series_or_left_out() -> None:
    """Short searches are repeated, longer ones run once, and the longest skipped with a reason."""
    for backend in BACKENDS:
        for name in INSTANCES:
            seconds, taken = SECONDS.get((backend, name), 0), []
            for series, ask in (("short", verified.short), ("long", verified.long)):
                try:
                    ask(backend, name)
                except NotImplementedError:
                    continue
                taken.append(series)
            assert taken == (["short"] if seconds <= SHORT else ["long"] if seconds <= LONG else [])
    assert {backend for (backend, _), s in SECONDS.items() if SHORT < s <= LONG} == set(SLOW)
    assert Long.params[0] == SLOW


@pytest.mark.parametrize(
    ("backend", "reason"),
    [
        ("unavailable", "unavailable cannot run here: The library is missing"),
        ("costly", "costly refuses toy: "),
        ("of-another-commit", "no backend is called of-another-commit"),
    ],
)
def test_what_cannot_run_here_is_not_available(backend: str, reason: str) -> None:
    """It is n/a with its reason: a missing device, a refusal, a commit before the backend."""
    with pytest.raises(NotImplementedError, match=reason):
        Search().setup(backend, "toy")


def test_an_instance_of_another_commit_is_not_available() -> None:
    with pytest.raises(NotImplementedError, match="no instance is called later"):
        Search().setup("honest", "later")


@pytest.mark.parametrize("step", ["probe", "accepts", "prepare"])
def test_an_error_of_the_package_is_a_failure(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """NotImplementedError from inside a backend is a failure, though asv would show n/a."""
    from fakes import honest

    def unfinished(*_arguments: object) -> None:
        raise NotImplementedError("to be written")

    monkeypatch.setattr(honest.Fake, step, unfinished)
    with pytest.raises(RuntimeError, match="to be written"):
        Search().setup("honest", "toy")


def test_a_search_is_prepared_once_in_a_process() -> None:
    """Setup runs before each timed call; only `First` prepares anew."""
    benchmark = Search()
    benchmark.setup("honest", "toy")
    first = benchmark.search
    benchmark.teardown("honest", "toy")
    benchmark.setup("honest", "toy")
    assert benchmark.search is first
    fresh = First()
    fresh.setup("honest", "toy")
    assert fresh.search is not first


def test_a_late_skip_is_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asv ignores n/a from a later setup: the old search must not be timed again."""
    from fakes import honest, unavailable

    benchmark = First()
    benchmark.setup("honest", "toy")
    benchmark.time_first_call("honest", "toy")
    benchmark.teardown("honest", "toy")
    monkeypatch.setattr(honest.Fake, "probe", unavailable.Fake.probe)
    with pytest.raises(NotImplementedError):
        benchmark.setup("honest", "toy")
    with pytest.raises(AttributeError):
        benchmark.time_first_call("honest", "toy")


def test_one_module_imports_the_package() -> None:
    """The series take wordpack's names from `verified`, which imports `wordpack.measured`."""
    for path in (ROOT / "bench" / "series").glob("*.py"):
        found = set(re.findall(r"(?:from|import) (wordpack[\w. ]*)", path.read_text()))
        wanted = {"wordpack import measured", "wordpack.measured import "}
        assert found == (wanted if path.stem == "verified" else set()), path.name


def test_the_lasting_names_lead_somewhere() -> None:
    from wordpack import measured

    assert all(getattr(measured, name) is not None for name in dir(measured))
    with pytest.raises(AttributeError, match="has no solver"):
        measured.solver  # noqa: B018  asked for by its name
