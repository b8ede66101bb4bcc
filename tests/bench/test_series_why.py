"""The series of reasons: what asv shows as n/a has a code, and the package a sentence for it."""

import json
from typing import Any

import pytest

from series.table import Code
from series.why import Why, reason
from wordpack.results.reasons import REASONS

pytestmark = pytest.mark.usefixtures("fakes_in_series")

PHRASES = {
    Code.RUNS: "runs here",
    Code.UNAVAILABLE: "cannot run on this machine",
    Code.SHAPE: "shape",
    Code.COST: "cost",
    Code.NOT_REPEATED: "series of long searches",
    Code.TOO_LONG: "left out",
    Code.UNKNOWN: "does not know",
}
"""What the sentence of each code must say."""


def test_the_suite_and_the_package_have_the_same_codes() -> None:
    """The suite runs against commits without the table, so it has the numbers once more."""
    assert [int(code) for code in Code] == list(range(len(REASONS)))
    assert [code for code, said in PHRASES.items() if said in REASONS[code]] == list(Code)


@pytest.mark.parametrize(
    ("backend", "instance", "code"),
    [
        ("honest", "toy", Code.RUNS),
        ("unavailable", "toy", Code.UNAVAILABLE),
        ("partitioned_triples", "toy", Code.SHAPE),
        ("subset_sums", "toy", Code.SHAPE),
        ("subset_sums", "7x3", Code.RUNS),
        ("costly", "toy", Code.COST),
        ("neighbour_pairs", "parker", Code.NOT_REPEATED),
        ("filtered_lists", "parker", Code.TOO_LONG),
        ("of-another-commit", "parker", Code.UNKNOWN),
        ("honest", "later", Code.UNKNOWN),
    ],
)
def test_each_reason_has_its_code(backend: str, instance: str, code: Code) -> None:
    """Families are counted, as in the series of counts; instances are listed."""
    assert reason(backend, instance) == code


def test_what_cannot_run_is_not_said_to_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of seconds is the same on every machine, so it says nothing of this one."""
    monkeypatch.setattr("series.verified.SECONDS", {("unavailable", "parker"): 1e9})
    assert reason("unavailable", "parker") == Code.UNAVAILABLE


def test_reasons_are_tracked_as_plain_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A code is a number that JSON knows; a backend that breaks fails alone."""
    from fakes import liar

    def broken() -> str:
        raise OSError("no such driver")

    monkeypatch.setattr(liar, "probe", broken)
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
