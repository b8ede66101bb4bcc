"""Packings: canonical order, digest, exact counts, and splitting."""

import hashlib
import itertools
import math
import struct
from dataclasses import replace
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from handmade import answer, problem, rows_of
from wordpack.packing.answer import Counts, Distinct, Packings, concatenate, fingerprints
from wordpack.packing.problem import Group, Problem


def masks_of(packings: Packings) -> list[list[int]]:
    """Return the masks of each packing, ascending inside a group, packings ascending."""
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
def answers(draw: st.DrawFn) -> Packings:
    """Draw a problem and rows for it: distinct indices in range; masks may overlap."""
    groups = []
    for _ in range(draw(st.integers(0, 3))):
        masks = draw(st.lists(st.integers(0, 31), min_size=1, max_size=5))
        groups.append((masks, draw(st.integers(0, min(3, len(masks))))))
    picks = [
        st.lists(
            st.integers(0, len(masks) - 1),
            min_size=count,
            max_size=count,
            unique=True,
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
    """The count is the sum of the products of weights, in unbounded integers."""
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
    """Parts hold 1 to `most` rows, and together every row once, in order."""
    parts = list(found.split(most))
    assert all(1 <= len(part) <= most for part in parts)
    assert len(parts) == -(-len(found) // most)
    assert rows_of(concatenate(found.problem, parts)) == rows_of(found)


def test_fingerprints_differ_where_packings_do() -> None:
    """All 84 sets of three of nine indices have different fingerprints."""
    rows = [(three,) for three in itertools.combinations(range(9), 3)]
    assert len(set(fingerprints(answer(problem(([1] * 9, 3)), rows)).tolist())) == 84


def test_parts_that_share_a_packing_are_not_distinct() -> None:
    """The repeat is found however far apart it is, in every share of fingerprints."""
    of = problem(([1 << bit for bit in range(8)], 1), letters=8)
    rows = [((index,),) for index in range(8)]
    for again in (None, *range(8)):
        seen = Distinct()
        seen.add(answer(of, rows[:5]))
        seen.add(answer(of, rows[5:]))
        if again is not None:
            seen.add(answer(of, [rows[again]]))
        assert seen.all_different() == (again is None)
