"""Many searches at once: each answer is that of the problem alone."""

import numpy as np
import pytest
from conftest import needs
from hypothesis import given, settings
from hypothesis import strategies as st

from sample_problems import problems, regular, shared
from search_answers import listing, oracle, table
from wordpack.backend.base import Options
from wordpack.errors import InputError
from wordpack.kernels.device import opencl, opencl_device
from wordpack.kernels.device.batch import BatchSearch
from wordpack.kernels.device.device import OutOfDeviceMemory
from wordpack.kernels.search import bitset_rows
from wordpack.packing.answer import Counts
from wordpack.packing.problem import Group, Problem
from wordpack.solving.instances import instance
from wordpack.solving.loading import load


@pytest.fixture(autouse=True)
def _device() -> None:
    needs("opencl")


def without(problem: Problem, letter: int) -> Problem:
    """Return `problem` without the words that have a letter."""
    groups = []
    for group in problem.groups:
        kept = group.masks >> np.uint32(letter) & np.uint32(1) == 0
        groups.append(Group(group.masks[kept], group.count, group.weights[kept]))
    return Problem(tuple(groups), problem.letters)


def test_the_alphabets_that_leave_a_letter_out() -> None:
    """The packings of parker, each of 25 letters, are those of the 26 alphabets of 25."""
    whole = load(instance("parker").spec).problem
    parts = [without(whole, letter) for letter in range(26)]
    found = [listing(each) for each in opencl.prepare_batch(parts, Options()).run()]
    for part, packings in zip(parts, found, strict=True):
        alone = listing(bitset_rows.prepare(part, Options()).run())
        assert packings.digest() == alone.digest()
    assert sum(map(len, found)) == 538
    assert sum(packings.solutions() for packings in found) == 831


def test_samples_of_a_list_are_counted_together() -> None:
    """A hundred samples, in a launch for each word and not for each sample."""
    random, whole = np.random.default_rng(3), load(instance("wordle").spec).problem.groups[0]
    samples = []
    for _ in range(100):
        some = np.sort(random.choice(len(whole.masks), 400, replace=False))
        samples.append(Problem((Group(whole.masks[some], 3, whole.weights[some]),), 26))
    search = opencl.prepare_batch(samples, Options(count_only=True))
    found = search.run()
    for sample, counts in zip(samples, found, strict=True):
        assert counts == bitset_rows.prepare(sample, Options(count_only=True)).run()
    assert search.run() == found
    (_, levels), *others = search.together
    assert not others
    assert levels.launched < 20


@settings(shared, max_examples=30)
@given(
    many=st.lists(problems, max_size=4),
    widest=st.integers(1, 6) | st.none(),
    buffer=st.integers(1, 6) | st.none(),
)
def test_random_problems_of_all_shapes(
    many: list[Problem], widest: int | None, buffer: int | None
) -> None:
    """Other numbers of words, alphabets and groups stand beside each other; also without room."""
    options = Options(max_buffer=buffer)
    batch = BatchSearch(many, options, opencl.the_device, widest)
    known = [oracle(problem) for problem in many]
    for _ in range(2):
        found = [listing(answer) for answer in batch.run()]
        assert [table(each) for each in found] == [table(each) for each in known]


def test_nothing_to_pick_is_one_packing_and_too_little_to_pick_from_none() -> None:
    masks, weights = np.array([1, 2], np.uint32), np.ones(2, np.int64)
    many = [Problem((Group(masks, count, weights),), 3) for count in (0, 2, 3)]
    batch = opencl.prepare_batch([*many, Problem((), 3)], Options(count_only=True))
    assert batch.run() == [Counts(1, 1), Counts(1, 1), Counts(0, 0), Counts(1, 1)]
    assert opencl.prepare_batch([], Options()).run() == []


def test_options_that_a_batch_ignores_are_an_error() -> None:
    with pytest.raises(ValueError, match="a batch has no use for"):
        opencl.prepare_batch([], Options(slice=(0, 1)))


def test_a_batch_that_does_not_fit_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_device: object, nbytes: int) -> None:
        raise OutOfDeviceMemory(nbytes, 3)

    monkeypatch.setattr(opencl_device.OpenClDevice, "empty", full)
    with pytest.raises(InputError, match="no room for the search"):
        opencl.prepare_batch([regular(1, 26, 2, (20, 2))], Options())
