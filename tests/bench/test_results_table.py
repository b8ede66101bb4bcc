"""The table of measured results in docs/machines.md: what it shows, and that it is up to date."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from handmade_results import LATER, NAN, STEADY, results
from tree import ROOT
from wordpack.errors import InputError
from wordpack.report.sources import read

SCRIPT = ROOT / "ci" / "results_table.py"
LATE = 1_800_000_000_000


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import the script, which is in no package, with the handmade results' backends."""
    spec = importlib.util.spec_from_file_location("results_table", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROWS", [SimpleNamespace(name=name) for name in "abcd"])
    monkeypatch.setattr(module, "INSTANCES", ("parker",))
    return module


def test_the_page_has_the_table_of_its_results() -> None:
    """The page already holds what `python ci/results_table.py` would write."""
    command = [sys.executable, SCRIPT, "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_each_machine_has_a_table_of_its_own(script: ModuleType, tmp_path: Path) -> None:
    """A blank line precedes each table; otherwise Markdown would join them.

    A backend without a result is left out, one that failed is not.
    """
    results(tmp_path, STEADY, None, NAN, machine="m1")
    results(tmp_path, [0.5], machine="m2", facts={"cpu": "D", "cores": "8", "gpu": "none"})
    lines = script.tables(read((str(tmp_path),))).split("\n")
    published = next(line for line in lines if "published" in line)
    assert "820 µs (standup5x5, Ryzen 5950X, 16 threads)" in published
    assert lines == [
        "Machine `m1`: C; commit 01234567.", "",
        "| backend | parker |", "|---|---:|",
        "| `a` | 1.03 s |", "| `b` | failed |", published, "",
        "Machine `m2`: D, 8 cores, GPU: none; commit 01234567.", "",
        "| backend | parker |", "|---|---:|", "| `a` | 500 ms |", published, "",
    ]  # fmt: skip


def test_the_newest_environment_is_shown(script: ModuleType, tmp_path: Path) -> None:
    """A measured result wins, then the newest, whatever the environments' names."""
    results(tmp_path, [2.0], STEADY, env_name="z")
    results(tmp_path, [3.0], NAN, commit=LATER, date=LATE, env_name="a")
    lines = script.tables(read((str(tmp_path),))).split("\n")
    assert lines[4:6] == ["| `a` | 3.00 s |", "| `b` | 1.03 s |"]
    assert lines[0] == "Machine `m1`: C; commit 01234567, fedcba98."


def test_only_what_stands_between_the_marks_is_replaced(script: ModuleType) -> None:
    page = f"before\n{script.BEGIN}\nold\n{script.END}after\n"
    done = script.spliced(page, "new\n")
    assert done == f"before\n{script.BEGIN}\nnew\n\n{script.END}after\n"
    assert script.spliced(done, "new\n") == done
    with pytest.raises(InputError, match="has no place for the table"):
        script.spliced("before\nafter\n", "new\n")
