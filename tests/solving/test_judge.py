"""The judge of answers: every strength, every way to be wrong, one definition for all."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from search_answers import listing
from tree import ROOT
from wordpack.backend import registry
from wordpack.backend.base import Options
from wordpack.errors import WrongAnswer
from wordpack.packing.answer import Counts, Packings
from wordpack.packing.problem import Group, Problem
from wordpack.solving.instances import Expected
from wordpack.solving.judge import PROVEN, STRENGTHS, Difference, Second, judge, numbers

MASKS, WEIGHTS, PICKS = (
    [0b0011, 0b1100, 0b0101, 0b1010, 0b110000, 0b0011 << 6],
    [1, 2, 3, 1, 1, 5],
    3,
)
PROBLEM = Problem((Group(np.array(MASKS, np.uint32), PICKS, np.array(WEIGHTS, np.int64)),), 8)


def brute_force() -> tuple[int, int]:
    """Return the numbers of packings and solutions, by trying all choices."""
    found = solutions = 0
    for rows in combinations(range(len(MASKS)), PICKS):
        masks = [MASKS[row] for row in rows]
        if sum(masks) == masks[0] | masks[1] | masks[2]:
            found += 1
            solutions += int(np.prod([WEIGHTS[row] for row in rows]))
    return found, solutions


def right() -> Packings:
    """Return the complete answer."""
    return listing(registry.row("combinations").load().prepare(PROBLEM, Options()).run())


def test_the_numbers_of_an_answer_are_those_of_brute_force() -> None:
    found = numbers(right())
    assert (found["packings"], found["solutions"]) == brute_force()
    assert found["digest"] == right().digest()
    assert numbers(right().counts()) == found | {"digest": None}


@pytest.mark.parametrize("fault", ["shared", "twice", "outside"])
def test_a_row_that_is_wrong_has_no_numbers(fault: str) -> None:
    """A shared letter, a packing twice, an index out of range."""
    rows = right().rows[0].copy()
    if fault == "shared":
        rows[0] = [0, 2, 4]  # two of these words have the first letter
    elif fault == "twice":
        rows[1] = rows[0][::-1]
    else:
        rows[0, 0] = len(MASKS)
    with pytest.raises(WrongAnswer):
        numbers(Packings(PROBLEM, (rows,), len(rows)))


def test_what_is_stored_decides() -> None:
    """With stored numbers, there is no second look."""
    packings, solutions = brute_force()
    due = Expected(packings, solutions, right().digest())

    def never() -> Second:
        raise AssertionError

    assert judge(numbers(right()), due, never) == ("expected", None, None)
    assert judge(numbers(Counts(packings, solutions)), due, never).strength == "expected"
    for what, other in [("packings", 99), ("solutions", 99), ("digest", "0" * 64)]:
        verdict = judge(numbers(right()), replace(due, **{what: other}), never, valid=True)
        assert verdict.strength is None
        assert verdict.differs == Difference(what, numbers(right())[what], other)


@pytest.mark.parametrize("strength", ["agreed", "valid"])
def test_a_second_look_that_finds_the_same_gives_its_strength(strength: str) -> None:
    second = Second(numbers(right()), strength, "another")  # type: ignore[arg-type]
    assert judge(numbers(right()), None, lambda: second) == (strength, None, second)
    one_less = Second(numbers(right()) | {"packings": 2}, "agreed", "another")
    verdict = judge(numbers(right()), None, lambda: one_less, valid=True)
    assert (verdict.strength, verdict.second) == (None, one_less)
    assert str(verdict.differs) == f"packings: expected 2, got {brute_force()[0]}"


def test_without_a_second_look_only_rows_are_worth_something() -> None:
    assert judge(numbers(right()), None, lambda: None, valid=True).strength == "valid"
    assert judge(numbers(right().counts()), None, lambda: None).strength is None


def test_the_methodology_quotes_the_definitions() -> None:
    text = (ROOT / "METHODOLOGY.md").read_text(encoding="utf-8")
    for strength, meaning in STRENGTHS.items():
        assert f"- **{strength}**: {meaning}" in text, strength
    assert tuple(STRENGTHS)[:2] == PROVEN
