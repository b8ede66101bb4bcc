"""Links are restored after a search, a stopped search, and a search without room."""

import threading
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from handmade import problem as handmade
from wordpack.backend import registry
from wordpack.backend.base import Options
from wordpack.backend.threaded_search import SharedSearch
from wordpack.baselines.dancing_links import matrix
from wordpack.baselines.exact_cover import Links
from wordpack.packing.answer import Packings, verify
from wordpack.packing.problem import Group, Problem


def random_masks(seed: int, n: int, letters: int, size: int) -> list[int]:
    random = np.random.default_rng(seed)
    picks = (random.choice(letters, size, replace=False) for _ in range(n))
    return [sum(1 << int(letter) for letter in pick) for pick in picks]


PROBLEMS = {
    "group left out": handmade((random_masks(1, 120, 16, 5), 3), letters=16),
    "group an item": handmade((random_masks(2, 40, 12, 3), 3), letters=12),
    "two groups": handmade(
        (random_masks(3, 30, 12, 3), 2), (random_masks(4, 30, 12, 4), 1), letters=12
    ),
}
"""With letters that may stay unused, and several levels of search."""


@pytest.fixture(params=PROBLEMS)
def problem(request: pytest.FixtureRequest) -> Problem:
    name: str = request.param
    return PROBLEMS[name]


def link(problem: Problem, threads: int = 1) -> Links:
    return Links(matrix(problem), [group.count for group in problem.groups], threads)


def whole(links: Links) -> bool:
    """Whether every copy is there and unchanged."""
    copies = [links._copies.get_nowait() for _ in range(links._copies.qsize())]
    for copy in copies:
        links._copies.put(copy)
    fresh: list[npt.NDArray[np.generic]] = [*links._whole]
    return bool(copies) and all(
        np.array_equal(array, own)
        for copy in copies
        for array, own in zip(fresh, copy[: len(fresh)], strict=True)
    )


class Found(NamedTuple):
    """A search's results, and whether it had room."""

    done: int
    totals: list[int]
    tried: list[int]
    rows: list[list[int]]


def search(links: Links, capacity: int = 10_000, stop_at: int | None = None) -> Found:
    """Search all branches; counter `stop_at` is also the stop cell, so its first tick stops."""
    picks = sum(group.count for group in PROBLEMS["two groups"].groups)
    rows = np.zeros((capacity, picks), np.int32)
    numbers = np.zeros(2 + links.levels, np.int64)
    totals, tried, stop = numbers[:2], numbers[2:-1], numbers[-1:]
    if stop_at is not None:
        stop = numbers[stop_at : stop_at + 1]
    done = links.search(0, links.branches, rows, totals, tried, stop)
    return Found(done, totals.tolist(), tried.tolist(), rows[: totals[0]].tolist())


def test_a_search_leaves_the_links_as_they_were(problem: Problem) -> None:
    """Numbering the branches and a complete search uncover everything that they cover."""
    links = link(problem)
    assert whole(links)
    first = search(links)
    assert whole(links)
    assert first.done
    assert first.totals[0] > 20
    assert all(first.tried[:2])
    assert search(links) == first


def test_branches_one_by_one_leave_the_links_as_they_were(problem: Problem) -> None:
    """Even if a search starts inside the first levels; together they find everything."""
    links = link(problem)
    totals, tried = np.zeros(2, np.int64), np.zeros(links.levels - 1, np.int64)
    none, stop = np.zeros((0, 3), np.int32), np.zeros(1, np.int64)
    for branch in range(links.branches):
        assert links.search(branch, branch + 1, none, totals, tried, stop)
        assert whole(links)
    all_at_once = search(links)
    assert (totals.tolist(), tried.tolist()) == (all_at_once.totals, all_at_once.tried)


def test_a_search_stopped_anywhere_leaves_no_trace(problem: Problem) -> None:
    """Stopped at the first packing or option of any level; the next search finds everything."""
    links = link(problem)
    known = search(links)
    ticking = [place for place, n in enumerate([*known.totals, *known.tried]) if n]
    assert len(ticking) >= 4
    for place in ticking:
        stopped = search(links, stop_at=place)
        assert sum(stopped.tried) < sum(known.tried)
        assert stopped.totals[0] < known.totals[0]
        assert whole(links)
        assert search(links) == known


def test_a_search_stopped_before_it_begins_finds_nothing(problem: Problem) -> None:
    links = link(problem)
    rows, stop = np.zeros((10, 3), np.int32), np.ones(1, np.int64)
    totals, tried = np.zeros(2, np.int64), np.zeros(links.levels - 1, np.int64)
    links.search(0, links.branches, rows, totals, tried, stop)
    assert not totals.any()
    assert not tried.any()
    assert whole(links)
    assert search(links).totals[0] > 20


def test_a_search_without_room_leaves_no_trace(problem: Problem) -> None:
    """It reports that, has filled its rows, and the next search finds everything."""
    links = link(problem)
    known = search(links)
    n = known.totals[0]
    for capacity in (1, 2, n - 1):
        full = search(links, capacity)
        assert (full.done, full.totals[0]) == (0, capacity)
        assert full.rows == known.rows[:capacity]
        assert whole(links)
        assert search(links, n) == known


def test_counting_counts_what_is_listed(problem: Problem) -> None:
    links = link(problem)
    assert search(links, 0) == search(links)._replace(rows=[])


def prepare(problem: Problem, options: Options) -> SharedSearch:
    prepared = registry.row("dancing_links").load().prepare(problem, options)
    assert isinstance(prepared, SharedSearch)
    return prepared


@pytest.mark.parametrize("threads", [1, 2])
def test_a_buffer_of_one_row_restarts_and_changes_nothing(problem: Problem, threads: int) -> None:
    """Each branch with more packings is abandoned midway and searched again."""
    known = prepare(problem, Options(threads=1)).run(work=True)
    assert isinstance(known, Packings)
    small = prepare(problem, Options(threads=threads, max_buffer=1))
    for _ in range(3):
        found = small.run(work=True)
        assert isinstance(found, Packings)
        verify(found)
        assert found.work == known.work
        assert found.digest() == known.digest()


def test_a_run_after_one_that_failed_finds_everything(problem: Problem) -> None:
    """One thread fails, and the other is stopped wherever it is."""
    links = link(problem, threads=2)
    failing = threading.Event()

    def sometimes(*arguments: object) -> int:
        if failing.is_set() and arguments[0]:
            raise KeyboardInterrupt
        return links.search(*arguments)  # type: ignore[arg-type]

    names = tuple(f"nodes_{level}" for level in range(2, links.levels + 1))
    options = Options(threads=2, chunk=links.branches // 2)
    shared = SharedSearch(problem, options, links.branches, names, sometimes)
    known = shared.run(work=True)
    for _ in range(3):
        failing.set()
        with pytest.raises(KeyboardInterrupt):
            shared.run()
        assert whole(links)
        failing.clear()
        found = shared.run(work=True)
        assert isinstance(found, Packings)
        assert isinstance(known, Packings)
        verify(found)
        assert (found.digest(), found.work) == (known.digest(), known.work)


def test_words_that_repeat_are_different_options() -> None:
    """Equal masks give separate packings, in both copies of the links."""
    masks = np.array([0b011, 0b011, 0b100, 0b100], np.uint32)
    twins = Problem((Group(masks, 2, np.array([1, 2, 3, 4], np.int64)),), 3)
    links = link(twins, threads=2)
    first = search(links)
    assert first == search(links)
    assert first.totals == [4, (1 + 2) * (3 + 4)]
    assert sorted(sorted(row[:2]) for row in first.rows) == [[0, 2], [0, 3], [1, 2], [1, 3]]
