"""Packings: canonical order, digest, exact counts, and the verifier against every wrong answer."""

import hashlib
import itertools
import math
import re
import struct
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordpack.errors import WrongAnswer
from wordpack.packing import Counts, Packings, concatenate, fingerprints, verify
from wordpack.problem import Group, Problem

Row = tuple[tuple[int, ...], ...]  # for each group the indices picked


def problem(*groups: tuple[list[int], int], letters: int = 5) -> Problem:
    return Problem(
        tuple(
            Group(np.array(masks, np.uint32), count, np.ones(len(masks), np.int64))
            for masks, count in groups
        ),
        letters,
    )


def answer(of: Problem, rows: list[Row]) -> Packings:
    return Packings(
        of,
        tuple(
            np.array([row[g] for row in rows], np.int32).reshape(len(rows), group.count)
            for g, group in enumerate(of.groups)
        ),
        len(rows),
    )


def rows_of(packings: Packings) -> list[Row]:
    tables = [table.tolist() for table in packings.rows]
    return [tuple(tuple(table[i]) for table in tables) for i in range(len(packings))]


def masks_of(packings: Packings) -> list[list[int]]:
    """The masks of each packing, ascending inside a group, packings ascending."""
    groups = [group.masks.tolist() for group in packings.problem.groups]
    return sorted(
        [m for g, picked in enumerate(row) for m in sorted(groups[g][i] for i in picked)]
        for row in rows_of(packings)
    )


def reference_digest(packings: Packings) -> str:
    numbers = [group.count for group in packings.problem.groups]
    numbers += itertools.chain.from_iterable(masks_of(packings))
    return hashlib.sha256(struct.pack(f"<{len(numbers)}Q", *numbers)).hexdigest()


@st.composite
def answers(draw: st.DrawFn, lowest: int = 0, beyond: int = 0) -> Packings:
    """Draw a problem and rows for it; with `beyond`, indices may be wrong and stand twice."""
    groups = []
    for _ in range(draw(st.integers(0, 3))):
        masks = draw(st.lists(st.integers(0, 31), min_size=1, max_size=5))
        groups.append((masks, draw(st.integers(0, min(3, len(masks))))))
    picks = [
        st.lists(
            st.integers(lowest, len(masks) - 1 + beyond),
            min_size=count,
            max_size=count,
            unique=not beyond,
        ).map(tuple)
        for masks, count in groups
    ]
    return answer(problem(*groups), draw(st.lists(st.tuples(*picks), max_size=5)))


@settings(deadline=None)
@given(answers(), st.randoms())
def test_canonical_and_digest_do_not_depend_on_any_order(found: Packings, random: Random) -> None:
    """Shuffled rows and shuffled indices inside a group are the same packings."""
    rows = rows_of(found)
    shuffled = [tuple(tuple(random.sample(p, len(p))) for p in row) for row in rows]
    random.shuffle(shuffled)
    other = answer(found.problem, shuffled)
    expected = sorted(tuple(tuple(sorted(picked)) for picked in row) for row in rows)
    assert rows_of(found.canonical()) == rows_of(other.canonical()) == expected
    assert found.digest() == other.digest() == reference_digest(found)
    assert all(table.dtype == np.int32 for table in other.canonical().rows)
    assert sorted(fingerprints(found)) == sorted(fingerprints(other))


@settings(deadline=None)
@given(answers(), st.randoms())
def test_digest_does_not_depend_on_list_order(found: Packings, random: Random) -> None:
    """The same masks in another list order, and as 64-bit masks, have the same digest."""
    groups, places = [], []
    for group in found.problem.groups:
        order = list(range(len(group.masks)))
        random.shuffle(order)
        groups.append(replace(group, masks=group.masks[order].astype(np.uint64)))
        places.append({old: new for new, old in enumerate(order)})
    rows = [
        tuple(tuple(places[g][i] for i in picked) for g, picked in enumerate(row))
        for row in rows_of(found)
    ]
    assert answer(Problem(tuple(groups), 40), rows).digest() == found.digest()


@settings(deadline=None)
@given(answers(), st.data())
def test_digests_are_equal_only_for_equal_packings(found: Packings, data: st.DataObject) -> None:
    """Other rows of the same problem have the same digest exactly when their masks agree."""
    if not len(found):
        return
    kept = data.draw(st.lists(st.sampled_from(rows_of(found)), max_size=5))
    other = answer(found.problem, kept)
    if found.problem.picks:
        assert (found.digest() == other.digest()) == (masks_of(found) == masks_of(other))


def test_digest_tells_group_counts_apart() -> None:
    """The same three masks as 3, 1+2, 2+1 and 0+3 are four answers."""
    masks = [1, 2, 4]
    shapes: list[list[int]] = [[3], [1, 2], [2, 1], [0, 3]]
    digests = set()
    for counts in shapes:
        ends = list(itertools.accumulate(counts))
        row = tuple(tuple(range(end - n, end)) for n, end in zip(counts, ends, strict=True))
        found = answer(problem(*((masks, n) for n in counts)), [row])
        assert found.digest() == reference_digest(found)
        digests.add(found.digest())
    assert len(digests) == len(shapes)


@settings(deadline=None)
@given(answers(), st.data())
def test_solutions_are_exact_beyond_64_bits(found: Packings, data: st.DataObject) -> None:
    """The sum of the products of weights, in integers of any size."""
    weight = st.integers(1, 3) | st.integers(1, 2**62)
    groups = tuple(
        replace(
            group,
            weights=np.array([data.draw(weight) for _ in group.masks], np.int64),
        )
        for group in found.problem.groups
    )
    weighted = replace(found, problem=Problem(groups, 5), work={"leaves": 7})
    lists = [group.weights.tolist() for group in groups]
    expected = sum(
        math.prod(lists[g][i] for g, picked in enumerate(row) for i in picked)
        for row in rows_of(found)
    )
    assert weighted.solutions() == expected
    assert type(weighted.solutions()) is int
    assert weighted.counts() == Counts(len(found), expected, {"leaves": 7})


def test_solutions_at_the_edge_of_64_bits() -> None:
    """Two packings of weight 2**62 sum to 2**63, which int64 cannot hold."""
    group = Group(np.array([1, 2], np.uint32), 1, np.array([2**62, 2**62], np.int64))
    found = answer(Problem((group,), 2), [((0,),), ((1,),)])
    assert found.solutions() == 2**63


@settings(deadline=None)
@given(answers(), st.integers(1, 4))
def test_split_and_concatenate_are_inverse(found: Packings, most: int) -> None:
    """Parts hold 1 to `most` rows, all rows once and in order."""
    parts = list(found.split(most))
    assert all(1 <= len(part) <= most for part in parts)
    assert len(parts) == -(-len(found) // most)
    assert rows_of(concatenate(found.problem, parts)) == rows_of(found)


def test_fingerprints_differ_where_packings_do() -> None:
    """All 84 sets of three of nine indices have marks of their own."""
    rows = [(three,) for three in itertools.combinations(range(9), 3)]
    assert len(set(fingerprints(answer(problem(([1] * 9, 3)), rows)).tolist())) == 84


# in the first group index 3 has the letters of 0 and 1, and index 4 is the empty mask
TWO = problem(([0b1, 0b10, 0b100, 0b11, 0], 2), ([0b1000, 0b1, 0b11000], 1))
RIGHT: list[Row] = [((0, 1), (0,)), ((1, 2), (1,)), ((0, 2), (0,)), ((4, 3), (2,))]


def wrong_forms() -> dict[str, tuple[Packings, str]]:
    """Each way in which an answer's form can be wrong, with what the verifier says."""
    right = answer(TWO, RIGHT)
    one, two = right.rows
    forms = {
        "a group is missing": ((one,), 4, "1 groups answered of 2"),
        "a group too many": ((one, two, two), 4, "3 groups answered of 2"),
        "no group": ((), 4, "0 groups answered of 2"),
        "dtype int64": ((one, two.astype(np.int64)), 4, "group 1: indices are not an int32"),
        "dtype uint32": ((one.astype(np.uint32), two), 4, "group 0: indices are not an int32"),
        "a list": ((one, two.tolist()), 4, "group 1: indices are not an int32"),
        "a column is missing": ((one[:, :1], two), 4, "group 0: shape (4, 1)"),
        "one dimension": ((one, two[:, 0]), 4, "group 1: shape (4,)"),
        "a row is missing in one group": ((one, two[:3]), 4, "group 1: shape (3, 1)"),
        "n is too large": ((one, two), 5, "group 0: shape (4, 2)"),
        "n is too small": ((one, two), 3, "group 0: shape (4, 2)"),
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
        (((0, 1), (0,)), "1 packings stand more than once"),
        (((1, 0), (0,)), "1 packings stand more than once"),
    ],
)
def test_verifier_refuses_a_wrong_row(row: Row, said: str) -> None:
    """Wherever the row stands among right ones."""
    for place in range(len(RIGHT) + 1):
        with pytest.raises(WrongAnswer, match=said):
            verify(answer(TWO, [*RIGHT[:place], row, *RIGHT[place:]]))


@settings(max_examples=400, deadline=None)
@given(answers(lowest=-1, beyond=1))
def test_verifier_refuses_exactly_what_is_wrong(found: Packings) -> None:
    """Rows are right when in range, of different indices, disjoint, and all different."""
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
    """No groups, empty groups, groups that pick nothing, empty and repeated masks."""
    verify(found)


@pytest.mark.parametrize("of", [problem(), problem(([1, 2], 0))])
def test_verifier_refuses_the_empty_packing_twice(of: Problem) -> None:
    with pytest.raises(WrongAnswer, match="1 packings stand more than once"):
        verify(answer(of, [tuple(() for _ in of.groups)] * 2))
