"""Compiled kernels under numba's settings, beside numba itself, and against their own rules."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from wordpack.compiled.jit import Int64s, Kernel

pytestmark = pytest.mark.slow


def run_in_new_process(
    code: str, folder: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `code` with a cache of its own."""
    everything = os.environ | {"WORDPACK_CACHE_DIR": str(folder)} | environment
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=everything, check=False
    )


COUNT_TOY = (
    "import sys; from wordpack.commands.main import main; "
    "sys.exit(main(['solve', 'toy', '--count-only']))"
)


def test_code_of_other_settings_is_not_kept_for_all(tmp_path: Path) -> None:
    """Unoptimised code is cached separately, so that it cannot silently slow later races."""
    assert run_in_new_process(COUNT_TOY, tmp_path, NUMBA_OPT="0").returncode == 0
    slow = set(tmp_path.glob("*.kernel"))
    assert run_in_new_process(COUNT_TOY, tmp_path).returncode == 0
    assert len(set(tmp_path.glob("*.kernel")) - slow) == len(slow) > 0


def test_a_disabled_compiler_is_a_reason(tmp_path: Path) -> None:
    """A backend chosen by name gives it as the reason; 'auto' takes another backend."""
    named = COUNT_TOY.replace("'--count-only'", "'--backend', 'rarest_letter'")
    done = run_in_new_process(named, tmp_path, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 2
    assert "NUMBA_DISABLE_JIT" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_numba_works_after_a_kept_kernel(tmp_path: Path) -> None:
    """Names that a loaded kernel links to abort() are numba's own again once it is imported."""
    code = """
import contextlib, io
from wordpack.commands.main import main
with contextlib.redirect_stdout(io.StringIO()):
    assert main(["solve", "toy", "--count-only"]) == 0
import numba, numpy
@numba.njit
def allocate(n):
    if n > 3:
        raise ValueError("too many")
    return numpy.ones(n).sum()
assert allocate(3) == 3.0
try:
    allocate(4)
except ValueError as error:
    print(error)
"""
    for _ in range(2):
        done = run_in_new_process(code, tmp_path)
        assert (done.returncode, done.stdout) == (0, "too many\n"), done.stderr


def allocating(numbers: Int64s) -> int:
    return np.empty(len(numbers), np.int64).size + numbers[0]


def test_a_kernel_that_allocates_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its cached code would abort the next process, so compilation refuses it."""
    monkeypatch.setenv("WORDPACK_CACHE_DIR", str(tmp_path))
    with pytest.raises(TypeError, match="allocates"):
        Kernel(allocating)
