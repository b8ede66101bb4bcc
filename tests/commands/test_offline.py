"""At run time, no command and no process that it starts opens a socket."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

WATCH = """
import os, sys
HARMLESS = {"socket.gethostname"}  # what platform asks of the kernel
def forbid(event, arguments):
    if event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.")):
        if event not in HARMLESS:
            with open(os.environ["SOCKETS_SEEN"], "a") as seen:
                seen.write(f"{event} {arguments}\\n")
            raise PermissionError(f"no network here: {event}")
sys.addaudithook(forbid)
"""


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make every new Python process refuse sockets, and note each attempt in this file."""
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "sitecustomize.py").write_text(WATCH)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "watch"), prepend=os.pathsep)
    monkeypatch.setenv("SOCKETS_SEEN", str(tmp_path / "seen"))
    return tmp_path / "seen"


@pytest.mark.parametrize(
    "arguments",
    [
        "solve parker --output rows",
        "solve 4x6 --count-only --format json",
        "race toy --backend bitset_rows --backend filtered_* --budget 30 --json race.json",
        "doctor",
        "list --published",
        "words wordle --stats",
    ],
)
def test_no_command_opens_a_socket(arguments: str, seen: Path, tmp_path: Path) -> None:
    """All its processes refuse sockets, and no process asks for one."""
    command = [sys.executable, "-m", "wordpack", *arguments.split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, seen.exists()) == (0, False), done.stderr.decode()


def test_the_watch_sees_a_socket(seen: Path) -> None:
    """The test above would notice one."""
    command = [sys.executable, "-c", "import socket; socket.socket()"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1
    assert seen.read_text().startswith("socket.")
