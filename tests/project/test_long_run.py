"""The script that races for an hour: a few short turns with planted leaks."""

import subprocess
import sys
from pathlib import Path

import pytest

from tree import ROOT

pytestmark = pytest.mark.slow

CI = ROOT / "ci"

PLANTED = f"""
import os, subprocess, sys, tempfile, threading
sys.path.insert(0, {str(CI)!r})
import long_run
long_run.GRACE, kept = 0.2, []
def act(folder):
    PLANTED
sys.exit(long_run.run(5.0, long_run.FEWEST + 2, act))
"""

LEAKS = {
    "memory": ('kept.append(b"x" * (2 << 20))', "memory grew by"),
    "a file that is not closed": ("kept.append(open(os.devnull))", "descriptors grew by"),
    "a thread": (
        "threading.Thread(target=threading.Event().wait, daemon=True).start()",
        "threads grew by",
    ),
    "a process": (
        'kept.append(subprocess.Popen(["sleep", "5"]))',
        "processes were left after a turn",
    ),
    "a process that ended, and nobody waited": (
        'kept.append(subprocess.Popen(["true"]))',
        "processes were left after a turn",
    ),
    "a process whose parent has ended": (
        'subprocess.run(["sh", "-c", "sleep 5 & :"])',
        "processes were left after a turn",
    ),
    "a temporary file": ("tempfile.mkdtemp()", "temporary files grew by"),
    "a file in the cache": (
        'tempfile.mkdtemp(dir=os.environ["WORDPACK_CACHE_DIR"])',
        "cached files grew by",
    ),
    "one temporary file": (
        "kept or kept.append(tempfile.mkdtemp())",
        "left in the temporary folder at the end",
    ),
    "a turn that fails": ('raise RuntimeError("no luck")', "turn 1: no luck"),
}


def run(code: str) -> subprocess.CompletedProcess[str]:
    """Run a script; skip the test if there is no /proc."""
    if not Path("/proc/self/status").exists():
        pytest.skip("there is no /proc here")
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("leak", LEAKS)
def test_what_piles_up_is_found(leak: str) -> None:
    """One sentence names what grew, and the exit status is 1."""
    planted, said = LEAKS[leak]
    done = run(PLANTED.replace("PLANTED", planted))
    assert (done.returncode, done.stderr) == (1, ""), done.stderr
    assert said in done.stdout


def test_real_turns_leave_nothing() -> None:
    """Short turns of a race and a search that writes its rows leave nothing behind."""
    lines = ("race toy --backend filtered_lists --repeat 1", "solve toy --backend filtered_lists")
    code = PLANTED.replace("PLANTED", "long_run.turn(folder)").replace("FEWEST + 2", "FEWEST")
    done = run(code.replace("GRACE, kept = 0.2, []", f"RACES, long_run.SEARCHES = (), {lines}"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith("turns: nothing piles up")


def test_too_few_turns_are_not_judged() -> None:
    """Too few turns give exit status 2: no verdict."""
    done = run(PLANTED.replace("PLANTED", "pass").replace("FEWEST + 2", "FEWEST - 1"))
    assert (done.returncode, "too few to judge" in done.stdout) == (2, True)
