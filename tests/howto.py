"""The commands of docs/cluster.md, and processes that run them verbatim."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from clusters import end, wait_until

PAGE = Path(__file__).resolve().parent.parent / "docs" / "cluster.md"

BLOCKS = dict(
    re.findall(r"<!-- (\w+) -->\n```(?:sh|python)\n(.+?)```", PAGE.read_text("utf-8"), re.DOTALL)
)
"""The page's commands, by step."""

ADDRESS = "10.0.0.1:8786"
"""The page's scheduler."""

SHELL = ["sh", "-e", "-c"]


def environment(folder: Path) -> dict[str, str]:
    """Return an environment in which `dask` and `wordpack` are this Python's."""
    tools = folder / "bin"
    tools.mkdir(exist_ok=True)
    for name in ("dask", "wordpack"):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\nexec {sys.executable} -m {name} "$@"\n')
        tool.chmod(0o755)
    return os.environ | {"PATH": f"{tools}:{os.environ['PATH']}", "PYTHONSAFEPATH": "1"}


def ran(
    step: str, folder: Path, address: str = ADDRESS, host: Sequence[str] = ()
) -> "subprocess.CompletedProcess[str]":
    """Run a step until it ends; `host` is the command that enters a host."""
    return subprocess.run(
        [*host, *SHELL, BLOCKS[step].replace(ADDRESS, address)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=environment(folder),
        timeout=120,
    )


@contextmanager
def at_work(
    step: str, folder: Path, says: str, address: str = ADDRESS, host: Sequence[str] = ()
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a step during the block, which starts once its log (STEP.log) has `says`."""
    file = folder / f"{step}.log"
    with file.open("wb") as log:
        process = subprocess.Popen(
            [*host, *SHELL, BLOCKS[step].replace(ADDRESS, address)],
            stdout=log,
            stderr=log,
            cwd=folder,
            env=environment(folder),
            start_new_session=True,
        )
    try:
        wait_until(lambda: says in file.read_text(), f"{step} says {says}")
        yield process
    finally:
        end(process)
