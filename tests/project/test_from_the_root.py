"""In the clone's own folder Python finds the installed package, not a folder that hides it."""

import os
import subprocess
import sys

import pytest

from tree import ROOT
from wordpack import __version__


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-m", "wordpack", "--version"], __version__),
        (["-m", "wordpack", "solve", "toy", "--backend", "filtered_lists"], "fjord gucks nymph"),
        (["-c", "import wordpack.kernels.search.bitset_rows as it; print(it.__name__)"], "bitset"),
    ],
)
def test_python_in_the_clone(arguments: list[str], said: str) -> None:
    """Commands run as a person types them, without Python's safe path."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert said in done.stdout
