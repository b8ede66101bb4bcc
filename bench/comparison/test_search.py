"""The backends side by side, a table for each instance: `make bench-quick`.

All run in one process, one after the other, in an order that is always the same: a look while
working. `wordpack race` keeps them apart and lets them take turns, and asv keeps a history.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from series import verified
from series.table import BACKENDS, COUNTING, LISTERS

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

    from wordpack.packing.answer import Answer

INSTANCES = ("wordle", "parker", "wrong-wordle")
FAMILIES = ("3x7", "4x6")

SECONDS, LEAST, MOST = 1.0, 3, 30
"""The approximate seconds of all rounds of a backend, and the fewest and most rounds."""


def compare(benchmark: BenchmarkFixture, backend: str, name: str, *, count_only: bool) -> None:
    """Time a warm backend; each answer is checked outside the timing."""
    try:
        verified.short(backend, name)
        search = verified.prepared(backend, name, count_only=count_only)
    except NotImplementedError as reason:
        pytest.skip(str(reason))
    answers: list[Answer] = []

    def run() -> None:
        answers.append(search.run())

    def check() -> None:
        verified.check(answers.pop(), name)

    run()
    check()
    started = perf_counter()
    run()
    rounds = round(SECONDS / (perf_counter() - started))
    check()
    benchmark.group = f"{name}, counted" if count_only else name
    benchmark.extra_info |= {"backend": backend, "instance": name, "device": search.device}
    benchmark.pedantic(run, teardown=check, rounds=min(max(rounds, LEAST), MOST), warmup_rounds=1)


@pytest.mark.parametrize("name", INSTANCES)
@pytest.mark.parametrize("backend", LISTERS)
def test_list(benchmark: BenchmarkFixture, backend: str, name: str) -> None:
    """Time listing all packings."""
    compare(benchmark, backend, name, count_only=False)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("backend", [each for each in BACKENDS if each in COUNTING])
def test_count(benchmark: BenchmarkFixture, backend: str, name: str) -> None:
    """Time exact counting."""
    compare(benchmark, backend, name, count_only=True)
