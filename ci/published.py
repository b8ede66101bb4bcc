"""Run every command of wordpack's table of published systems, compare, and write the page.

    python ci/published.py [--to docs/published.md]

Each command runs in its own process with the installed wordpack, and each figure that it
finds is compared with the published one. It takes some five minutes, most of it pure Python.

Exit status: 0 all figures are as expected and the page is written; 1 a figure differs, which is
named, and no page is written; 2 the page cannot be written.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from wordpack.commands.published_page import markdown
from wordpack.solving.published import RUNS, Run

ROOT = Path(__file__).resolve().parent.parent


def find(run: Run) -> dict[str, int]:
    """Run our command; return its counts and counters."""
    if not run.ours:
        return {}
    command = [sys.executable, "-m", "wordpack", *run.ours.split()]
    command += ["--work", "--count-only", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  ours
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    found: dict[str, Any] = json.loads(done.stdout)
    if found["verified"] is None:
        sys.exit(f"{' '.join(command)}: its counts could not be verified")
    return {**found["work"], "packings": found["packings"], "solutions": found["solutions"]}


def differing(run: Run, found: dict[str, int]) -> list[str]:
    """Return a sentence for each figure that is not the expected one."""
    return [
        f"wordpack {run.ours}: {figure.what} {found.get(figure.key)}, not {figure.expected}"
        for figure in run.figures
        if found.get(figure.key) != figure.expected
    ]


def main() -> int:
    """Run, compare, write."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--to", type=Path, default=ROOT / "docs" / "published.md")
    to: Path = options.parse_args().to
    wrong = [line for _, run in RUNS for line in differing(run, find(run))]
    if wrong:
        sys.stderr.write("".join(f"{line}\n" for line in wrong))
        return 1
    unfinished = to.with_name(f".{to.name}.new")
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(markdown(), encoding="utf-8")
        unfinished.replace(to)
    except OSError as error:
        sys.stderr.write(f"cannot write {to}: {error.strerror}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
