"""What the pytest-benchmark comparison stores and shows: never a wrong answer's time."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tree import ROOT

pytestmark = pytest.mark.slow

LYING = '''
"""A plugin that makes one backend's answers one packing short, from the nth call on."""

from series import verified

RIGHT = {right}
true = verified.prepared


class Lying:
    """A search that is right at first."""

    device = "a test"

    def __init__(self, search):
        self.search, self.calls = search, 0

    def run(self):
        """Search, but leave out the last packing."""
        answer = self.search.run()
        self.calls += 1
        return answer if self.calls <= RIGHT else answer.between(0, answer.n - 1)


def prepared(backend, name, **options):
    """Prepare; one backend returns wrong answers."""
    search = true(backend, name, **options)
    return Lying(search) if backend == "rarest_letter" else search


verified.prepared = prepared
'''


def compare(tmp_path: Path, *more: str) -> tuple[int, str, list[Path]]:
    """Run two backends on one instance; return the status, the output and the stored results."""
    command = [
        *(sys.executable, "-m", "pytest", "bench/comparison", "--quiet", "-p", "no:cacheprovider"),
        *("-k", "list and wordle and not wrong and (bitset_rows or rarest_letter)"),
        *("--benchmark-autosave", f"--benchmark-storage=file://{tmp_path}/i7-2010", *more),
    ]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "bench")])}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment
    )
    return done.returncode, done.stdout, sorted((tmp_path / "i7-2010").rglob("*.json"))


def test_backends_stand_in_one_table_by_instance(tmp_path: Path) -> None:
    """Results have the machine's name, its GPU or why it has none, and several warm rounds."""
    status, shown, (file,) = compare(tmp_path)
    assert status == 0, shown
    document: dict[str, Any] = json.loads(file.read_text())
    assert {"name", "driver", "why_not"} <= set(document["machine_info"]["wordpack"]["gpu"])
    assert {each["group"] for each in document["benchmarks"]} == {"wordle"}
    for each in document["benchmarks"]:
        assert each["stats"]["rounds"] >= 3
        assert each["extra_info"]["instance"] == "wordle"
    assert {each["extra_info"]["backend"] for each in document["benchmarks"]} == {
        *("bitset_rows", "rarest_letter")
    }
    assert "benchmark 'wordle': 2 tests" in shown


@pytest.mark.parametrize("right", [0, 1, 2, 3, 4])
def test_a_wrong_answer_has_no_time(tmp_path: Path, right: int) -> None:
    """A wrong first or later answer leaves no row in the file or the table."""
    (tmp_path / "lying.py").write_text(LYING.replace("{right}", str(right)))
    status, shown, (file,) = compare(tmp_path, "-p", "lying")
    assert status == 1
    assert "WrongAnswer" in shown
    document = json.loads(file.read_text())
    assert [each["extra_info"]["backend"] for each in document["benchmarks"]] == ["bitset_rows"]
    assert "benchmark 'wordle': 1 tests" in shown
