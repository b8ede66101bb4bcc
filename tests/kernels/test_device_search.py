"""The search on devices: known answers, and every way in which memory can run short."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import needs
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.narrow import SHAPES, opened
from sample_problems import problems, regular, shared
from search_answers import listing, table
from wordpack.backend import registry
from wordpack.backend.base import Options
from wordpack.errors import InputError
from wordpack.kernels.device.device_search import DeviceSearch
from wordpack.kernels.device.levels import ALL, Slice, text
from wordpack.kernels.device.structs import DEFINES, NODE, PLAN, SUM
from wordpack.kernels.search.bitset_rows import BitsetRows, WholeRows
from wordpack.kernels.search.planner import choose
from wordpack.packing.answer import Counts, Packings, concatenate
from wordpack.packing.problem import Group, Problem
from wordpack.solving.instances import instance
from wordpack.solving.loading import load

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _device() -> None:
    needs("opencl")


def searched(problem: Problem, shape: str, options: Options, widest: int | None) -> DeviceSearch:
    return DeviceSearch(problem, options, choose(problem), opened(shape), widest)


def compiled(problem: Problem) -> WholeRows | None:
    """Return the CPU's search; None if there is nothing to search."""
    search = BitsetRows().prepare(problem, Options(threads=1))
    return search if isinstance(search, WholeRows) else None


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["parker", "wordle", "wrong-wordle", "4x6"])
def test_known_instances(name: str, shape: str) -> None:
    """Counts and digest match two other programs, nodes match the CPU search."""
    known = instance(name)
    problem, expected = load(known.spec).problem, known.expected
    assert expected is not None
    other = compiled(problem)
    assert other is not None
    found = listing(searched(problem, shape, Options(), None).run(work=True))
    assert (len(found), found.solutions()) == (expected.packings, expected.solutions)
    assert expected.digest in {None, found.digest()}
    assert found.work == other.run(work=True).work
    counting = searched(problem, shape, Options(count_only=True), None)
    assert counting.run(work=True) == found.counts()
    assert counting.run() == Counts(expected.packings, expected.solutions)


def test_a_family_of_millions_is_counted_in_slices() -> None:
    """The levels of 6x4 exceed a CPU's caches; the count is that of two counters."""
    known = instance("6x4")
    assert known.expected is not None
    problem = load(known.spec).problem
    search = registry.row("opencl").load().prepare(problem, Options(count_only=True))
    assert isinstance(search, DeviceSearch)
    assert search.run() == Counts(known.expected.packings, known.expected.solutions)


@pytest.mark.parametrize("shape", SHAPES)
@settings(shared, max_examples=60)
@given(problem=problems, widest=st.integers(1, 6), buffer=st.integers(1, 6), more=st.data())
def test_tiny_frontiers_and_buffers_lose_nothing(
    shape: str, problem: Problem, widest: int, buffer: int, more: st.DataObject
) -> None:
    """Rows and counters are the same, listed, counted and in parts, with almost no room."""
    other = compiled(problem)
    if other is None:
        return
    known = listing(other.run(work=True))
    if len(known) > 100:  # at worst, each packing needs its own launch
        return
    search = searched(problem, shape, Options(max_buffer=buffer), widest)
    found = listing(search.run(work=True))
    assert table(found) == table(listing(search.run())) == table(known)
    assert found.work == known.work
    most = more.draw(st.integers(1, 5))
    parts = list(search.parts(most))
    assert all(1 <= len(part) <= most for part in parts)
    assert table(listing(concatenate(problem, parts))) == table(known)
    counting = searched(problem, shape, Options(count_only=True), widest)
    assert counting.run(work=True) == known.counts()


@pytest.mark.parametrize("shape", SHAPES)
def test_slices_and_regrowth_happen(shape: str) -> None:
    """A problem with hundreds of packings and almost no room needs both."""
    problem = regular(5, 26, 3, (40, 3))
    other = compiled(problem)
    assert other is not None
    search = searched(problem, shape, Options(max_buffer=3), 4)
    found, known = listing(search.run(work=True)), listing(other.run(work=True))
    assert (table(found), found.work) == (table(known), known.work)
    assert len(known) > 100
    assert search.levels.launched > 10
    assert search.levels.grown > 0


@pytest.mark.parametrize("widest", [None, 1, 100])
def test_one_node_with_more_children_than_room_is_cut_by_its_words(widest: int | None) -> None:
    """Words without letters give one node children in many blocks."""
    empty = Group(np.zeros(700, np.uint32), 2, np.ones(700, np.int64))
    search = searched(Problem((empty,), 3), "cpu", Options(count_only=True), widest)
    assert search.run() == Counts(700 * 699 // 2, 700 * 699 // 2)


def test_a_level_that_was_expected_smaller_grows_once() -> None:
    """The first run finds out, and the second has room."""
    problem = regular(3, 26, 2, (300, 3))
    planned = choose(problem)
    planned.nodes[:] = 0
    search = DeviceSearch(problem, Options(count_only=True), planned, opened("cpu"))
    first, grown, launched = search.run(), search.levels.grown, search.levels.launched
    assert grown > 0
    assert search.run() == first
    assert (search.levels.grown, search.levels.launched) == (grown, launched + 1)


@pytest.mark.parametrize("weight", [1 << 20, 1 << 21, 1 << 22])
def test_solutions_beyond_64_bits_are_counted_exactly(weight: int) -> None:
    """560 choices of three words of 16; the weights' product has 60, 63 or 66 bits."""
    weights = np.full(16, weight, np.int64)
    masks = np.array([1 << letter for letter in range(16)], np.uint32)
    problem = Problem((Group(masks, 3, weights),), 16)
    for shape in SHAPES:
        search = searched(problem, shape, Options(count_only=True), None)
        assert search.run() == Counts(560, 560 * weight**3)


@pytest.mark.parametrize("letters", [33, 63, 64])
def test_wide_alphabets(letters: int) -> None:
    """Every letter is a word, and any three make a packing, including the last letter."""
    masks = np.array([1 << bit for bit in range(letters)], np.uint64)
    problem = Problem((Group(masks, 3, np.ones(letters, np.int64)),), letters)
    for shape in SHAPES:
        found = listing(searched(problem, shape, Options(), None).run())
        assert len(found) == letters * (letters - 1) * (letters - 2) // 6


@pytest.mark.parametrize("room", [5_000, 50_000, 500_000])
def test_a_device_with_little_memory_searches_in_slices(
    monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    """With this many bytes beside the tables, buffers shrink and the answer stays."""
    problem = regular(5, 26, 3, (120, 3))
    whole = searched(problem, "cpu", Options(), None)
    known, device = listing(whole.run()), opened("cpu")
    tables = sum(buffer.nbytes for buffer in whole.levels.tables_uploaded)
    assert len(known) * 12 > 50_000
    monkeypatch.setattr(device, "room", device.taken() + tables + room)
    narrow = searched(problem, "cpu", Options(), None)
    assert listing(narrow.run()).digest() == known.digest()
    assert narrow.levels.launched > whole.levels.launched


def test_a_device_without_memory_is_one_line_with_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, device = regular(5, 26, 3, (120, 3)), opened("cpu")
    monkeypatch.setattr(device, "room", device.taken() + 100)
    with pytest.raises(InputError, match=r"has no room .* [\d,]+ bytes .* and 100 are free"):
        searched(problem, "cpu", Options(), None)


def test_an_interrupted_run_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-C while the host waits, the same search runs again."""
    problem = regular(7, 26, 2, (60, 4))
    search = searched(problem, "cpu", Options(), 50)
    known, device = search.run(work=True), opened("cpu")
    assert search.levels.launched > 3
    read, calls = device.read, Counter[str]()

    def interrupted(*arguments: object) -> None:
        calls["read"] += 1
        if calls["read"] == 3:
            raise KeyboardInterrupt
        read(*arguments)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr(device, "read", interrupted)
    with pytest.raises(KeyboardInterrupt):
        search.run()
    monkeypatch.undo()
    again = search.run(work=True)
    assert table(listing(again)) == table(listing(known))
    assert again.work == known.work


def test_growth_that_was_interrupted_is_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C during growth leaves an empty buffer, which no run may write to."""
    problem = regular(3, 26, 2, (300, 3))
    planned = choose(problem)
    planned.nodes[:] = 0
    device = opened("cpu")
    search = DeviceSearch(problem, Options(count_only=True), planned, device)
    finish = device.finish

    def interrupted() -> None:
        finish()
        raise KeyboardInterrupt

    monkeypatch.setattr(device, "finish", interrupted)
    with pytest.raises(KeyboardInterrupt):
        search.run()
    monkeypatch.undo()
    other = compiled(problem)
    assert other is not None
    assert search.run() == listing(other.run()).counts()


def test_two_threads_may_run_one_search() -> None:
    """They run one after the other: the device's buffers belong to one run at a time."""
    known = instance("parker")
    assert known.expected is not None
    problem, expected = load(known.spec).problem, known.expected
    for counting in (False, True):
        search = searched(problem, "cpu", Options(count_only=counting), None)
        with ThreadPoolExecutor(2) as pool:
            for answer in [pool.submit(search.run) for _ in range(30)]:
                found = answer.result()
                if isinstance(found, Packings):
                    assert found.digest() == expected.digest
                else:
                    assert found == Counts(expected.packings, expected.solutions)


@pytest.mark.parametrize("backend", ["cuda", "opencl"])
def test_more_words_than_a_node_can_count_are_refused_by_shape(backend: str) -> None:
    empty = Group(np.zeros(1 << 15, np.uint32), 1 << 15, np.ones(1 << 15, np.int64))
    refusal = registry.row(backend).load().accepts(Problem((empty,), 1), Options())
    assert refusal is not None
    assert refusal.kind == "shape"


def test_parts_that_another_run_has_overtaken_say_so() -> None:
    """They would continue from another run's nodes."""
    problem = regular(7, 26, 2, (60, 4))
    search = searched(problem, "cpu", Options(), 50)
    parts = search.parts(1000)
    assert len(next(parts)) > 0
    search.run()
    with pytest.raises(RuntimeError, match="another run"):
        next(parts)
    assert sum(map(len, search.parts(1000))) == len(listing(search.run()))


SIZES = """
KERNEL void sizes(GLOBAL int *found)
{
    found[0] = sizeof(Plan);
    found[1] = sizeof(Node);
    found[2] = sizeof(Card);
    found[3] = sizeof(Sum);
}
"""


def test_the_host_and_the_device_agree_on_sizes() -> None:
    """Every struct has the same size on both; a card is a row of four numbers."""
    device = opened("cpu")
    program = device.compile(text() + SIZES, DEFINES | {"SPAN": 8})
    found = np.zeros(4, np.int32)
    buffer = device.upload(found)
    program.launch("sizes", 1, buffer)
    device.read(buffer, found)
    assert found.tolist() == [PLAN.itemsize, NODE.itemsize, 32, SUM.itemsize]


@given(
    first=st.integers(0, 50), many=st.integers(2, 50), parts=st.integers(2, 60), one=st.booleans()
)
def test_a_cut_slice_is_the_same_nodes_and_words(
    first: int, many: int, parts: int, one: bool
) -> None:
    """The pieces have no gap and no overlap, and none is empty."""
    last = first + many
    whole = Slice(2, first, first + 1, 3, 3 + many) if one else Slice(2, first, last, 0, ALL)
    pieces = whole.cut(parts)
    assert 2 <= len(pieces) == min(parts, many)
    edges = [(p.low, p.high) if one else (p.begin, p.end) for p in pieces]
    assert edges[0][0] == (3 if one else first)
    assert edges[-1][1] == (3 + many if one else last)
    assert all(low < high for low, high in edges)
    assert [low for low, _ in edges[1:]] == [high for _, high in edges[:-1]]
