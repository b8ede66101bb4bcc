"""Shell command lines that run our `wordpack`, and the check for a refusal."""

import os
import subprocess
import sys

PROGRAM = [sys.executable, "-m", "wordpack"]


def run(arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell command line in which `wordpack` is ours."""
    line = arguments.replace("wordpack ", " ".join(PROGRAM) + " ")
    everything = os.environ | environment
    return subprocess.run(
        ["sh", "-c", line],  # noqa: S607  any POSIX shell
        env=everything,
        capture_output=True,
        text=True,
        check=False,
    )


def refused(done: subprocess.CompletedProcess[str], *fragments: str) -> None:
    """Check for exit status 2 and one line with all `fragments`."""
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    for fragment in fragments:
        assert fragment in done.stderr
