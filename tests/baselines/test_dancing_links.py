"""Dancing links: the published branches, the options tried, and groups as items."""

import itertools
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handmade import problem as handmade
from wordpack.backend import registry
from wordpack.backend.base import Options
from wordpack.backend.threaded_search import SharedSearch
from wordpack.baselines.dancing_links import matrix
from wordpack.baselines.exact_cover import Matrix
from wordpack.compiled.threads import usable_cores
from wordpack.packing.answer import Answer, Counts, Packings, verify
from wordpack.packing.problem import Group, Problem
from wordpack.solving.instances import INSTANCES
from wordpack.solving.loading import load
from wordpack.solving.spec import Spec

pytestmark = pytest.mark.slow


def prepare(problem: Problem, **options: int | None) -> SharedSearch:
    search = registry.row("dancing_links").load().prepare(problem, Options(**options))  # type: ignore[arg-type]
    assert isinstance(search, SharedSearch)
    return search


def listing(found: Answer) -> Packings:
    assert isinstance(found, Packings)
    verify(found)
    return found


def table(found: Answer) -> list[list[int]]:
    return np.hstack(listing(found).canonical().rows).tolist()  # type: ignore[no-any-return]


@cache
def named(instance: str, *, keep_anagrams: bool | None = None) -> Problem:
    (group,) = INSTANCES[instance].spec.groups
    if keep_anagrams is not None:
        group = replace(group, keep_anagrams=keep_anagrams)
    return load(Spec((group,))).problem


@pytest.mark.parametrize(
    ("name", "branches"), [("parker", 92), ("parker-words", 110), ("both", None)]
)
def test_the_root_has_the_published_branches(name: str, branches: int | None) -> None:
    """The branches are the words with the rarest letter, and the letter itself left unused."""
    found = listing(prepare(named(name)).run(work=True))
    expected = INSTANCES[name].expected
    assert expected is not None
    assert (len(found), found.solutions()) == (expected.packings, expected.solutions)
    assert found.digest() == expected.digest
    assert branches in (None, found.work["branches"])


def test_the_list_of_the_program_with_anagrams_has_the_published_branches() -> None:
    """94 branches at the root, and eleven packings, one per solution."""
    found = listing(prepare(named("wordle-12974", keep_anagrams=True)).run(work=True))
    assert found.work["branches"] == 94
    assert len(found) == found.solutions() == 11


@cache
def known_work() -> dict[str, int]:
    return prepare(named("wordle-12974")).run(work=True).work


@pytest.mark.parametrize("threads", sorted({1, usable_cores()}))
@pytest.mark.parametrize("chunk", [1, 7, None])
def test_counters_do_not_depend_on_threads_chunks_or_listing(
    threads: int, chunk: int | None
) -> None:
    """Each second-level branch belongs to at most one thread; branches above are not counted."""
    assert list(known_work()) == ["branches", *(f"nodes_{level}" for level in range(2, 7))]
    for count_only in (False, True):
        options = {"threads": threads, "chunk": chunk, "count_only": count_only}
        found = prepare(named("wordle-12974"), **options).run(work=True)
        work = {name: n for name, n in found.work.items() if not name.startswith("chunk_")}
        assert work == known_work()


def tried(of: Matrix) -> list[int]:
    """Return the options Algorithm X tries at each level, computed on sets of integers."""
    sets: list[set[int]] = [set() for _ in of.group]
    for option, item in zip(of.option.tolist(), of.item.tolist(), strict=True):
        sets[option].add(item)
    levels: Counter[int] = Counter()

    def search(options: list[set[int]], left: Counter[int], level: int) -> None:
        size = Counter(item for option in options for item in option)
        if any(size[item] < n for item, n in left.items() if item < of.primary + of.exact):
            return
        primary = [item for item in left if item < of.primary]
        if not primary:
            return
        best = min(primary, key=lambda item: (size[item], item))
        for option in options:
            if best in option:
                levels[level] += 1
                then = Counter({i: n - (i in option) for i, n in left.items() if n > (i in option)})
                search([other for other in options if other <= then.keys()], then, level + 1)

    every = dict.fromkeys(range(of.primary), 1)
    every |= dict(enumerate(of.multiplicity, of.primary))
    search(sets, Counter(every), 1)
    return [levels[level] for level in range(1, max(levels, default=0) + 1)]


def check_work(problem: Problem) -> list[int]:
    """Assert that the counters equal those of Algorithm X without links; return them."""
    work = list(prepare(problem, threads=1).run(work=True).work.values())
    expected = tried(matrix(problem))
    assert work == expected + [0] * (len(work) - len(expected))
    return work


@pytest.mark.parametrize("step", [9, 13])
def test_options_tried_are_those_of_algorithm_x(step: int) -> None:
    """On every step-th signature of parker, where one letter may stay unused."""
    (group,) = named("parker").groups
    masks = group.masks[::step]
    sample = Problem((Group(masks, 5, np.ones(len(masks), np.int64)),), 26)
    assert matrix(sample).exact == 0
    assert all(check_work(sample)[:4])


@st.composite
def cut(draw: st.DrawFn, groups: int = 1) -> Problem:
    """Draw pieces of alphabets as masks, so that many fit together and some leave nothing.

    Two groups pick from the same masks.
    """
    letters = draw(st.integers(1, 8))
    masks, counts = [], []
    for _ in range(draw(st.integers(1, 4))):
        order = draw(st.permutations(range(letters)))
        edges = sorted(draw(st.sets(st.integers(0, letters), min_size=2, max_size=5)))
        pieces = [order[first:last] for first, last in itertools.pairwise(edges)]
        masks += [sum(1 << letter for letter in piece) for piece in pieces]
        counts.append(len(pieces))
    masks = masks[:9]
    dtype = draw(st.sampled_from([np.uint32, np.uint64]))
    made = []
    for count in [*counts[:1], 1][:groups]:
        weights = np.array([draw(st.integers(1, 3)) for _ in masks], np.int64)
        made.append(Group(np.array(masks, dtype), draw(st.sampled_from([count, 2])), weights))
    return Problem(tuple(made), letters)


shapes = settings(max_examples=150, deadline=None)


@shapes
@given(cut() | cut(groups=2))
def test_pieces_of_alphabets_are_packed_as_the_oracle_packs_them(problem: Problem) -> None:
    """Words of unequal sizes: more may fit than the problem picks, or fewer may suffice."""
    known = registry.row("combinations").load().prepare(problem, Options()).run()
    found = prepare(problem, threads=1).run()
    assert table(found) == table(known)
    counts = prepare(problem, threads=1, count_only=True).run()
    assert counts == Counts(len(listing(known)), listing(known).solutions())


@shapes
@given(cut() | cut(groups=2))
def test_options_tried_are_those_of_algorithm_x_with_items_for_groups(problem: Problem) -> None:
    check_work(problem)


def forced(problem: Problem) -> bool:
    """Whether every way to leave at most `slack` letters uses exactly the words to pick."""
    (group,) = problem.groups
    masks = group.masks.tolist()
    used = sum(sorted(group.sizes.tolist())[: group.count])
    covers = (
        words
        for n in range(len(masks) + 1)
        for words in itertools.combinations(masks, n)
        if used <= sum(map(int.bit_count, words)) == sum(set(words)).bit_count()
    )
    return all(len(words) == group.count for words in covers)


@shapes
@given(cut())
def test_a_group_is_left_out_only_where_letters_force_its_number(problem: Problem) -> None:
    if not problem.impossible and not matrix(problem).exact:
        assert forced(problem)


SHARED = [0b00011, 0b01100, 0b10000, 0b00011]


@pytest.mark.parametrize(
    ("groups", "exact", "packings"),
    [
        ([([0b00011, 0b01100, 0b10001, 0b11000], 2)], 0, 3),
        ([([0b00011, 0b01100, 0b10000, 0b11100], 3)], 1, 1),
        ([([0b00011, 0b01100, 0b10000, 0b11100], 2)], 1, 4),
        ([([1, 2, 4, 8, 16], 2)], 1, 10),
        ([([1, 2, 4, 8, 16], 5)], 0, 1),
        ([([1, 2, 4], 3)], 0, 1),
        ([([0b11111, 0b11111, 0b11111], 1)], 0, 3),
        ([([0b00111, 0b11000], 2)], 0, 1),
        ([([0b00111, 0b11000, 0b11111], 2)], 1, 1),
        ([(SHARED, 1), (SHARED, 1)], 2, 10),
        ([(SHARED, 2), (SHARED, 1)], 2, 6),
        ([(SHARED, 0), (SHARED, 3)], 0, 2),
        ([(SHARED, 0)], 0, 1),
        ([], 0, 1),
        ([([], 1)], 0, 0),
    ],
)
def test_groups_that_are_items(
    groups: list[tuple[list[int], int]], exact: int, packings: int
) -> None:
    """Worked out by hand: more words fit, fewer cover as much, or two groups share the letters."""
    problem = handmade(*groups)
    assert matrix(problem).exact == exact
    search = prepare(problem)
    assert len(listing(search.run())) == len(listing(search.run())) == packings
    assert prepare(problem, count_only=True).run() == Counts(packings, packings)
