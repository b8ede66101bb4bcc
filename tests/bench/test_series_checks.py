"""No series of the asv suite reports a time for a wrong answer."""

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from series import verified
from series.command import Command
from series.device import RUNS, Device
from series.growth import Growth
from series.order import Order
from series.search import Search
from series.start import First, Prepare
from series.words import Load, Realize
from wordpack.errors import WrongAnswer
from wordpack.packing.answer import Packings
from wordpack.solving.instances import INSTANCES as KNOWN

pytestmark = pytest.mark.usefixtures("fakes_in_series")


def call(benchmark: Any, method: str, *parameters: object) -> None:
    """Do what asv does for a call: setup, the call, teardown."""
    benchmark.setup(*parameters)
    getattr(benchmark, method)(*parameters)
    benchmark.teardown(*parameters)


@pytest.mark.parametrize("backend", ["liar", "duplicate", "overlapping"])
@pytest.mark.parametrize("series", [(Search, "time_run"), (First, "time_first_call")])
def test_a_wrong_answer_fails(backend: str, series: tuple[type, str]) -> None:
    """A missing packing, a repeated packing or a repeated letter gives no time."""
    benchmark, method = series
    with pytest.raises(WrongAnswer):
        call(benchmark(), method, backend, "toy")


def test_preparing_is_timed_only_where_the_answer_is_right() -> None:
    with pytest.raises(WrongAnswer):
        Prepare().setup("liar", "toy")
    call(Prepare(), "time_prepare", "honest", "toy")


def test_counts_do_not_pass_for_a_list() -> None:
    """If a digest is stored, an answer with only numbers is wrong."""
    counts = verified.answers("honest", "toy").counts()
    with pytest.raises(WrongAnswer, match="were to be listed"):
        verified.check(counts, "toy")
    verified.check(replace(counts, packings=5, solutions=5), "4x6")
    with pytest.raises(WrongAnswer):
        verified.check(replace(counts, packings=5, solutions=6), "4x6")


def test_nothing_known_is_no_check() -> None:
    """An answer that cannot be compared is never reported as a time."""
    with pytest.raises(WrongAnswer, match="nothing is known"):
        verified.check(verified.answers("honest", "toy"), "2x5@toy")


def test_words_and_orders_are_checked() -> None:
    """Right results pass; a wrong problem, digest, order or table of rows fails."""
    call(Load(), "time_load", "wordle")
    call(Realize(), "time_ranks", "wordle")
    call(Realize(), "time_words", "wordle")
    for method in ("time_canonical", "time_digest", "time_verify"):
        call(Order(), method, "parker")

    load = Load()
    load.setup("wordle")
    load.loaded = verified.loaded("wordle-12974")
    with pytest.raises((WrongAnswer, ValueError)):
        load.teardown("wordle")

    order, found = Order(), verified.found("parker")
    order.digest = "0" * 64
    with pytest.raises(WrongAnswer, match="digest"):
        order.teardown("parker")
    backwards = tuple(rows[::-1] for rows in found.canonical().rows)
    order.ordered = Packings(found.problem, backwards, found.n)
    with pytest.raises(WrongAnswer, match="order"):
        order.teardown("parker")

    realize = Realize()
    realize.setup("wordle")
    realize.time_words("wordle")
    assert realize.words is not None
    realize.words[0] = realize.words[1]
    with pytest.raises(WrongAnswer, match="different"):
        realize.teardown("wordle")
    realize.ranks = np.zeros((3, 5), np.int32)
    with pytest.raises(WrongAnswer, match="3 rows"):
        realize.teardown("wordle")


def test_growth_is_checked_by_a_count() -> None:
    """A sample must have as many packings as `subset_sums` counts; one fewer fails."""
    call(Growth(), "time_run", "bitset_rows", 0.5)
    growth = Growth()
    growth.setup("bitset_rows", 0.5)
    growth.time_run("bitset_rows", 0.5)
    assert isinstance(growth.answer, Packings)
    growth.answer = growth.answer.between(1, growth.answer.n)
    with pytest.raises(WrongAnswer, match="counts"):
        growth.teardown("bitset_rows", 0.5)


def test_the_commands_answer_is_checked() -> None:
    """The timed process fails if the digest is not in its output."""
    code, first = Command().timeraw_solve("toy")
    exec(first + "\n" + code, {})  # noqa: S102  it is ours
    known = KNOWN["toy"].expected
    assert known is not None
    assert known.digest is not None
    with pytest.raises(SystemExit):
        exec(first + "\n" + code.replace(known.digest, "0" * 64), {})  # noqa: S102  it is ours


class Ticking:
    """A fake device clock that advances a tenth of a second per run, as float32."""

    def __init__(self) -> None:
        self.marks = 0

    def mark(self) -> int:
        """Return the number of marks so far."""
        self.marks += 1
        return self.marks

    def seconds_between(self, earlier: int, later: int) -> Any:
        """Return a float32, which JSON cannot store."""
        return np.float32(0.1) * (later - earlier)


def test_the_devices_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples are plain floats, which asv can store, and every run's answer is checked."""
    honest = verified.prepared("honest", "toy")
    search = SimpleNamespace(run=honest.run, device="a test", clock=Ticking())
    monkeypatch.setattr("series.device.prepared", lambda *_a, **_k: search)
    benchmark = Device()
    benchmark.setup("honest", "toy")
    stored: Any = benchmark.track_run("honest", "toy")
    assert len(json.loads(json.dumps(stored))["samples"]) == RUNS
    assert stored["samples"] == [pytest.approx(0.1)] * RUNS
    search.run = verified.prepared("liar", "toy").run
    with pytest.raises(WrongAnswer):
        benchmark.track_run("honest", "toy")
    search.clock = None
    with pytest.raises(NotImplementedError, match="no clock"):
        benchmark.setup("honest", "toy")


@pytest.mark.parametrize("name", ["opencl"])
def test_a_device_times_itself(name: str) -> None:
    """Marks are in the order of the calls, with the search between them."""
    search: Any = verified.prepared(name, "parker")
    before = search.clock.mark()
    verified.check(search.run(), "parker")
    assert search.clock.seconds_between(before, search.clock.mark()) > 0
