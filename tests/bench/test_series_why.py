"""The series of reasons: each n/a has a code, and the package a sentence for each code."""

import json
from typing import Any

import pytest

from series.table import UNKNOWN
from series.why import Why, reason
from wordpack.results.reasons import Reason

pytestmark = pytest.mark.usefixtures("fakes_in_series")

PHRASES = {
    Reason.RUNS: "runs here",
    Reason.UNAVAILABLE: "cannot run on this machine",
    Reason.SHAPE: "shape",
    Reason.COST: "cost",
    Reason.NOT_REPEATED: "series of long searches",
    Reason.TOO_LONG: "left out",
    Reason.UNKNOWN: "does not know",
}
"""Text that each code's sentence must contain."""


def test_the_numbers_of_reasons_stay() -> None:
    """Any commit's results may hold any code; the suite has one for commits without a table."""
    names = ["RUNS", "UNAVAILABLE", "SHAPE", "COST", "NOT_REPEATED", "TOO_LONG", "UNKNOWN"]
    assert [(each.name, each.value) for each in Reason] == [(n, i) for i, n in enumerate(names)]
    assert all(said in each.sentence for each, said in PHRASES.items())
    assert UNKNOWN == Reason.UNKNOWN


@pytest.mark.parametrize(
    ("backend", "instance", "code"),
    [
        ("honest", "toy", Reason.RUNS),
        ("unavailable", "toy", Reason.UNAVAILABLE),
        ("partitioned_triples", "toy", Reason.SHAPE),
        ("subset_sums", "toy", Reason.SHAPE),
        ("subset_sums", "7x3", Reason.RUNS),
        ("costly", "toy", Reason.COST),
        ("neighbour_pairs", "parker", Reason.NOT_REPEATED),
        ("filtered_lists", "parker", Reason.TOO_LONG),
        ("of-another-commit", "parker", Reason.UNKNOWN),
        ("honest", "later", Reason.UNKNOWN),
    ],
)
def test_each_reason_has_its_code(backend: str, instance: str, code: Reason) -> None:
    """Families are counted, as in the series of counts; instances are listed."""
    assert reason(backend, instance) == code


def test_what_cannot_run_is_not_said_to_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of seconds is the same on every machine, so it does not describe this one."""
    monkeypatch.setattr("series.verified.SECONDS", {("unavailable", "parker"): 1e9})
    assert reason("unavailable", "parker") == Reason.UNAVAILABLE


def test_reasons_are_tracked_as_plain_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A code is a number that JSON can store; a broken backend fails alone."""
    from fakes import liar

    def broken(_self: object) -> str:
        raise OSError("no such driver")

    monkeypatch.setattr(liar.Fake, "probe", broken)
    monkeypatch.setattr("series.why.BACKENDS", ("honest", "liar"))
    monkeypatch.setattr("series.why.INSTANCES", ("toy",))
    monkeypatch.setattr("series.why.COUNTING", ())
    benchmark = Why()
    found: Any = benchmark.setup_cache()
    benchmark.setup(found, "honest", "toy")
    stored = benchmark.track_reason(found, "honest", "toy")
    assert json.dumps(stored) == "0"
    benchmark.setup(found, "liar", "toy")
    with pytest.raises(RuntimeError, match="OSError: no such driver"):
        benchmark.track_reason(found, "liar", "toy")
    with pytest.raises(NotImplementedError, match="no series counts 4x5 with honest"):
        benchmark.setup(found, "honest", "4x5")
