"""Progress of a long search: what searches know, and what a race shows."""

import os
import random
import re
import time

import numpy as np
import pytest

import wordpack
from tree import TESTS
from wordpack.backend.base import Options
from wordpack.backend.registry import Row
from wordpack.backend.threaded_search import Integers, SharedSearch
from wordpack.baselines.filtered_lists import FilteredLists
from wordpack.packing.answer import Rows
from wordpack.racing.entry import Lineup
from wordpack.racing.race import Race
from wordpack.solving.instances import INSTANCES
from wordpack.solving.loading import load

pytestmark = pytest.mark.slow


def test_a_race_shows_how_far_a_long_first_call_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """It reports about once a second until it ends; a short run reports nothing."""
    monkeypatch.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)
    rows = tuple(Row(name, f"fakes.{name}:Fake", name, "a fake") for name in ("honest", "pacing"))
    race = Race(Lineup(INSTANCES["toy"], rows, repeat=1))
    seen: list[tuple[str, str]] = []
    race.changed = lambda: seen.extend((each.row.name, each.reason) for each in race.entries)
    race.run()
    assert ("pacing", "first call, 40% of its branches begun") in seen
    assert not [reason for name, reason in seen if name == "honest" and "begun" in reason]
    assert [(entry.status, entry.reason) for entry in race.entries] == [("ok", "")] * 2


def test_what_does_not_finish_says_what_it_would_need(monkeypatch: pytest.MonkeyPatch) -> None:
    """The estimate uses the last share of time that the search reported; it is not a time."""
    monkeypatch.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)
    row = Row("timing", "fakes.timing:Fake", "timing", "a fake")
    race = Race(Lineup(INSTANCES["toy"], (row,), budget=3.5))
    race.run()
    (entry,) = race.entries
    assert (entry.status, entry.median, entry.times) == ("out_of_budget", None, [])
    said = re.fullmatch(r"stopped after 3.5 s at 5%: about (\d+) s", entry.reason)
    assert said, entry.reason
    # it always reports a twentieth: 20 times the 1 to 3.5 seconds of its last report
    assert 20 <= int(said[1]) <= 71


def test_the_share_of_time_is_that_of_the_work() -> None:
    """Within a factor of two, by the loops' own passes, once a tenth of the work is done."""
    words = random.Random(3).sample(wordpack.words("wordle", 5), 4000)  # noqa: S311  no secret
    problem = load(wordpack.problem(sorted(words)).spec).problem
    search = FilteredLists().prepare(problem, Options())
    steps, done = [], 0
    for _, passes in search._search():
        steps.append((search.time_share(), done))
        done += passes
    late = [share / (before / done) for share, before in steps if before > done / 10]
    assert len(late) > 100
    assert 0.5 <= min(late) <= max(late) <= 2


def test_a_shared_search_knows_the_branches_it_has_begun() -> None:
    """From 0 to 1, chunk by chunk, and again in a second run."""
    problem = load(INSTANCES["toy"].spec).problem
    shares: list[float] = []

    def branches(
        _first: int, _last: int, _rows: Rows, _totals: Integers, _own: Integers, _stop: Integers
    ) -> int:
        shares.append(search.progress())
        return 1

    options = Options(threads=1, chunk=5)
    search = SharedSearch(problem, options, 20, (), branches)
    assert search.progress() == 0
    search.run()
    search.run()
    assert shares == list(np.array([5, 10, 15, 20] * 2) / 20)


def test_a_chunk_searched_again_does_not_set_it_back() -> None:
    """A buffer that is too small makes the first chunk start again after all others."""
    problem = load(INSTANCES["toy"].spec).problem
    shares: list[float] = []

    def branches(
        first: int, _last: int, rows: Rows, _totals: Integers, _own: Integers, _stop: Integers
    ) -> int:
        if first == 0 and len(rows) < 64:
            while search.progress() < 1:
                time.sleep(0.001)
            return 0
        shares.append(search.progress())
        return 1

    search = SharedSearch(problem, Options(threads=2, chunk=1, max_buffer=1), 40, (), branches)
    search.run()
    assert len(shares) == 40
    assert search.progress() == 1
