"""All backends of other packages that are installed: `pytest --pyargs wordpack.testing`.

`-k NAME` chooses one. Each gets the same problems, by seed; plain Python solves them too.
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
"""Of each backend. Those of one seed are the same on every machine."""

ROWS = [each.row for each in plugins.found() if each.row.workload == "packing"]
backends = pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])


@backends
def test_it_is_a_backend_that_can_run_here(row: Row) -> None:
    """Its probe says on what."""
    backend = row.load()
    assert isinstance(backend, Backend)
    assert backend.probe()


@backends
def test_every_answer_is_that_of_plain_python(row: Row) -> None:
    """Listed, counted, again, and in parts; a problem that it refuses is left out."""
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
    """By shape or by cost, in a sentence, and the same when it is asked again."""
    for number in range(PROBLEMS):
        problem = built(case(Seeded(f"wordpack.testing {number}"), SMALL).problem)
        why = row.load().accepts(problem, Options())
        assert why is None or isinstance(why, Refusal)
        if why is not None:
            assert why.kind in ("shape", "cost")
            assert why.reason
            assert why == row.load().accepts(problem, Options())
