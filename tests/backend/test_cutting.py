"""Slices of a search: together they are the whole search, wherever they are made and run."""

import pickle
import subprocess
import sys
from collections import Counter
from concurrent.futures import wait
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handmade import problem as made
from sample_problems import KNOWN, ODD, named, problems, regular, shared
from search_answers import cut_of, same_rows
from wordpack.backend.base import Options
from wordpack.backend.cutting import Slices
from wordpack.kernels.search import planner, slicing
from wordpack.kernels.search.bitset_rows import BitsetRows, SliceRows
from wordpack.kernels.search.expand import root
from wordpack.kernels.search.frontier import expanded
from wordpack.packing.answer import Counts, Packings, concatenate, verify
from wordpack.packing.problem import Group, Problem
from wordpack.solving.instances import instance

pytestmark = pytest.mark.slow


def check(problem: Problem, slices: int, rows: int = 100, **options: int) -> Slices:
    """Assert that slices together have the rows of the whole search, in order, and its counts."""
    cut = cut_of(problem, slices)
    shipped = pickle.loads(pickle.dumps(cut))  # noqa: S301  it was pickled here
    whole = BitsetRows().prepare(problem, Options()).run(work=True)
    assert isinstance(whole, Packings)
    verify(whole)
    found, work, counted = [], Counter(cut.work), Counts(0, 0, Counter(cut.work))
    for i in range(len(cut)):
        search = BitsetRows().prepare_slice(problem, Options(**options), shipped, i)
        some = search.run(work=True)
        assert isinstance(some, Packings)
        found.append(some)
        work.update(some.work)
        parts = list(search.parts(rows))
        assert all(1 <= len(part) <= rows for part in parts)
        assert same_rows(concatenate(problem, parts), some)
        counting = (
            BitsetRows()
            .prepare_slice(problem, Options(count_only=True, **options), shipped, i)
            .run(work=True)
        )
        assert counting == some.counts()
        counted = Counts(
            counted.packings + counting.packings, counted.solutions + counting.solutions
        )
    assert same_rows(concatenate(problem, found), whole)
    assert dict(work) == whole.work
    assert counted == Counts(len(whole), whole.solutions())
    return cut


@pytest.mark.parametrize("slices", [1, 2, 7, 1000])
@pytest.mark.parametrize("name", [*KNOWN, "1x5", "2x9", "3x7", "3x8", "4x6"])
def test_known_instances(name: str, slices: int) -> None:
    """Rows, counts and counters are those of the whole search; the digest is the known one."""
    problem, known = named(name), instance(name).expected
    cut = check(problem, slices, rows=100_000)
    if slices in {2, 7} and name in {"parker", "wordle", "wrong-wordle"}:
        assert len(cut) == slices
    found = [BitsetRows().prepare_slice(problem, Options(), cut, i).run() for i in range(len(cut))]
    listed = concatenate(problem, [some for some in found if isinstance(some, Packings)])
    assert known is not None
    assert (len(listed), listed.solutions()) == (known.packings, known.solutions)
    assert known.digest in {None, listed.digest()}


@settings(shared, max_examples=150)
@given(
    problem=problems,
    slices=st.sampled_from([1, 2, 3, 7, 1000]),
    rows=st.integers(1, 5),
    threads=st.integers(1, 3),
    buffer=st.integers(1, 6),
)
def test_random_problems_of_all_shapes(
    problem: Problem, slices: int, rows: int, threads: int, buffer: int
) -> None:
    """Mixed groups, shared masks, empty masks, groups of count 0, 1 to 64 letters."""
    check(problem, slices, rows, threads=threads, max_buffer=buffer)


@pytest.mark.parametrize("slices", [1, 2, 7, 1000])
@pytest.mark.parametrize("what", ODD)
def test_odd_problems(what: str, slices: int) -> None:
    """Edge cases with little or nothing to search."""
    check(ODD[what], slices, threads=2)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("slices", [3, 50, 1000])
def test_threads_and_small_buffers_share_a_slice(threads: int, slices: int) -> None:
    """Thousands of packings, in a buffer of seven."""
    problem = regular(3, 12, 2, (15, 1), (40, 4))
    cut = check(problem, slices, rows=50, threads=threads, max_buffer=7)
    assert len(cut) > min(slices, 100) / 2
    assert sum(cut.packings) > 3000


@pytest.mark.parametrize("letters", [33, 64])
def test_wide_alphabets(letters: int) -> None:
    """Every letter alone is a word: choose any three."""
    masks = np.array([1 << bit for bit in range(letters)], np.uint64)
    problem = Problem((Group(masks, 3, np.ones(letters, np.int64)),), letters)
    check(problem, 20, rows=500)


@pytest.mark.parametrize("weight", [1 << 20, 1 << 31, (1 << 62) + 1])
def test_solutions_beyond_64_bits(weight: int) -> None:
    """There are 560 packings of three words, each with many realizations."""
    masks = np.array([1 << letter for letter in range(16)], np.uint32)
    problem = Problem((Group(masks, 3, np.full(16, weight, np.int64)),), 16)
    cut = check(problem, 7)
    assert sum(cut.packings) == 560  # every word has as many followers as its neighbour's estimate


@pytest.mark.parametrize(("most", "depths"), [(1, {0}), (40, {1}), (10**6, {2, 3})])
def test_any_frontier_will_do(monkeypatch: pytest.MonkeyPatch, most: int, depths: set[int]) -> None:
    """The root if even its words are too many, its words, or a deeper frontier than needed."""
    monkeypatch.setattr(slicing, "MANY", most)
    monkeypatch.setattr(slicing, "NODES", 50)
    assert check(regular(3, 26, 2, (40, 4)), 13).depth in depths


@pytest.mark.parametrize("name", ["parker", "wordle", "wrong-wordle", "4x6"])
def test_a_frontier_has_as_many_nodes_as_the_search_meets(name: str) -> None:
    """At every depth, with dead ends counted."""
    problem = named(name)
    work = BitsetRows().prepare(problem, Options()).run(work=True).work
    planned = planner.choose(problem)
    nodes = root(planned.files)
    for depth in range(problem.picks):
        level = expanded(planned.files, nodes, 10**6)
        assert level is not None
        assert len(level) == work[f"nodes_{depth + 1}"]
        assert expanded(planned.files, nodes, len(level) - 1) is None
        nodes = level


@pytest.mark.parametrize(("name", "slices", "most"), [("4x5", 64, 3), ("wrong-wordle", 100, 2)])
def test_slices_are_of_like_size(name: str, slices: int, most: float) -> None:
    """The largest slice has at most `most` times the mean nodes; the estimates add up."""
    problem, counting = named(name), Options(count_only=True)
    cut = cut_of(problem, slices, count_only=True)
    assert len(cut) == slices
    nodes, packings = [], []
    for i in range(slices):
        found = BitsetRows().prepare_slice(problem, counting, cut, i).run(work=True)
        assert isinstance(found, Counts)
        nodes.append(sum(found.work.values()))
        packings.append(found.packings)
    assert max(nodes) <= most * sum(nodes) / slices
    assert max(cut.nodes) <= 2 * sum(cut.nodes) / slices
    assert sum(cut.nodes) == pytest.approx(sum(nodes), rel=0.05)
    assert sum(cut.packings) == pytest.approx(sum(packings), rel=0.05)
    known = instance(name).expected
    assert known is not None
    assert sum(packings) == known.packings


def test_listing_makes_slices_of_many_packings_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    """Listing a packing costs more than counting it."""
    monkeypatch.setattr(slicing, "FEW", 50_000)
    monkeypatch.setattr(slicing, "NODES", 1000)
    problem = named("wrong-wordle")
    listing, counting = cut_of(problem, 30), cut_of(problem, 30, count_only=True)
    assert listing.bounds[-1] == counting.bounds[-1] > 30_000
    # each of the two cuts spreads its own cost more evenly
    for one, other, listed in ((listing, counting, 1), (counting, listing, 0)):
        costs = [np.array(cut.nodes) + listed * np.array(cut.packings) for cut in (one, other)]
        assert np.std(costs[0]) < np.std(costs[1])


IDENTITY = """
import pickle, sys
from wordpack.backend.base import Options
from wordpack.solving.instances import instance
from wordpack.kernels.search.bitset_rows import BitsetRows
from wordpack.solving.loading import load
cut = pickle.load(open(sys.argv[1], "rb"))
problem = load(instance("parker").spec).problem
print(cut.identity(), BitsetRows().cut(problem, Options(), 20).identity())
print(sum(len(BitsetRows().prepare_slice(problem, Options(), cut, i).run()) for i in range(20)))
"""


def test_another_process_has_the_same_cut(tmp_path: Path) -> None:
    """A cut sent there equals a cut made there, and its slices find all packings there."""
    cut = cut_of(named("parker"), 20)
    path = tmp_path / "cut"
    path.write_bytes(pickle.dumps(cut))
    command = [sys.executable, "-c", IDENTITY, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [cut.identity(), cut.identity(), "538"]


def test_other_cuts_have_other_identities() -> None:
    """Another problem, another number of slices, one word less."""
    whole = named("wordle").groups[0]
    less = Group(whole.masks[1:], whole.count, whole.weights[1:])
    cuts = [cut_of(named(name), 20) for name in ("parker", "wordle", "toy")]
    cuts += [cut_of(named("parker"), 21), cut_of(Problem((less,), 26), 20), cut_of(made(), 1)]
    assert len({cut.identity() for cut in cuts}) == len(cuts)
    assert cut_of(named("parker"), 20).identity() == cuts[0].identity()


def test_slices_are_not_planned_again(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = named("parker")
    cuts = [cut_of(problem, slices) for slices in (1, 5)]

    def planned(*_: object) -> None:
        raise AssertionError("a slice was planned")

    monkeypatch.setattr(planner, "Planned", planned)
    monkeypatch.setattr("wordpack.kernels.search.bitset_rows.choose", planned)
    for cut in cuts:
        for i in range(len(cut)):
            BitsetRows().prepare_slice(problem, Options(), cut, i).run()


def test_what_cannot_be_cut_is_an_error() -> None:
    problem = named("toy")
    with pytest.raises(ValueError, match="at least 1 slice"):
        BitsetRows().cut(problem, Options(), 0)
    cut = cut_of(problem, 3)
    for i in (-1, len(cut)):
        with pytest.raises(IndexError, match=f"slice {i} of {len(cut)}"):
            BitsetRows().prepare_slice(problem, Options(), cut, i)


def test_progress_and_stopping() -> None:
    """Progress grows from 0 to 1, and a slice stops when told to."""
    problem = regular(7, 26, 2, (400, 4))
    cut = cut_of(problem, 4)
    search = BitsetRows().prepare_slice(problem, Options(count_only=True, threads=2), cut, 1)
    assert isinstance(search, SliceRows)
    assert search.progress() == 0
    whole = search.run()
    assert search.progress() == 1
    tally = search._tally(listing=False)
    wait(search._share(search._branches, tally, np.ones(1, np.int64)))
    assert isinstance(whole, Counts)
    assert tally.packings < whole.packings / 100
