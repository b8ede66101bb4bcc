"""The differential run of ci/: its oracle, its problems, what it reports, and a seeded thousand."""

import os
import subprocess
import sys
from ast import literal_eval
from collections.abc import Iterator
from hashlib import sha256
from itertools import chain, combinations, product
from math import comb, prod
from random import Random
from types import ModuleType

import pytest
from conftest import REQUIRED

from tree import ROOT
from wordpack.backend import registry
from wordpack.backend.row import Row

CI = ROOT / "ci"

LEAST = 10
"""Answers that are not zero, of each shape and of each backend, in a thousand problems."""


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Import ci/differential.py, whose parts then are modules too."""
    monkeypatch.syspath_prepend(CI)
    import differential

    yield differential
    for name in [name for name in sys.modules if name.startswith(("differential", "plain_"))]:
        del sys.modules[name]


def command(*options: str) -> tuple[int, list[str]]:
    """Run the script; return its status and the lines that it printed."""
    # the folder of a script is where its parts are
    environment = os.environ | {"PYTHONSAFEPATH": ""}
    done = subprocess.run(
        [sys.executable, str(CI / "differential.py"), *options],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


def test_plain_python_finds_what_the_definition_says(scripts: ModuleType) -> None:
    """Of every choice of places, those that have as many letters together as one by one."""
    tried = found = 0
    for number, shape in product(range(25), scripts.SHAPES):
        plain = scripts.problem(Random(number), shape)  # noqa: S311  no secret
        if prod(comb(len(group.masks), group.picks) for group in plain.groups) > 1000:
            continue
        ways = [combinations(range(len(group.masks)), group.picks) for group in plain.groups]
        rows, solutions = [], 0
        for choice in product(*ways):
            picked = [(g, place) for g, places in enumerate(choice) for place in places]
            letters = [b for g, i in picked for b in range(64) if plain.groups[g].masks[i] >> b & 1]
            if len(letters) == len(set(letters)):
                rows.append(tuple(chain(*choice)))
                solutions += prod(plain.groups[g].weights[place] for g, place in picked)
        answer = scripts.solve(plain, scripts.TESTS)
        assert (answer.rows, answer.solutions) == (sorted(rows), solutions)
        tried, found = tried + 1, found + bool(rows)
    assert min(found, tried - found) > 50


def test_the_digest_is_of_counts_and_masks_as_little_endian_numbers(scripts: ModuleType) -> None:
    """Two of 4, 1, 2 and one of 8: written down here byte by byte."""
    literal = (4, 32, [([4, 1, 2], 2, [1, 1, 1]), ([8], 1, [1])])
    plain = scripts.PlainProblem.read(literal)
    numbers = [2, 1, *(1, 2, 8), *(1, 4, 8), *(2, 4, 8)]
    raw = b"".join(bytes([number]) + bytes(7) for number in numbers)
    assert scripts.solve(plain, 100).digest == sha256(raw).hexdigest()
    with pytest.raises(scripts.TooMany):
        scripts.solve(plain, 3)


def test_problems_have_the_shapes_that_hurt(scripts: ModuleType) -> None:
    """Over a thousand: alphabets, top letters, numbers of words, of picks, and of groups."""
    seeds = [Random(n) for n in range(80)]  # noqa: S311  no secret
    drawn = [scripts.problem(seed, shape) for seed in seeds for shape in scripts.SHAPES]
    groups = [group for plain in drawn for group in plain.groups]
    assert {plain.letters for plain in drawn} == {1, 26, 32, 33, 63, 64}
    assert {plain.bits for plain in drawn if plain.letters == 26} == {32, 64}
    for letters, bits in [(32, 32), (32, 64), (64, 64)]:
        masks = chain(
            *(g.masks for p in drawn if (p.letters, p.bits) == (letters, bits) for g in p.groups)
        )
        assert max(masks) >> (letters - 1) == 1
    assert {0, 1, 63, 64, 65, 127, 128, 129, 256} <= {len(group.masks) for group in groups}
    assert {*range(7), 12} <= {group.picks for group in groups}
    assert {sum(group.picks for group in plain.groups) for plain in drawn} >= {*range(13)}
    assert {len(plain.groups) for plain in drawn} >= {*range(5)}
    assert any(group.masks.count(0) > 1 < group.picks for group in groups)
    assert any(prod(group.weights) >= 1 << 64 for group in groups)


@pytest.mark.parametrize(
    "fake", ["liar", "miscounter", "overlapping", "duplicate", "thrower", "conflicting"]
)
def test_a_wrong_backend_is_reported_with_a_small_problem(scripts: ModuleType, fake: str) -> None:
    """Of each fake with a fault, in the first problems; what is printed is the fault's least."""
    row = Row(fake, f"fakes.{fake}", "plain recursion", "wrong")
    tally = scripts.compare([row], range(60), 8)
    first, *_, literal = tally.fault.splitlines()
    assert first.startswith(f"{fake} on problem 8:")
    small = scripts.PlainProblem.read(literal_eval(literal))
    masks = [mask for group in small.groups for mask in group.masks]
    assert len(masks) <= 2
    if fake == "conflicting":
        assert masks == [0, 0]
        assert sum(group.picks for group in small.groups) == 2
        assert {weight for group in small.groups for weight in group.weights} == {1}
    assert scripts.report([row], {}, tally) == 1


def test_a_right_backend_is_not_reported(scripts: ModuleType) -> None:
    row = Row("honest", "fakes.honest", "plain recursion", "right")
    tally = scripts.compare([row], range(60), 8)
    assert tally.fault == ""
    assert (tally.problems.total(), tally.ran["honest"]) == (60, 60)
    assert scripts.report([row], {}, tally) == 0


def test_a_backend_that_ends_its_process_is_reported(scripts: ModuleType) -> None:
    """With the problems that the processes were at, of which one is the cause."""
    row = Row("segfault", "fakes.segfault", "plain recursion", "wrong")
    tally = scripts.in_processes([row], range(5), 8, 1)
    assert tally.fault == "a process has ended at one of the problems 8:0"


def test_the_literal_of_a_fault_is_what_the_script_takes() -> None:
    """Two groups, each of its own form of the same answer."""
    literal = "(26, 32, [([1, 2, 4], 2, [1, 1, 5]), ([8], 1, [7])])"
    status, lines = command("--backend", "bitset_rows", "--problem", literal)
    assert (status, lines[0]) == (0, "problems 1, of them solved in plain Python 1")
    assert lines[-1].split()[:3] == ["bitset_rows", "1", "1"]


def test_a_thousand_problems_have_one_answer_in_all_backends() -> None:
    """And of each shape, and in each backend that can run here, enough of them are not zero."""
    status, lines = command("--problems", "1000", "--seed", "1", "--processes", "2")
    assert status == 0, "\n".join(lines)
    assert lines[0] == "problems 1,000, of them solved in plain Python 1,000"
    for row in registry.of_workload("packing"):
        line = next(line for line in lines if line.split()[0] == row.name)
        if "cannot run here" in line:
            assert os.environ.get(REQUIRED[row.name]) != "1", line
    counts = [line.replace(",", "").split() for line in lines[2:] if "cannot run here" not in line]
    middle = next(place for place, words in enumerate(counts) if words[0] == "backend")
    shapes, backends = counts[1:middle], counts[middle + 1 :]
    assert sum(int(n) for _, n, _ in shapes) == 1000
    for name, problems, some, *_ in [*shapes, *backends]:
        assert int(some) >= LEAST, name
        assert int(problems) >= int(some)
    assert len(shapes) == 15


def test_plans_of_long_searches_find_the_same() -> None:
    """Small problems planned with all orders, gates and the dual, which they never need."""
    options = ("--long", "--problems", "300", "--seed", "2", "--backend", "bitset_rows")
    status, lines = command(*options)
    assert status == 0, "\n".join(lines)
    assert lines[-1].split()[:2] == ["bitset_rows", "300"]
