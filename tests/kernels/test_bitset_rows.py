"""The planned search: known answers, the order of its rows, and how threads share the tree."""

from concurrent.futures import wait

import numpy as np
import pytest

from handmade import problem as made
from sample_problems import KNOWN, regular
from search_answers import same_rows
from wordpack.backend.base import Options
from wordpack.kernels.search import work_sharing as thread_subtrees
from wordpack.kernels.search.bitset_rows import BitsetRows, WholeRows
from wordpack.kernels.search.planner import choose
from wordpack.packing.answer import Counts, Packings, concatenate, verify
from wordpack.packing.problem import Group, Problem
from wordpack.solving.instances import INSTANCES
from wordpack.solving.loading import load

pytestmark = pytest.mark.slow


def run(problem: Problem, **options: int) -> Packings:
    found = BitsetRows().prepare(problem, Options(**options)).run()
    assert isinstance(found, Packings)
    return found


@pytest.mark.parametrize("name", KNOWN)
def test_every_known_instance(name: str) -> None:
    """Counts and digest match those of two other programs."""
    known = INSTANCES[name].expected
    assert known is not None
    found = run(load(INSTANCES[name].spec).problem)
    verify(found)
    assert (len(found), found.solutions()) == (known.packings, known.solutions)
    assert found.digest() == known.digest


@pytest.mark.parametrize("subtrees", [1, 50, 10**9])
@pytest.mark.parametrize(("size", "buffer", "draws"), [(18, 1, 2), (18, 7, 3), (60, 40, 4)])
def test_rows_stand_in_one_order_however_they_are_found(
    monkeypatch: pytest.MonkeyPatch, subtrees: int, size: int, buffer: int, draws: int
) -> None:
    """Rows come in the same order for any threads, split depth, full buffers or full notes."""
    problem = regular(3, 12, 2, (15, 1), (size, 4))
    plain = run(problem, threads=1)
    assert len(plain) > (20_000 if size == 60 else 100)
    monkeypatch.setattr("wordpack.kernels.search.bitset_rows.SUBTREES", subtrees)
    monkeypatch.setattr(thread_subtrees, "DRAWS", draws)
    for threads in (1, 2, 3):
        found = run(problem, threads=threads, max_buffer=buffer)
        verify(found)
        assert same_rows(found, plain)
        search = BitsetRows().prepare(problem, Options(threads=threads, max_buffer=buffer))
        parts = list(search.parts(100))
        assert all(len(part) <= 100 for part in parts)
        assert same_rows(concatenate(problem, parts), plain)


def test_threads_share_one_first_words_subtree() -> None:
    """Every packing has its group's only word, so threads must share that word's subtree."""
    problem = regular(5, 16, 2, (1, 1), (60, 4))
    search = BitsetRows().prepare(problem, Options(threads=2))
    assert isinstance(search, WholeRows)
    assert search._split >= 2
    assert len(run(problem, threads=2)) == len(run(problem, threads=1)) > 1000


@pytest.mark.parametrize("letters", [33, 40, 63, 64])
def test_wide_alphabets(letters: int) -> None:
    """Every letter is a word, and any three make a packing, including the last letter."""
    masks = np.array([1 << bit for bit in range(letters)], np.uint64)
    found = run(Problem((Group(masks, 3, np.ones(letters, np.int64)),), letters))
    verify(found)
    assert len(found) == letters * (letters - 1) * (letters - 2) // 6


def test_more_groups_than_a_number_can_count_are_refused_by_shape() -> None:
    many = made(*[([1 << g % 5], 1) for g in range(33)])
    refusal = BitsetRows().accepts(many, Options())
    assert refusal is not None
    assert refusal.kind == "shape"
    most = made(*[([1 << g], 1) for g in range(32)], letters=32)
    assert BitsetRows().accepts(most, Options()) is None
    assert len(run(most)) == 1


def test_words_that_leave_no_room_for_cuts_are_searched_without() -> None:
    """Thirty groups fill 60 of 64 bits: the cuts are dropped, the answer is the same."""
    masks = [1 << letter for letter in range(30)]
    groups = [([masks[g], masks[(g + 1) % 30]], 1) for g in range(30)]
    problem = made(*groups, letters=30)
    assert len(choose(problem).plan.cuts) < 2
    found = run(problem)
    verify(found)
    assert len(found) == 2  # every group takes its first letter, or every group its second


@pytest.mark.parametrize("words", [63, 64, 65, 130, 600, 1100])
def test_words_without_letters_fill_many_numbers(words: int) -> None:
    """Any two make a packing: each pair comes once, whichever blocks and numbers hold them."""
    empty = Group(np.zeros(words, np.uint32), 2, np.ones(words, np.int64))
    found = run(Problem((empty,), 3))
    verify(found)
    assert len(found) == words * (words - 1) // 2


def test_one_word_is_searched_by_one_thread() -> None:
    """There is nothing to share, and the device's name says one thread."""
    problem = made(([1, 2, 4, 8], 1), letters=4)
    search = BitsetRows().prepare(problem, Options(threads=3, count_only=True))
    assert search.device == "cpu, 1 thread"
    assert search.run() == Counts(4, 4)


@pytest.mark.parametrize("count", [2, 3])
def test_progress_and_stopping_reach_searches_of_few_words(count: int) -> None:
    """The last two words have a loop of their own, which must not hide the first."""
    problem = regular(7, 26, 2, (2000, count))
    search = BitsetRows().prepare(problem, Options(count_only=True))
    assert isinstance(search, WholeRows)
    assert search.progress() == 0
    whole = search.run()
    assert search.progress() > 0.5
    stopped = np.ones(1, np.int64)
    tally = search._tally(listing=False)
    wait(search._share(range(2000), tally, stopped))
    assert isinstance(whole, Counts)
    assert tally.packings < whole.packings / 100


def test_what_a_cut_proves_empty_is_not_searched() -> None:
    """Three words that all need one of two letters."""
    masks = [a | b for a in (1, 2) for b in (4, 8, 16, 32)]
    search = BitsetRows().prepare(made((masks, 3), letters=6), Options())
    assert not isinstance(search, WholeRows)
    assert len(run(made((masks, 3), letters=6))) == 0
