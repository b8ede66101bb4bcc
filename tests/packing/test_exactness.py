"""Counts beyond 64 bits, and searches whose work is cut into many pieces, stay exact."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordpack.backend import registry, threaded_search
from wordpack.backend.base import Options
from wordpack.backend.registry import Row
from wordpack.packing.answer import Counts, Packings, verify
from wordpack.packing.problem import Group, Problem


def run(name: str, problem: Problem, *, work: bool = False) -> Packings:
    found = registry.row(name).load().prepare(problem, Options()).run(work=work)
    assert isinstance(found, Packings)
    verify(found)
    return found


def table(packings: Packings) -> list[list[int]]:
    """Return the canonical rows, all groups side by side."""
    return np.hstack(packings.canonical().rows).tolist()


def pairs_of_letters(seed: int) -> Group:
    """Return 25 different masks of two out of twelve letters, of which to pick three."""
    random = np.random.default_rng(seed)
    every = list(itertools.combinations(range(12), 2))
    pairs = [every[place] for place in random.choice(len(every), 25, replace=False)]
    masks = np.array([1 << one | 1 << two for one, two in pairs], np.uint32)
    return Group(masks, 3, random.integers(1, 4, 25))


def single_letters(weights: list[int], count: int) -> Group:
    """Return masks of one letter each, so that every choice is a packing."""
    masks = np.array([1 << place for place in range(len(weights))], np.uint32)
    return Group(masks, count, np.array(weights, np.int64))


@pytest.mark.parametrize("count_only", [False, True])
@pytest.mark.parametrize(
    "weights",
    [
        [10**6] * 9,
        [2**31 + 1] * 9,
        [2 * 10**14 * place + 1 for place in range(9)],
        [1] * 8 + [2**62],
        [2**62] * 4 + [1] * 5,
        [2**62] * 2 + [1] * 7,
        [2**63 - 1] * 9,
    ],
)
def test_solutions_are_exact_beyond_64_bits(
    backend: Row, weights: list[int], count_only: bool
) -> None:
    """The count is the elementary symmetric sum of the weights, in unbounded integers."""
    options = Options(count_only=count_only)
    problem, first = Problem((single_letters(weights, 5),), 9), [1]
    refusal = backend.load().accepts(problem, options)
    if refusal and backend.counts_only:
        # it lists nothing; test_counting has the counters' numbers beyond 64 bits
        assert not count_only or backend.algorithm == "subset sums"
        assert not count_only or "a bin for each word" in refusal.reason
        return
    if refusal:  # it needs one word of another list and six of this one
        first = weights[-1:]
        one = Group(np.array([1 << 9], np.uint32), 1, np.array(first, np.int64))
        problem = Problem((one, single_letters(weights, 6)), 10)
    assert backend.load().accepts(problem, options) is None
    found = backend.load().prepare(problem, options).run()
    counts = found if isinstance(found, Counts) else found.counts()
    choices = list(itertools.combinations(weights, problem.groups[-1].count))
    assert counts == Counts(len(choices), first[0] * sum(map(math.prod, choices)))


@pytest.mark.parametrize("count_only", [False, True])
def test_solutions_at_the_edge_of_64_bits(backend: Row, count_only: bool) -> None:
    """Two packings of weight 2**62 have 2**63 solutions, one more than int64 can hold."""
    group = Group(np.array([1, 2], np.uint32), 1, np.array([2**62, 2**62], np.int64))
    whole = 2 if "chunk" in backend.options else None
    options = Options(count_only=count_only, chunk=whole)
    problem = Problem((group,), 2)
    refusal = backend.load().accepts(problem, options)
    if refusal:
        assert refusal.kind == "shape"
        return
    found = backend.load().prepare(problem, options).run()
    counts = found if isinstance(found, Counts) else found.counts()
    assert counts == Counts(2, 2**63)


def nodes_by_definition(masks: list[int], count: int, letters: int) -> list[int]:
    """Count the partial packings that branching on the rarest free letter meets, by depth."""
    rarity = [sum(mask >> letter & 1 for mask in set(masks)) for letter in range(letters)]
    order = sorted(range(letters), key=lambda letter: (rarity[letter], letter))
    smallest = min(mask.bit_count() for mask in masks)
    nodes = [0] * count

    def pick(depth: int, closed: set[int], slack: int) -> None:
        free = [letter for letter in order if letter not in closed]
        for mask in masks:
            own = {letter for letter in range(letters) if mask >> letter & 1}
            if own & closed:
                continue
            skipped = set(free[: min(map(free.index, own))])
            left = slack - len(skipped) - (len(own) - smallest)
            if left >= 0:
                nodes[depth] += 1
                if depth + 1 < count:
                    pick(depth + 1, closed | own | skipped, left)

    pick(0, set(), letters - count * smallest)
    return nodes


@settings(max_examples=200, deadline=None)
@given(
    letters=st.integers(1, 9),
    count=st.integers(1, 4),
    picks=st.lists(st.integers(1, 2**9 - 1), min_size=1, max_size=10),
    repeats=st.integers(0, 4),
)
def test_rarest_letter_visits_the_nodes_of_its_definition(
    letters: int, count: int, picks: list[int], repeats: int
) -> None:
    """Rarity counts each mask once, ties go by the alphabet, and longer words cost slack."""
    masks = [max(1, pick % 2**letters) for pick in picks]
    masks += masks[:repeats]
    group = Group(np.array(masks, np.uint32), count, np.ones(len(masks), np.int64))
    found = run("rarest_letter", Problem((group,), letters), work=True)
    nodes = nodes_by_definition(masks, count, letters)
    assert list(found.work.values()) == nodes
    assert len(found) == nodes[-1]


@pytest.mark.parametrize("segment", [1, 3, 17])
def test_filtered_arrays_in_tiny_segments(segment: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cutting the frontier changes neither rows nor the counter, which equals filtered_lists'."""
    group = pairs_of_letters(1)
    two = Group(group.masks[:6], 2, group.weights[:6])
    problems = [Problem((group,), 12), Problem((two, group), 12)]
    whole = [run("filtered_arrays", problem, work=True) for problem in problems]
    monkeypatch.setattr("wordpack.baselines.filtered_arrays.SEGMENT", segment)
    for problem, expected in zip(problems, whole, strict=True):
        found = run("filtered_arrays", problem, work=True)
        assert table(found) == table(run("combinations", problem))
        assert found.work == expected.work == run("filtered_lists", problem, work=True).work


@pytest.mark.parametrize("listed", [1, 2, 30])
def test_rarest_letter_counts_in_batches(listed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """If 64 bits may be too few, ranges of branches are halved; sums and counters stay the same."""
    group = pairs_of_letters(2)
    heavy = replace(group, weights=np.full(25, 2**40, np.int64))
    nodes = run("rarest_letter", Problem((group,), 12), work=True).work
    packings = len(run("combinations", Problem((group,), 12)))
    monkeypatch.setattr(threaded_search, "LISTED", listed)
    options = Options(count_only=True)
    search = registry.row("rarest_letter").load().prepare(Problem((heavy,), 12), options)
    assert packings > 30
    assert search.run(work=True) == Counts(packings, packings * 2**120, nodes)
