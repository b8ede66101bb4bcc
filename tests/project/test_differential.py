"""The differential run of ci/: its oracle, its problems, what it reports, and a seeded thousand."""

import os
import subprocess
import sys
from functools import partial
from hashlib import sha256
from itertools import chain, combinations, product
from math import comb, prod

import pytest
from conftest import REQUIRED

from differential import report, try_number
from fakes import broken, honest
from long_loop import Outcome, run, run_in_processes
from tree import ROOT
from wordpack.backend import registry
from wordpack.backend.base import Backend
from wordpack.backend.row import Row
from wordpack.testing.checks import TESTS
from wordpack.testing.draw import Seeded
from wordpack.testing.plain_packings import PlainGroup, PlainProblem, TooMany, solve
from wordpack.testing.problems import Case, case
from wordpack.testing.shapes import SHAPES

pytestmark = pytest.mark.slow

CI = ROOT / "ci"

LEAST = 10
"""The fewest nonzero answers per shape and per backend in a thousand problems."""


def command(*options: str) -> tuple[int, list[str]]:
    """Run the script; return its status and the lines that it printed."""
    # a script imports modules from its own folder
    environment = os.environ | {"PYTHONSAFEPATH": ""}
    done = subprocess.run(
        [sys.executable, str(CI / "differential.py"), *options],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


def test_plain_python_finds_what_the_definition_says() -> None:
    """Packings are the choices that have as many letters together as added up."""
    tried = found = 0
    for number in range(400):
        plain = case(Seeded(str(number))).problem
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
        answer = solve(plain, TESTS)
        assert (answer.rows, answer.solutions) == (sorted(rows), solutions)
        tried, found = tried + 1, found + bool(rows)
    assert min(found, tried - found) > 50


def test_the_digest_is_of_counts_and_masks_as_little_endian_numbers() -> None:
    """The digest of two of 4, 1, 2 and one of 8 is written out here byte by byte."""
    groups = [PlainGroup([4, 1, 2], 2, [1, 1, 1]), PlainGroup([8], 1, [1])]
    plain = PlainProblem(4, 32, groups)
    numbers = [2, 1, *(1, 2, 8), *(1, 4, 8), *(2, 4, 8)]
    raw = b"".join(bytes([number]) + bytes(7) for number in numbers)
    assert solve(plain, 100).digest == sha256(raw).hexdigest()
    with pytest.raises(TooMany):
        solve(plain, 3)


def test_problems_have_the_shapes_that_hurt() -> None:
    """A thousand problems vary alphabets, top letters, and numbers of words, picks and groups."""
    drawn = [
        case(Seeded(f"{n}:{shape.__name__}"), [shape]).problem
        for n in range(80)
        for shape in SHAPES
    ]
    groups = [group for plain in drawn for group in plain.groups]
    assert {plain.letters for plain in drawn} == {*range(1, 13), 26, 31, 32, 33, 63, 64}
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


def compare(row: Row, numbers: int, first: int = 0) -> Outcome:
    """Compare one backend on `numbers` problems of seed 8, from `first`."""
    return run(partial(try_number, [row], 8), range(first, first + numbers))


def made_small(fault: str) -> PlainProblem:
    """Return the problem printed with a fault."""
    return Case.read(fault.splitlines()[-1]).problem


@pytest.mark.parametrize("fake", ["liar", "miscounter", "overlapping", "duplicate", "thrower"])
def test_a_wrong_backend_is_reported_with_a_small_problem(fake: str) -> None:
    """Each broken fake is reported within the first problems, with its smallest failing one."""
    row = Row(fake, f"fakes.{fake}:Fake", "plain recursion", "wrong")
    outcome = compare(row, 60)
    assert outcome.fault.startswith(f"{fake} on problem 8:")
    assert sum(len(group.masks) for group in made_small(outcome.fault).groups) <= 2
    assert report([row], {}, outcome) == 1


class Engine(Row):
    """A backend of `fakes.broken`."""

    def load(self) -> Backend:
        """Return the function that makes its searches."""
        prepare, _ = broken.ENGINES[self.name]
        made = honest.Fake()
        made.search = prepare  # type: ignore[misc]  # of this one alone
        return made


LEAST_WORDS = {
    "a row's last bit lost": 64,
    "the last word lost": 2,
    "two empty masks in conflict": 2,
    "weights ignored": 1,
    "the end of a part lost": 5,
    "the 64th letter unseen": 2,
    "counters that depend on chunks": 0,
    "the last branch of a slice lost": 2,
}
"""Words of the least part of the problem that shows each fault, by reasoning.

A row of 64 bits needs 64 words, a full part of five rows five, a slice of two branches two.
"""


@pytest.mark.parametrize("name", LEAST_WORDS)
def test_an_engine_broken_on_purpose_is_caught_by_a_small_problem(name: str) -> None:
    """It takes at most 200 problems, and Hypothesis leaves only words that the fault needs."""
    row = Engine(name, "", "plain recursion", "wrong", **broken.ENGINES[name][1])
    # problem 56 shows a lost bit first: two words of 64, for which plain recursion takes a minute
    first = 300 if LEAST_WORDS[name] == 64 else 0
    fault = compare(row, 200, first).fault
    assert fault.startswith(f"{name} on problem 8:")
    words = sum(len(group.masks) for group in made_small(fault).groups)
    assert words == LEAST_WORDS[name], fault


def test_a_right_backend_is_not_reported() -> None:
    row = Row("honest", "fakes.honest:Fake", "plain recursion", "right")
    outcome = compare(row, 60)
    assert outcome.fault == ""
    assert outcome.counts["honest", "ran"] == 60
    assert report([row], {}, outcome) == 0


def test_a_backend_that_ends_its_process_is_reported() -> None:
    """The report names the problems that the processes were running; one is the cause."""
    row = Row("segfault", "fakes.segfault:Fake", "plain recursion", "wrong")
    outcome = run_in_processes(partial(try_number, [row], 8), range(5), 1, str)
    assert outcome.fault == "a process has ended at one of the numbers 0"


def test_the_literal_of_a_fault_is_what_the_script_takes() -> None:
    """The script accepts the literal that a fault prints, here of two groups."""
    problem = "(26, 32, [([1, 2, 4], 2, [1, 1, 5]), ([8], 1, [7])])"
    literal = f"('given', {problem}, (True, {{}}, {{}}, True, True, 2, [1]))"
    status, lines = command("--backend", "bitset_rows", "--problem", literal)
    assert (status, lines[0]) == (0, "problems 1, of them solved in plain Python 1")
    assert lines[-1].split()[:3] == ["bitset_rows", "1", "1"]


def test_a_thousand_problems_have_one_answer_in_all_backends() -> None:
    """Enough answers are nonzero for each shape and each backend that can run here."""
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
    assert len(shapes) == len(SHAPES)


def test_plans_of_long_searches_find_the_same() -> None:
    """Small problems are planned with all orders, gates and the dual, which they never need."""
    options = ("--long", "--problems", "300", "--seed", "2", "--backend", "bitset_rows")
    status, lines = command(*options)
    assert status == 0, "\n".join(lines)
    assert lines[-1].split()[:2] == ["bitset_rows", "300"]
