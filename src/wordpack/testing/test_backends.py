"""Test the installed backends of other packages: `pytest --pyargs wordpack.testing`.

`-k NAME` chooses one. Every backend gets the same problems, by seed, and plain Python solves them
too.
"""

import pytest

from wordpack.backend.base import Backend, Options, Refusal
from wordpack.backend.row import Row
from wordpack.racing import plugins
from wordpack.testing.checks import TESTS, Check, built, too_large
from wordpack.testing.draw import Seeded
from wordpack.testing.plain_packings import solve
from wordpack.testing.problems import case
from wordpack.testing.shapes import SMALL

PROBLEMS = 300
"""Problems per backend; one seed gives the same problem on every machine."""

ROWS = [each.row for each in plugins.found() if each.row.workload == "packing"]
backends = pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])


@backends
def test_it_is_a_backend_that_can_run_here(row: Row) -> None:
    """Its probe names the device."""
    backend = row.load()
    assert isinstance(backend, Backend)
    assert backend.probe()


@backends
def test_every_answer_is_that_of_plain_python(row: Row) -> None:
    """Listed, counted, again, and in parts; problems that it refuses are skipped."""
    answers = 0
    for number in range(PROBLEMS):
        given = case(Seeded(f"wordpack.testing {number}"), SMALL)
        problem = built(given.problem)
        why = row.load().accepts(problem, Options())
        if not too_large(row, problem) and (why is None or why.kind == "shape"):
            answers += Check(row, given, solve(given.problem, TESTS)).run()
    assert answers, "it refuses every problem"


@backends
def test_a_refusal_says_why(row: Row) -> None:
    """A refusal is by shape or by cost, has a reason, and is the same when asked again."""
    for number in range(PROBLEMS):
        problem = built(case(Seeded(f"wordpack.testing {number}"), SMALL).problem)
        why = row.load().accepts(problem, Options())
        assert why is None or isinstance(why, Refusal)
        if why is not None:
            assert why.kind in ("shape", "cost")
            assert why.reason
            assert why == row.load().accepts(problem, Options())
