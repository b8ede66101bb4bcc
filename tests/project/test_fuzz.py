"""The scripts of ci/ that look for faults: a short run of the fuzzer, and the list of licences."""

import os
import subprocess
import sys

import pytest

from generators.strategies import smallest
from tree import ROOT
from wordpack.testing.draw import Draw, Seeded

pytestmark = pytest.mark.slow

CI = ROOT / "ci"


def run(script: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CI / script), *options]
    # a script imports modules from its own folder
    environment = os.environ | {"PYTHONSAFEPATH": ""}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("kinds", "inputs"),
    [
        ("text", 800),
        ("alphabet", 2000),
        ("family", 2000),
        ("options", 150),
        ("hints asking", 2000),
        ("results race packed merge report", 1000),
    ],
)
def test_mutated_inputs_are_read_as_the_rules_say_or_refused(kinds: str, inputs: int) -> None:
    """No input raises, hangs or grows memory; some are accepted and some refused."""
    done = run("fuzz.py", "--inputs", str(inputs), "--seed", "1", "--kind", *kinds.split())
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.replace(",", "").split() for line in done.stdout.splitlines()[:-1]]
    assert [name for name, *_ in rows] == kinds.split()
    counts = [int(row[place]) for row in rows for place in (1, 3)]
    assert min(counts) > 0
    assert sum(counts) == inputs


def test_what_failed_by_seed_is_made_small_by_hypothesis() -> None:
    """It starts from a seed's integers: eight numbers below 1000 are the fewest over 7000."""

    def numbers(draw: Draw) -> list[int]:
        return [draw.integers(0, 999) for _ in range(draw.integers(1, 12))]

    def fails(found: list[int]) -> bool:
        return sum(found) > 7000

    seeded = next(draw for draw in map(Seeded, map(str, range(10_000))) if fails(numbers(draw)))
    small = smallest(numbers, fails, seeded.drawn)
    assert small is not None
    assert (len(small), sum(small)) == (8, 7001)
    assert smallest(numbers, lambda _: False, seeded.drawn) is None


def test_every_pinned_package_has_a_licence_and_every_needed_one_is_pinned() -> None:
    """Licences come from the installed packages' metadata, without a network."""
    done = run("licences.py")
    assert (done.returncode, done.stderr) == (0, "")
    needed = {line.split()[0] for line in done.stdout.splitlines() if " run " in line}
    assert {"click", "llvmlite", "numba", "numpy", "platformdirs", "rich"} <= needed
