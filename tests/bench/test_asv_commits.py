"""asv between commits of the package, each built and installed as asv.conf.json says.

A repository of the test's own: the package, then a commit that changes nothing, one that makes a
search slower by far more than noise, and one that makes its answer wrong. Nothing is downloaded.
"""

import json
import math
import os
import re
import shutil
import subprocess
import sysconfig
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from conftest import Asv, asv_in

from tree import ROOT

pytestmark = pytest.mark.slow

CHANGES = {
    "whole": "",
    "same": "# nothing else\n",
    "slower": """

def _slower(self, *, work=False, search=FilteredListsSearch.run):
    import time

    time.sleep(0.1)
    return search(self, work=work)


FilteredListsSearch.run = _slower
""",
    "wrong": """

def _wrong(self, *, work=False, search=FilteredListsSearch.run):
    answer = search(self, work=work)
    return answer.between(1, answer.n)


FilteredListsSearch.run = _wrong
""",
}
"""What each commit adds to the baseline of `whole`, by the commit's message and tag."""

ONE = ("--machine", "test-2026", "--bench", r"^search\.Search\.time_run\('filtered_lists', 'toy'\)")
BRIEF = ("--attribute", "repeat=(2, 5, 0.5)", "--attribute", "rounds=1")
NAME = "search.Search.time_run"


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the repository."""
    clone = tmp_path_factory.mktemp("commits") / "clone"
    for name in ("src", "baselines", "kernels", "bench/series"):
        shutil.copytree(
            ROOT / name, clone / name, ignore=shutil.ignore_patterns("__pycache__", ".asv")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE", "asv.conf.json"):
        shutil.copy(ROOT / name, clone)
    settings = clone / "asv.conf.json"
    text = settings.read_text()
    # use the build tools of the environment that runs the tests
    settings.write_text(text.replace("build --wheel", "build --wheel --no-isolation"))
    (clone / ".gitignore").write_text(".asv/\n__pycache__/\n*.egg-info/\nbuild/\n")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(clone)]
    subprocess.run([*git, "init", "-q"], check=True)
    changed = clone / "baselines" / "filtered_lists.py"
    whole = changed.read_text()
    for name, change in CHANGES.items():
        changed.write_text(whole + change)
        for command in (["add", "."], ["commit", "-q", "-m", name], ["tag", name]):
            subprocess.run([*git, *command], check=True)
    return clone


@pytest.fixture(scope="module")
def asv(clone: Path) -> Asv:
    """Run asv there with its own home: `asv("check")`."""
    home, libraries = clone.parent / "home", clone.parent / "libraries"
    home.mkdir()
    libraries.mkdir()
    for place in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        for entry in Path(place).iterdir():
            # the environment has its own pip, and the wordpack that asv installs
            if "wordpack" not in entry.name and not entry.name.startswith("pip"):
                (libraries / entry.name).symlink_to(entry)
    # asv asks pip for wheel, which nothing here uses
    stand_in = libraries / "wheel-1.dist-info"
    if not list(libraries.glob("wheel-*.dist-info")):
        stand_in.mkdir()
        (stand_in / "METADATA").write_text("Metadata-Version: 2.1\nName: wheel\nVersion: 1\n")
    environment = os.environ | {
        "HOME": str(home),
        "ASV_PYTHONPATH": str(libraries),
        "PIP_NO_INDEX": "1",
        "WORDPACK_CACHE_DIR": str(home / "cache"),
    }
    return asv_in(clone, environment)


def stored(clone: Path, tag: str) -> dict[tuple[str, ...], Any]:
    """Return a commit's result, by parameters."""
    git = ["git", "-C", str(clone), "rev-parse", tag]
    commit = subprocess.run(git, capture_output=True, text=True, check=True).stdout
    (file,) = (clone / ".asv" / "results" / "test-2026").glob(f"{commit[:8]}-*.json")
    document = json.loads(file.read_text())
    row = dict(zip(document["result_columns"], document["results"][NAME], strict=False))
    return dict(zip(product(*row["params"]), row["result"], strict=True))


@pytest.fixture(scope="module")
def verdicts(asv: Asv) -> dict[str, subprocess.CompletedProcess[str]]:
    """Compare `whole` with a commit that changes nothing, and with the slower one."""
    judge = ("continuous", *ONE, *BRIEF, "--factor", "5", "whole")
    return {name: asv(*judge, name) for name in ("same", "slower")}


def test_a_regression_ends_continuous_with_1(
    verdicts: dict[str, subprocess.CompletedProcess[str]],
) -> None:
    """`asv continuous` builds both commits and gives its verdict as its exit status."""
    assert verdicts["slower"].returncode == 1, verdicts["slower"].stdout
    assert "PERFORMANCE DECREASED" in verdicts["slower"].stdout
    assert verdicts["same"].returncode == 0, verdicts["same"].stdout + verdicts["same"].stderr
    assert "NOT SIGNIFICANTLY CHANGED" in verdicts["same"].stdout


@pytest.mark.usefixtures("verdicts")
def test_a_regression_is_compared_and_published(clone: Path, asv: Asv) -> None:
    """`asv compare` marks it, but with status 0; `asv publish` has all three commits."""
    done = asv("compare", "--machine", "test-2026", "--factor", "5", "whole", "slower")
    assert done.returncode == 0, done.stderr
    assert re.search(
        r"^\| \+ .*search\.Search\.time_run\('filtered_lists', 'toy'\)", done.stdout, re.M
    )
    done = asv("publish", "--no-pull")
    assert done.returncode == 0, done.stdout + done.stderr
    html = clone / ".asv" / "html"
    assert NAME in json.loads((html / "index.json").read_text())["benchmarks"]
    graph = next((html / "graphs").glob(f"arch-*/**/{NAME}.json"))
    assert len(json.loads(graph.read_text())) >= 3


def test_a_commit_with_a_wrong_answer_has_no_time(clone: Path, asv: Asv) -> None:
    """`asv run` ends with 2, says what is wrong, and stores null."""
    done = asv("run", *ONE, *BRIEF, "--show-stderr", "wrong^!")
    assert done.returncode == 2, done.stdout + done.stderr
    assert "WrongAnswer" in done.stdout + done.stderr
    found = stored(clone, "wrong")
    assert found.pop(("'filtered_lists'", "'toy'")) is None
    assert all(map(math.isnan, found.values())), "what was not asked for is n/a"
