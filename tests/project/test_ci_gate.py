"""ci/gate: which commits it compares, and its exit status; asv and the check are stand-ins."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tree import ROOT

STAND_IN = """#!/bin/sh
echo "$(basename "$0") $*" >> "$CALLS"
case "$(basename "$0")$1" in asvrun) cat >> "$CALLS"; exit "${ASV_STATUS:-0}" ;; esac
case "$1" in report) exit "${CHECK_STATUS:-0}" ;; esac
"""

Gate = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Make a repository with a branch one commit off main, and stand-ins for what it calls."""
    clone = tmp_path / "clone"
    (clone / "ci").mkdir(parents=True)
    shutil.copy(ROOT / "ci" / "gate", clone / "ci")
    for place, names in ((clone / "venv" / "bin", ("asv", "wordpack")), (tmp_path, ("make",))):
        place.mkdir(parents=True, exist_ok=True)
        for name in names:
            (place / name).write_text(STAND_IN)
            (place / name).chmod(0o755)
    measured = clone / "src" / "wordpack" / "measured.py"
    measured.parent.mkdir(parents=True)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(clone)]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "flat"], check=True)
    measured.write_text("")
    for commands in (
        ["add", "src"],
        ["commit", "-q", "-m", "base"],
        ["checkout", "-q", "-b", "x"],
    ):
        subprocess.run([*git, *commands], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "new"], check=True)
    return clone


@pytest.fixture
def gate(clone: Path) -> Gate:
    """Run it: `gate("i7-2010", ASV_STATUS="2")`."""
    # make passes its own variables to the programs it runs
    asked = ("BENCH", "CONSTRAINTS", "EXTRAS", "SINCE")
    environment = {name: value for name, value in os.environ.items() if name not in asked} | {
        "PATH": f"{clone.parent}{os.pathsep}{os.environ['PATH']}",
        "CALLS": str(clone.parent / "calls"),
        "VENV": "venv",
    }

    def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [clone / "ci" / "gate", *arguments],
            capture_output=True,
            text=True,
            check=False,
            env=environment | variables,
        )

    return run


def commit(clone: Path, name: str) -> str:
    """Return the hash of a commit."""
    git = ["git", "-C", str(clone), "rev-parse", name]
    return subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()


def test_head_is_compared_with_where_it_left_main(clone: Path, gate: Gate) -> None:
    """Both commits are run in alternating rounds, with samples, and then checked."""
    assert gate("i7-2010").returncode == 0
    base, head = commit(clone, "main"), commit(clone, "x")
    calls = (clone.parent / "calls").read_text().splitlines()
    assert calls[:2] == [
        "make EXTRAS=report venv/installed-for-bench-report",
        "wordpack machine --name i7-2010",
    ]
    assert calls[2].startswith("asv run --machine i7-2010 --interleave-rounds --record-samples ")
    assert calls[3:5] == [base, head]
    asked = f"--machine i7-2010 --base-commit {base} --new-commit {head}"
    assert calls[5:] == [f"wordpack report --check .asv/results .asv/results {asked}"]


def test_the_verdict_is_the_checks(gate: Gate) -> None:
    """The gate returns the check's status: 1 for a regression, 2 if it cannot compare."""
    for status in (1, 2):
        assert gate("i7-2010", "main", CHECK_STATUS=str(status)).returncode == status


def test_a_failed_benchmark_is_no_pass(clone: Path, gate: Gate) -> None:
    """A wrong answer has no time to compare."""
    done = gate("i7-2010", ASV_STATUS="2")
    assert done.returncode == 1
    assert "a benchmark failed" in done.stderr
    assert "report --check" not in (clone.parent / "calls").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "what is this machine called"),
        (["i7-2010", "nowhere"], "nowhere is no commit"),
        (["i7-2010", "-x"], "-x is no commit"),
        (["i7-2010", "HEAD"], "HEAD is the commit to compare with"),
    ],
)
def test_bad_input_is_one_line(clone: Path, gate: Gate, arguments: list[str], said: str) -> None:
    """The gate ends with status 2 before anything is run."""
    done = gate(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (clone.parent / "calls").exists()


def test_a_clone_without_main_asks_for_a_base(gate: Gate) -> None:
    done = gate("i7-2010", SINCE="origin/main")
    assert done.returncode == 2
    assert "there is no origin/main here" in done.stderr


def test_a_commit_that_the_suite_cannot_measure_is_refused(clone: Path, gate: Gate) -> None:
    """A commit without the names that the benchmarks import gives one line, and nothing starts."""
    done = gate("i7-2010", commit(clone, "main~1"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "from before src/wordpack/measured.py" in done.stderr
    assert not (clone.parent / "calls").exists()
