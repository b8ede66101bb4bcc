"""Hang like a fake: with a child process, and a lock that is free once both are gone."""

import fcntl
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

LOCK = "FAKES_LOCK"
"""The environment variable that names the file to lock."""

SLEEP = "import time; time.sleep(1000)"


def hang() -> NoReturn:
    """Never return; a child process inherits the lock."""
    with Path(os.environ[LOCK]).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        subprocess.Popen([sys.executable, "-c", SLEEP], pass_fds=[file.fileno()])
        file.write("hanging")
        file.flush()
        time.sleep(1000)
    raise AssertionError


def ended(lock: Path) -> bool:
    """Return whether a fake had begun to hang and has ended since, along with its child."""
    if lock.read_text() != "hanging":
        return False
    with lock.open() as file:
        for _ in range(1000):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.01)
            else:
                return True
    return False
