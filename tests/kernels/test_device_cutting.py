"""Slices of a cut search on devices match the processor's, node for node."""

import pickle
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from conftest import needs
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.narrow import SHAPES, opened
from sample_problems import ODD, named, problems, regular, shared
from search_answers import cut_of, listing, table
from wordpack.backend import registry
from wordpack.backend.base import Options, Search
from wordpack.backend.cutting import Slices
from wordpack.kernels.device.device_search import DeviceSearch, start_of
from wordpack.kernels.search.bitset_rows import BitsetRows
from wordpack.packing.answer import Counts, concatenate
from wordpack.packing.problem import Group, Problem
from wordpack.solving.instances import instance

pytestmark = pytest.mark.slow

HOSTS = ("cuda", "opencl")


def sliced(
    problem: Problem,
    shape: str,
    options: Options,
    cut: Slices,
    i: int,
    widest: int | None = None,
) -> Search:
    """Prepare a slice on a device of this shape, as prepare_slice does on its own device."""
    if cut.plan is None:
        return BitsetRows().prepare_slice(problem, options, cut, i)
    device, start = opened(shape), start_of(cut, i)
    return DeviceSearch(problem, options, cut.plan.planned, device, widest, start)


def check(problem: Problem, slices: int, prepare: Callable[[Options, Slices, int], Search]) -> None:
    """Assert that each slice matches the processor's, and all of them together the whole."""
    cut = pickle.loads(pickle.dumps(cut_of(problem, slices)))  # noqa: S301  pickled right here
    whole, found = BitsetRows().prepare(problem, Options()).run(work=True), []
    work = Counter(cut.work)
    for i in range(len(cut)):
        search = prepare(Options(), cut, i)
        known = listing(BitsetRows().prepare_slice(problem, Options(), cut, i).run(work=True))
        some = listing(search.run(work=True))
        assert (table(some), some.work) == (table(known), known.work)
        parts = list(search.parts(3))
        assert all(1 <= len(part) <= 3 for part in parts)
        assert table(listing(concatenate(problem, parts))) == table(known)
        counting = prepare(Options(count_only=True), cut, i)
        assert counting.run(work=True) == known.counts()
        assert counting.run() == Counts(len(known), known.solutions())
        found.append(some)
        work.update(some.work)
    assert listing(concatenate(problem, found)).digest() == listing(whole).digest()
    assert dict(work) == whole.work


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("name", ["toy", "both", "wordle", "4x6"])
def test_small_instances(host: str, name: str) -> None:
    """The backend's own functions make the same slices as the processor's."""
    problem, backend = named(name), registry.row(host).load()
    check(problem, 5, lambda options, cut, i: backend.prepare_slice(problem, options, cut, i))
    own = backend.cut(problem, Options(), 5)
    assert own.identity() == cut_of(problem, 5).identity()


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize(("name", "slices"), [("parker", 20), ("wrong-wordle", 9)])
def test_large_instances(host: str, name: str, slices: int) -> None:
    """Counts, nodes and digest of all slices match the known ones."""
    problem, known, backend = named(name), instance(name).expected, registry.row(host).load()
    cut = backend.cut(problem, Options(), slices)
    whole = BitsetRows().prepare(problem, Options(count_only=True)).run(work=True)
    work, found = Counter(cut.work), []
    assert len(cut) == slices
    for i in range(slices):
        found.append(listing(backend.prepare_slice(problem, Options(), cut, i).run(work=True)))
        work.update(found[-1].work)
    everything = listing(concatenate(problem, found))
    assert known is not None
    assert (len(everything), everything.solutions()) == (known.packings, known.solutions)
    assert everything.digest() == known.digest
    assert dict(work) == whole.work


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("what", ODD)
def test_odd_problems(what: str, shape: str) -> None:
    """Problems with little or nothing to search."""
    needs("opencl")
    problem = ODD[what]
    check(problem, 7, lambda options, cut, i: sliced(problem, shape, options, cut, i))


@pytest.mark.parametrize("shape", SHAPES)
@settings(shared, max_examples=40)
@given(
    problem=problems,
    slices=st.sampled_from([1, 2, 5]),
    widest=st.none() | st.integers(1, 6),
)
def test_random_problems_with_little_room(
    shape: str, problem: Problem, slices: int, widest: int | None
) -> None:
    """All shapes, even if levels below the frontier have almost no room."""
    needs("opencl")
    whole = BitsetRows().prepare(problem, Options()).run()
    if len(listing(whole)) <= 100:  # at worst, each packing needs its own launch
        check(problem, slices, lambda *asked: sliced(problem, shape, *asked, widest=widest))


@pytest.mark.parametrize("shape", SHAPES)
def test_levels_below_the_frontier_grow(shape: str) -> None:
    """Levels grow if there are more nodes and rows than expected."""
    needs("opencl")
    problem = regular(5, 26, 3, (120, 4))
    cut = cut_of(problem, 3)
    assert cut.depth < 3
    planned = cut.plan.planned
    for i in range(3):
        start = start_of(cut, i)
        assert start is not None
        device, options = opened(shape), Options(max_buffer=3)
        narrow = DeviceSearch(problem, options, planned, device, 50, start)
        known = listing(BitsetRows().prepare_slice(problem, Options(), cut, i).run(work=True))
        found = listing(narrow.run(work=True))
        assert (table(found), found.work) == (table(known), known.work)
        assert narrow.levels.launched > 10
        assert narrow.levels.grown > 0


@pytest.mark.parametrize("weight", [1 << 20, 1 << 21, 1 << 22])
def test_solutions_beyond_64_bits(weight: int) -> None:
    """Three words of 16, whose weights' product has 60, 63 or 66 bits."""
    needs("opencl")
    masks = np.array([1 << letter for letter in range(16)], np.uint32)
    problem = Problem((Group(masks, 3, np.full(16, weight, np.int64)),), 16)
    check(problem, 4, lambda options, cut, i: sliced(problem, "gpu", options, cut, i))
