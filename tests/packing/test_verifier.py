"""The verifier refuses each kind of wrong answer and accepts right ones."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handmade import Row, answer, problem, rows_of
from wordpack.errors import WrongAnswer
from wordpack.packing.answer import Packings, verify
from wordpack.packing.problem import Problem


@st.composite
def wild_answers(draw: st.DrawFn) -> Packings:
    """Draw a problem and rows for it; indices may be out of range or repeated."""
    groups = []
    for _ in range(draw(st.integers(0, 3))):
        masks = draw(st.lists(st.integers(0, 31), min_size=1, max_size=5))
        groups.append((masks, draw(st.integers(0, min(3, len(masks))))))
    picks = [
        st.lists(
            st.integers(-1, len(masks)),
            min_size=count,
            max_size=count,
        ).map(tuple)
        for masks, count in groups
    ]
    return answer(problem(*groups), draw(st.lists(st.tuples(*picks), max_size=5)))


# in the first group index 3 has the letters of 0 and 1, and index 4 is the empty mask
TWO = problem(([0b1, 0b10, 0b100, 0b11, 0], 2), ([0b1000, 0b1, 0b11000], 1))
RIGHT: list[Row] = [((0, 1), (0,)), ((1, 2), (1,)), ((0, 2), (0,)), ((4, 3), (2,))]


def wrong_forms() -> dict[str, tuple[Packings, str]]:
    """Malformed answers, each with the verifier's message."""
    right = answer(TWO, RIGHT)
    one, two = right.rows
    forms = {
        "a group is missing": ((one,), 4, "1 groups answered of 2"),
        "a group too many": ((one, two, two), 4, "3 groups answered of 2"),
        "no group": ((), 4, "0 groups answered of 2"),
        "dtype int64": ((one, two.astype(np.int64)), 4, "group 1: indices are not an int32"),
        "dtype uint32": ((one.astype(np.uint32), two), 4, "group 0: indices are not an int32"),
        "a list": ((one, two.tolist()), 4, "group 1: indices are not an int32"),
        "a column is missing": ((one[:, :1], two), 4, "group 0: expected shape (4, 2), got (4, 1)"),
        "one dimension": ((one, two[:, 0]), 4, "group 1: expected shape (4, 1), got (4,)"),
        "a row is missing in one group": (
            (one, two[:3]),
            4,
            "group 1: expected shape (4, 1), got (3, 1)",
        ),
        "n is too large": ((one, two), 5, "group 0: expected shape (5, 2), got (4, 2)"),
        "n is too small": ((one, two), 3, "group 0: expected shape (3, 2), got (4, 2)"),
    }
    return {
        name: (replace(right, rows=rows, n=n), said)  # type: ignore[arg-type]
        for name, (rows, n, said) in forms.items()
    }


@pytest.mark.parametrize(("wrong", "said"), wrong_forms().values(), ids=wrong_forms())
def test_verifier_refuses_a_wrong_form(wrong: Packings, said: str) -> None:
    verify(answer(TWO, RIGHT))
    with pytest.raises(WrongAnswer, match=re.escape(said)):
        verify(wrong)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (((-1, 0), (0,)), "group 0: index -1 is out of range"),
        (((0, 5), (0,)), "group 0: index 5 is out of range"),
        (((0, 1), (3,)), "group 1: index 3 is out of range"),
        (((2, 2), (0,)), "picks a mask twice"),
        (((4, 4), (0,)), "picks a mask twice"),
        (((0, 3), (0,)), "uses a letter twice"),
        (((0, 2), (1,)), "uses a letter twice"),
        (((0, 1), (0,)), "1 packings are repeated"),
        (((1, 0), (0,)), "1 packings are repeated"),
    ],
)
def test_verifier_refuses_a_wrong_row(row: Row, said: str) -> None:
    """The row is found at every place among right rows."""
    for place in range(len(RIGHT) + 1):
        with pytest.raises(WrongAnswer, match=said):
            verify(answer(TWO, [*RIGHT[:place], row, *RIGHT[place:]]))


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(wild_answers())
def test_verifier_refuses_exactly_what_is_wrong(found: Packings) -> None:
    """Rows are right if indices are in range and distinct, masks disjoint, and no row repeats."""
    groups = [group.masks.tolist() for group in found.problem.groups]
    right = True
    seen = set()
    for row in rows_of(found):
        picked = [(g, i) for g, indices in enumerate(row) for i in indices]
        right &= all(0 <= i < len(groups[g]) for g, i in picked)
        right &= len(set(picked)) == len(picked)
        if right:
            letters = [b for g, i in picked for b in range(5) if groups[g][i] >> b & 1]
            right &= len(set(letters)) == len(letters)
        right &= frozenset(picked) not in seen
        seen.add(frozenset(picked))
    if right:
        verify(found)
    else:
        with pytest.raises(WrongAnswer):
            verify(found)


@pytest.mark.parametrize(
    "found",
    [
        answer(problem(), [()]),
        answer(problem(), []),
        answer(problem(([1, 2], 0)), [((),)]),
        answer(problem(([], 0), ([1], 1)), [((), (0,))]),
        answer(problem(([], 2)), []),
        answer(problem(([0, 0, 0], 2)), [((0, 1),), ((0, 2),), ((1, 2),)]),
        answer(problem(([1, 1, 2], 2)), [((0, 2),), ((2, 1),)]),
        answer(problem(([0, 1], 1), ([0, 1], 1)), [((0,), (0,)), ((0,), (1,)), ((1,), (0,))]),
    ],
)
def test_verifier_accepts_what_is_right(found: Packings) -> None:
    """Cover no groups, empty groups, groups that pick nothing, empty and repeated masks."""
    verify(found)


@pytest.mark.parametrize("of", [problem(), problem(([1, 2], 0))])
def test_verifier_refuses_the_empty_packing_twice(of: Problem) -> None:
    with pytest.raises(WrongAnswer, match="1 packings are repeated"):
        verify(answer(of, [tuple(() for _ in of.groups)] * 2))
