"""docs/scaling.md has the figures of docs/scaling.json, and the script that measures them runs."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import scaling_page
from scaling_model import spread
from scaling_page import ahead, checks, sizes

from tree import ROOT

pytestmark = pytest.mark.slow

VALUES = ROOT / "docs" / "scaling.json"


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """Read the measurements."""
    values: dict[str, Any] = json.loads(VALUES.read_text(encoding="utf-8"))
    return values


def script(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script of bench/, which imports its neighbours."""
    command = [sys.executable, str(ROOT / "bench" / name), *arguments]
    beside = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=beside)


def test_the_page_has_the_figures_of_its_file(found: dict[str, Any]) -> None:
    """Another time in the file gives another page."""
    page = scaling_page.PAGE.read_text(encoding="utf-8")
    assert scaling_page.spliced(page, scaling_page.tables(found)) == page
    other = json.loads(json.dumps(found))
    other["searches"][0]["cluster"] *= 2
    assert scaling_page.spliced(page, scaling_page.tables(other)) != page
    with pytest.raises(SystemExit, match="has no place for the tables"):
        scaling_page.spliced("no marks", "")


def test_efficiency_is_of_turns_that_were_measured(found: dict[str, Any]) -> None:
    """Each search has both sides, every slice of its last run, and a ratio that they can have."""
    for run in found["searches"]:
        assert run["turns"] >= 1
        assert sum(run["slices"]) <= 1.01 * run["cores"] * run["run"]
        assert run["efficiency"] == pytest.approx(run["same_job"] / run["cluster"], rel=0.5)


def test_a_spread_keeps_shape_and_mean() -> None:
    """Twice as many times as were measured, of another mean: each twice, scaled."""
    assert spread([1.0, 3.0, 2.0], 6, 4.0) == [6.0, 6.0, 4.0, 4.0, 2.0, 2.0]
    assert spread([5.0], 3, 0.5) == [0.5] * 3


def test_more_workers_are_never_slower_than_the_servers(found: dict[str, Any]) -> None:
    """No run is shorter than its work, and none is more than efficient."""
    for size in sizes(found):
        for workers in (1, 10, 1000):
            seconds, efficiency = ahead(found, size, workers)
            assert seconds * workers >= size.work
            assert 0 < efficiency <= 1
    assert all(check.simulated > 0 for check in checks(found))


def test_the_script_measures_a_small_search(tmp_path: Path) -> None:
    """In some 20 seconds: a real cluster, each answer checked, tables, and a file."""
    done = script("scaling.py", "--quick", "--json", str(tmp_path / "scaling.json"))
    assert done.returncode == 0, done.stderr
    page = scaling_page.PAGE.read_text(encoding="utf-8")
    titles = [line for line in page.splitlines() if line.startswith("### ")]
    assert [line for line in done.stdout.splitlines() if line.startswith("### ")] == titles
    values = json.loads((tmp_path / "scaling.json").read_text())
    assert [run["cores"] for run in values["searches"]] == [1, 1, 2, 2]
    assert {run["tasks"] for run in values["messages"].values()} == {200}


def test_a_file_where_none_can_be_is_refused_at_once(tmp_path: Path) -> None:
    """A missing folder is reported before anything is measured."""
    done = script("scaling.py", "--json", str(tmp_path / "nowhere" / "scaling.json"))
    assert done.returncode == 2
    assert "there is no such folder" in done.stderr
