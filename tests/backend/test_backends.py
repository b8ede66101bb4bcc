"""One test body for every backend: random problems against the oracle, with every option."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wordpack.backend import registry
from wordpack.backend.base import Options, Search
from wordpack.backend.registry import Row
from wordpack.compiled.threads import usable_cores
from wordpack.packing.answer import Counts, Packings, concatenate, verify
from wordpack.packing.problem import Group, Problem

# the fixture `backend` is a constant row of the registry, so examples may share it
shared = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
AFFORDABLE = 3_000  # choices that the oracle tries for one example


def honouring(*options: str) -> pytest.MarkDecorator:
    """Pass as `row` each backend that honours one of the options."""
    rows = [row for row in registry.of_workload("packing") if set(options) & set(row.options)]
    return pytest.mark.parametrize("row", rows, ids=[row.name for row in rows])


@st.composite
def problems(draw: st.DrawFn, groups: int = 3) -> Problem:
    """Draw few masks from 1 to 64 letters: repeated, weighted, empty; groups that pick none."""
    letters = draw(st.integers(1, 12) | st.sampled_from([26, 31, 32, 33, 63, 64]))
    wide = letters > 32 or draw(st.booleans())
    fewest = draw(st.sampled_from([0, 1, 1, 1]))
    most = max(fewest, draw(st.integers(1, max(1, min(letters // 2, 20)))))
    letter = st.integers(0, letters - 1)
    mask = st.sets(letter, min_size=min(fewest, letters), max_size=min(most, letters)).map(
        lambda places: sum(1 << place for place in places)
    )
    drawn, choices = [], 1
    for _ in range(draw(st.integers(0, groups) | st.just(1))):
        masks = draw(st.lists(mask, max_size=10))
        masks += draw(st.lists(st.sampled_from(masks), max_size=2)) if masks else []
        count = draw(st.integers(0, 4) | st.integers(2, 3))
        while choices * math.comb(len(masks), count) > AFFORDABLE:
            count -= 1
        choices *= math.comb(len(masks), count)
        weights = [draw(st.integers(1, 3)) for _ in masks]
        dtype = np.uint64 if wide else np.uint32
        drawn.append(Group(np.array(masks, dtype), count, np.array(weights, np.int64)))
    return Problem(tuple(drawn), letters)


@st.composite
def sixes(draw: st.DrawFn) -> Problem:
    """Draw one of a list and six of another, with masks so small that many fit."""
    letters, wide = draw(st.integers(9, 26) | st.sampled_from([33, 64])), draw(st.booleans())
    mask = st.sets(st.integers(0, letters - 1), max_size=3).map(
        lambda places: sum(1 << place for place in places)
    )
    dtype = np.uint64 if wide or letters > 32 else np.uint32
    groups = []
    for count, most in ((1, 6), (6, 11)):
        masks = draw(st.lists(mask, min_size=count, max_size=most))
        weights = [draw(st.integers(1, 3)) for _ in masks]
        groups.append(Group(np.array(masks, dtype), count, np.array(weights, np.int64)))
    return Problem(tuple(groups), letters)


def search(row: Row, problem: Problem, options: Options | None = None) -> Search | None:
    """Prepare `row`, or return None where its algorithm cannot take the problem.

    A counter's cost is not that of the few packings here, so its refusal by cost holds too.
    """
    options = options or Options()
    refusal = row.load().accepts(problem, options)
    if refusal and (refusal.kind == "shape" or row.counts_only):
        return None
    return row.load().prepare(problem, options)


def listing(found: object) -> Packings:
    assert isinstance(found, Packings)
    verify(found)
    return found


def oracle(problem: Problem) -> Packings:
    run = search(registry.row("combinations"), problem)
    assert run is not None
    return listing(run.run())


def table(packings: Packings) -> list[list[int]]:
    """Return the canonical rows, all groups side by side."""
    picks = packings.problem.picks
    rows = packings.canonical().rows
    return np.hstack(rows).tolist() if picks else [[]] * len(packings)


def brute_force(problem: Problem) -> tuple[list[list[int]], int]:
    """Find rows and solutions from the definition: as many letters together as one by one."""
    groups = [group.masks.tolist() for group in problem.groups]
    ways = [
        itertools.combinations(range(len(masks)), group.count)
        for masks, group in zip(groups, problem.groups, strict=True)
    ]
    rows, solutions = [], 0
    for choice in itertools.product(*ways):
        picked = [(g, i) for g, indices in enumerate(choice) for i in indices]
        letters = [b for g, i in picked for b in range(64) if groups[g][i] >> b & 1]
        if len(letters) == len(set(letters)):
            rows.append([i for _, i in picked])
            solutions += math.prod(int(problem.groups[g].weights[i]) for g, i in picked)
    return sorted(rows), solutions


@settings(shared, max_examples=300)
@given(problems())
def test_the_oracle_finds_what_the_definition_says(problem: Problem) -> None:
    rows, solutions = brute_force(problem)
    found = oracle(problem)
    assert table(found) == rows
    assert found.solutions() == solutions


@shared
@given(problem=problems() | sixes())
def test_listing_is_the_oracles(backend: Row, problem: Problem) -> None:
    """Same rows and digest, also when run again and when counters are asked for."""
    ours = search(backend, problem)
    if ours is None:
        return
    known = oracle(problem)
    first, second = listing(ours.run()), listing(ours.run())
    third = listing(ours.run(work=True))
    assert table(first) == table(second) == table(third) == table(known)
    assert first.digest() == second.digest() == third.digest() == known.digest()
    assert first.work == second.work == {}
    assert all(type(count) is int and count >= 0 for count in third.work.values())


@shared
@given(problem=problems() | sixes())
def test_count_only_counts_what_listing_lists(backend: Row, problem: Problem) -> None:
    """Packings and weighted solutions, with the counters of a listing run where there is one."""
    counting = search(backend, problem, Options(count_only=True))
    if counting is None:
        return
    known = oracle(problem)
    assert counting.run() == counting.run() == Counts(len(known), known.solutions())
    ours = search(backend, problem)
    assert (ours is None) == backend.counts_only
    again = counting.run(work=True) if ours is None else ours.run(work=True)
    assert counting.run(work=True) == replace(known.counts(), work=again.work)


@shared
@given(problem=problems() | sixes(), most=st.integers(1, 5))
def test_parts_are_the_whole_in_bounded_pieces(backend: Row, problem: Problem, most: int) -> None:
    """Each part has 1 to `most` rows; together they are the answer, each row once."""
    ours = search(backend, problem)
    if ours is None:
        return
    for _ in range(2):
        parts = list(ours.parts(most))
        assert all(1 <= len(part) <= most for part in parts)
        assert all(
            part.rows[g].shape[0] == len(part) for part in parts for g in range(len(part.rows))
        )
        assert table(listing(concatenate(problem, parts))) == table(oracle(problem))


def regular(seed: int, letters: int, size: int, *groups: tuple[int, int]) -> Problem:
    """Make groups of n masks of `size` letters each, of which `count` are to be picked."""
    random = np.random.default_rng(seed)
    dtype = np.uint32 if letters <= 32 else np.uint64
    made = []
    for n, count in groups:
        masks = [
            sum(1 << int(b) for b in random.choice(letters, size, replace=False)) for _ in range(n)
        ]
        made.append(Group(np.array(masks, dtype), count, random.integers(1, 4, n)))
    return Problem(tuple(made), letters)


SIXES_ONLY = "partitioned_triples"
ONE_GROUP = [
    row for row in registry.of_workload("packing") if row.name != SIXES_ONLY and not row.counts_only
]


def check_regular(row: Row, letters: int, size: int, *groups: tuple[int, int]) -> None:
    """Assert that the backend accepts five such problems and finds what the oracle finds."""
    some = 0
    for seed in range(5):
        problem = regular(seed, letters, size, *groups)
        ours = search(row, problem)
        assert ours is not None
        assert row.load().accepts(problem, Options()) is None
        found = listing(ours.run())
        assert table(found) == table(oracle(problem))
        some += len(found)
    assert some > 20


@pytest.mark.parametrize("row", ONE_GROUP, ids=[row.name for row in ONE_GROUP])
@pytest.mark.parametrize(("letters", "size"), [(5, 1), (8, 2), (26, 5), (32, 6), (33, 7), (64, 9)])
def test_all_others_take_one_group_of_equal_sizes(row: Row, letters: int, size: int) -> None:
    """The problem of the published programs: none may refuse it, so nothing above is vacuous."""
    check_regular(row, letters, size, (25, 3))


@pytest.mark.parametrize(("letters", "size"), [(12, 1), (26, 2), (32, 2), (33, 2), (64, 3)])
def test_one_and_six_of_equal_sizes(letters: int, size: int) -> None:
    """The shape that partitioned triples are for."""
    check_regular(registry.row(SIXES_ONLY), letters, size, (5, 1), (14, 6))


@honouring("slice")
@shared
@given(
    problem=problems(groups=1) | sixes(),
    cuts=st.lists(st.integers(0, 14), min_size=1, max_size=3),
)
def test_slices_together_are_the_whole(row: Row, problem: Problem, cuts: list[int]) -> None:
    """Wherever the root's branches are cut, each packing is in one slice."""
    edges = [0, *sorted(cuts), 1 << 40]
    parts, counts = [], []
    for first, last in itertools.pairwise(edges):
        ours = search(row, problem, Options(slice=(first, last)))
        counting = search(row, problem, Options(slice=(first, last), count_only=True))
        if ours is None or counting is None:
            return
        parts.append(listing(ours.run()))
        counts.append(counting.run())
        assert parts[-1].counts() == counts[-1]
        assert table(listing(concatenate(problem, list(ours.parts(2))))) == table(parts[-1])
    assert table(listing(concatenate(problem, parts))) == table(oracle(problem))


@honouring("threads", "chunk", "max_buffer")
@shared
@given(
    problem=problems(groups=1) | sixes(),
    threads=st.integers(1, usable_cores() + 2),
    chunk=st.integers(1, 12),
    max_buffer=st.integers(1, 3),
)
def test_answer_and_counters_do_not_depend_on_options(
    row: Row, problem: Problem, threads: int, chunk: int, max_buffer: int
) -> None:
    """Threads, chunks and small buffers change neither the rows nor the counters."""
    every = {"threads": threads, "chunk": chunk, "max_buffer": max_buffer}
    options = Options(**{name: value for name, value in every.items() if name in row.options})
    if row.counts_only:
        plain = search(row, problem, Options(count_only=True))
        ours = search(row, problem, replace(options, count_only=True))
        if plain is not None and ours is not None:
            assert ours.run(work=True) == plain.run(work=True)
            assert ours.run() == oracle(problem).counts()
        return
    plain = search(row, problem)
    ours = search(row, problem, options)
    counting = search(row, problem, replace(options, count_only=True))
    if plain is None or ours is None or counting is None:
        return
    expected, found = plain.run(work=True), listing(ours.run(work=True))
    assert table(found) == table(oracle(problem))
    assert found.counts() == counting.run(work=True)
    # an asked-for chunk size adds what each chunk found, which sums up to all
    chunks = {name for name in found.work if name.startswith("chunk_")}
    if "chunk" in row.options:
        assert sum(found.work[name] for name in chunks) == len(found)
    rest = {name: n for name, n in found.work.items() if name not in chunks}
    assert replace(found.counts(), work=rest) == expected.counts()
