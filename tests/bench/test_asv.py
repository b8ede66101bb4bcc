"""asv itself, end to end, in the test's own repository and home, with results read back."""

import json
import math
import os
import re
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from conftest import Asv, asv_in

from tree import ROOT

pytestmark = pytest.mark.slow

BROKEN = '''
"""Benchmarks that fail as backends may, and one with its own clock."""

from series import search


class Wrong(search.Search):
    """Returns one packing too few."""

    params = (("bitset_rows",), ("toy",))

    def time_run(self, _backend, _instance):
        """Leave out the last packing."""
        answer = self.search.run()
        self.answer = answer.between(0, answer.n - 1)


class Unfinished(search.Search):
    """Raises in the timed call what would be n/a in setup."""

    params = (("bitset_rows",), ("toy",))

    def time_run(self, _backend, _instance):
        """Raise."""
        raise NotImplementedError


class Missing(search.Search):
    """Asks for a backend that no commit has."""

    params = (("bitset_rows", "nobodys"), ("toy",))


class Tracked:
    """Returns what a device's clock would say."""

    type = "time"
    unit = "seconds"
    version = "1"

    def track_run(self):
        """Return samples, as device.py does."""
        return {"samples": [0.5, 0.1, 0.25], "number": 1}
'''
"""An extra module for the suite, which has no failing benchmark of its own."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a repository of two commits with the suite and the module above, and a home."""
    place = tmp_path_factory.mktemp("asv")
    clone = place / "clone"
    shutil.copytree(ROOT / "bench" / "series", clone / "bench" / "series")
    shutil.copy(ROOT / "asv.conf.json", clone)
    (clone / "bench" / "series" / "broken.py").write_text(BROKEN)
    (clone / ".gitignore").write_text(".asv/\n__pycache__/\n")
    (place / "home").mkdir()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(clone)]
    subprocess.run([*git, "init", "-q"], check=True)
    for message in ("one", "two"):
        (clone / "file").write_text(message)
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", message], check=True)
    return place


@pytest.fixture(scope="module")
def asv(folder: Path) -> Asv:
    """Run asv there: `asv("check")`; this machine's home is neither read nor written."""
    environment = os.environ | {"HOME": str(folder / "home")}
    return asv_in(folder / "clone", environment)


HERE = ("--environment", f"existing:{sys.executable}")
QUICK = ("run", "--quick", *HERE, "--machine", "test-2026", "--set-commit-hash")
TOY = r"^search\.Search\.time_run\('(bitset_rows|combinations|cuda)', 'toy'\)"
"""Two benchmarks that run, and one that needs a GPU, or a commit that has the backend."""


@pytest.fixture(scope="module")
def runs(asv: Asv) -> list[subprocess.CompletedProcess[str]]:
    """Run the quick benchmarks for the first commit, and also the broken ones for the second."""
    first = asv(*QUICK, "HEAD~1", "--bench", TOY)
    return [first, asv(*QUICK, "HEAD", "--bench", TOY, "--bench", r"^broken")]


def stored(folder: Path, message: str) -> dict[str, Any]:
    """Return the results of the commit with this message, by benchmark and column."""
    git = ["git", "-C", str(folder / "clone"), "log", "--format=%H", f"--grep={message}"]
    (commit,) = subprocess.run(git, capture_output=True, text=True, check=True).stdout.split()
    results = folder / "clone" / ".asv" / "results" / "test-2026"
    (file,) = results.glob(f"{commit[:8]}-*.json")
    document = json.loads(file.read_text())
    columns = document["result_columns"]
    return {
        name: dict(zip(columns, values, strict=False))
        for name, values in document["results"].items()
    }


def test_the_suite_is_well_formed(asv: Asv) -> None:
    """`asv check` imports every module and counts arguments."""
    done = asv("check", *HERE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No problems found" in done.stdout


def test_times_and_what_is_not_available(
    folder: Path, runs: list[subprocess.CompletedProcess[str]]
) -> None:
    """A run without failures ends with 0: times are positive, what cannot run is NaN."""
    assert runs[0].returncode == 0, runs[0].stdout
    found = stored(folder, "one")["search.Search.time_run"]
    assert found["version"] == "1"
    results = dict(zip(product(*found["params"]), found["result"], strict=True))
    assert results["'bitset_rows'", "'toy'"] > 0
    assert results["'combinations'", "'toy'"] > 0
    cuda = results["'cuda'", "'toy'"]
    assert math.isnan(cuda) or cuda > 0, "there may be a GPU"


def test_a_wrong_answer_is_a_failure(
    folder: Path, runs: list[subprocess.CompletedProcess[str]]
) -> None:
    """Asv ends with 2 and stores null for a wrong answer and for an error in the timed call."""
    assert runs[1].returncode == 2
    found = stored(folder, "two")
    for name in ("Wrong", "Unfinished"):
        assert found[f"broken.{name}.time_run"]["result"] in (None, [None])
    first, second = found["broken.Missing.time_run"]["result"]
    assert first > 0
    assert math.isnan(second)


@pytest.mark.usefixtures("runs")
def test_samples_of_another_clock_are_stored_as_a_time(folder: Path) -> None:
    """A tracked dictionary of samples is stored with its median and quartiles."""
    found = stored(folder, "two")["broken.Tracked.track_run"]
    assert found["result"] == [0.25]
    assert found["stats_q_25"][0] < 0.25 < found["stats_q_75"][0]
    assert found["stats_repeat"] == [3]


@pytest.mark.usefixtures("runs")
def test_the_machine_is_stored_with_its_keys(folder: Path) -> None:
    """What `wordpack machine` wrote reaches the results; no hostname does."""
    results = folder / "clone" / ".asv" / "results"
    assert [each.name for each in results.iterdir() if each.is_dir()] == ["test-2026"]
    entry = json.loads((results / "test-2026" / "machine.json").read_text())
    assert {"cpu", "gpu", "cuda", "opencl", "driver", "cores", "memory"} < set(entry)


@pytest.mark.usefixtures("runs")
def test_results_are_compared_and_published(folder: Path, asv: Asv) -> None:
    """`asv compare` has a row for both commits, `asv publish` a page with the machine."""
    done = asv("compare", "--machine", "test-2026", "HEAD~1", "HEAD")
    assert done.returncode == 0, done.stderr
    assert re.search(r"search\.Search\.time_run\('bitset_rows', 'toy'\)", done.stdout)
    done = asv("publish", "--no-pull")
    assert done.returncode == 0, done.stdout + done.stderr
    index = json.loads((folder / "clone" / ".asv" / "html" / "index.json").read_text())
    assert "test-2026" in index["machines"]
    assert index["params"]["gpu"]


def test_the_package_is_installed_with_the_extras_asked_for(tmp_path: Path) -> None:
    """asv.conf.json gives pip the wheel, with opencl and the extras in WORDPACK_EXTRAS."""
    from asv.util import interpolate_command

    command = json.loads((ROOT / "asv.conf.json").read_text())["install_command"]
    (tmp_path / "pip.py").write_text("import sys; print(sys.argv[1:])")
    for extras in (None, "cuda12", "cuda13,plots"):
        words, *_, folder = interpolate_command(
            command[0], {"wheel_file": "/a b/x.whl", "env_dir": str(tmp_path)}
        )
        environment = {name: value for name, value in os.environ.items() if "WORDPACK" not in name}
        environment |= {"WORDPACK_EXTRAS": extras} if extras else {}
        environment.pop("PYTHONSAFEPATH", None)
        done = subprocess.run(
            [sys.executable, *words[1:]],
            capture_output=True,
            text=True,
            check=True,
            cwd=folder,
            env=environment | {"PYTHONPATH": str(tmp_path)},
        )
        wanted = ",".join(["opencl", *([extras] if extras else [])])
        assert done.stdout.strip() == str(["install", f"/a b/x.whl[{wanted}]"])


def test_the_settings_are_those_that_asv_knows() -> None:
    """Asv ignores unknown keys; processes are spawned, because CUDA does not survive a fork."""
    from asv.config import Config

    settings = json.loads((ROOT / "asv.conf.json").read_text())
    assert set(settings) - {"version"} <= set(vars(Config()))
    assert settings["launch_method"] == "spawn"
    assert settings["environment_type"] == "virtualenv"
    pinned = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (version,) = settings["matrix"]["req"]["asv_runner"]
    assert f'"asv_runner=={version}"' in pinned
