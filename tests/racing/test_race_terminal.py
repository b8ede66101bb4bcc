"""A race at a terminal: the live display, and Ctrl-C."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from tree import TESTS
from wordpack import schemas

SCHEMA = json.loads((Path(schemas.__file__).parent / "race.json").read_text())
TIME = re.compile(r"\d (µs|ms|s)\b")

RACER = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from wordpack.backend import registry
names = sys.argv[1].split()
registry.ROWS = tuple(registry.Row(name, f"fakes.{name}:Fake", name, "a fake") for name in names)
from wordpack.commands.main import main
sys.exit(main(["race", "toy", *sys.argv[2:]]))
"""
"""`wordpack race toy` with fake backends."""


@pytest.fixture(autouse=True)
def lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let racers and tests find the fakes; a hanging fake keeps this file locked."""
    monkeypatch.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)
    monkeypatch.syspath_prepend(TESTS)
    monkeypatch.setenv("FAKES_LOCK", str(tmp_path / "lock"))
    return tmp_path / "lock"


def test_ctrl_c_prints_the_partial_table_and_leaves_no_child(tmp_path: Path, lock: Path) -> None:
    """Exit status 130; the JSON is valid and unfinished; the hanging racer has ended."""
    target = tmp_path / "race.json"
    process = subprocess.Popen(
        [sys.executable, "-c", RACER, "honest hanging_run", "--json", str(target)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while not (lock.exists() and lock.read_text()) and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, b"")
    text = out.decode()
    assert "hanging_run: interrupted: the race was interrupted" in text
    assert TIME.search(next(line for line in text.splitlines() if "honest" in line))
    found = json.loads(target.read_text())
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    assert found["finished"] is False
    assert [e["status"] for e in found["backends"]] == ["ok", "interrupted"]
    from fakes.hanging import ended

    assert ended(lock)


def test_the_live_display_shows_reasons_as_they_are(tmp_path: Path) -> None:
    """On a terminal, square brackets in a reason are neither lost nor read as markup."""
    ours, theirs = os.openpty()
    names = "honest unavailable thrower"
    with (tmp_path / "table").open("wb") as table:
        process = subprocess.Popen(
            [sys.executable, "-c", RACER, names, "--repeat", "1"],
            stdout=table,
            stderr=theirs,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "150"},
        )
    os.close(theirs)
    drawn = b""
    while True:
        try:
            drawn += os.read(ours, 65536)
        except OSError:
            break
    os.close(ours)
    process.wait(timeout=60)
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawn.decode())
    assert "Traceback" not in plain
    assert "racing on toy" in plain
    assert "wordpack[gpu]" in plain
    assert "no room [for it] in [/dev/shm]" in plain
    assert process.returncode == 1
    assert "\x1b" not in (tmp_path / "table").read_text()
    assert "wordpack[gpu]" in (tmp_path / "table").read_text()
    assert drawn.rfind(b"\x1b[?25h") > drawn.rfind(b"\x1b[?25l"), "the cursor is shown again"
