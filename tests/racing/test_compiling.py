"""A race compiles what it needs before it starts, once, and outside any budget."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from clusters import wait_until
from wordpack.backend import registry
from wordpack.compiled import code_cache
from wordpack.racing import compiling
from wordpack.racing.entry import Lineup
from wordpack.racing.race import Race
from wordpack.solving.instances import INSTANCES

pytestmark = pytest.mark.slow

NAMES = ("filtered_lists", "neighbour_pairs", "rarest_letter")


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of an empty cache of compiled code."""
    monkeypatch.setenv(code_cache.CACHE, str(tmp_path))
    return tmp_path


def race(*names: str, instance: str = "toy") -> tuple[Race, list[str]]:
    rows = tuple(map(registry.row, names))
    raced, said = Race(Lineup(INSTANCES[instance], rows, budget=60, repeat=1)), list[str]()
    raced.say = said.append
    raced.run()
    return raced, said


def test_code_is_compiled_before_the_race_and_only_once(
    cold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only compiled backends; each problem is compiled separately, because its code may differ."""
    raced, said = race("neighbour_pairs", "filtered_lists")
    assert [entry.status for entry in raced.entries] == ["ok", "ok"]
    assert said == ["compiling 1 backend, once on this machine"]
    (mark,) = (path.name for path in cold.glob("*.compiled"))
    assert mark.startswith("neighbour_pairs-")
    assert list(cold.glob("*.kernel"))
    assert race("neighbour_pairs", "filtered_lists")[1] == []

    asked: list[Any] = []

    def prepared(_self: object, order: dict[str, Any]) -> bool:
        asked.append(order["spec"])
        return False

    monkeypatch.setattr(compiling.Compilers, "prepared", prepared)
    race("neighbour_pairs", instance="both")
    assert [spec["groups"][0]["source"]["name"] for spec in asked] == ["words_alpha"]


@pytest.mark.usefixtures("cold")
def test_a_backend_that_cannot_be_compiled_is_reported_by_its_own_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The race continues as if compilation had not been tried."""

    def fail(*_given: object) -> None:
        raise OSError

    monkeypatch.setattr(compiling, "Child", fail)
    raced, _ = race("neighbour_pairs")
    assert [entry.status for entry in raced.entries] == ["ok"]


def test_without_a_cache_nothing_is_compiled_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code would be lost with the process that compiled it."""
    monkeypatch.setattr(code_cache, "folder", lambda: None)
    lineup = Lineup(INSTANCES["toy"], (registry.row("neighbour_pairs"),))
    ready = compiling.as_compiled(lineup, lambda _row: {}, "no_module", pytest.fail)
    assert list(ready) == list(lineup.rows)


WORKER = """
import os, sys, time
sys.stdin.readline()
with open(os.environ["TICKS"], "ab", buffering=0) as file:
    while True:
        file.write(b".")
        time.sleep(0.01)
"""
"""A compiler that never ends, and writes a dot while it runs."""


def test_no_compiler_works_while_a_backend_is_timed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops for as long as the race uses the machine, goes on then, and ends with the race."""
    (tmp_path / "endless.py").write_text(WORKER)
    ticks = tmp_path / "ticks"
    monkeypatch.setenv("TICKS", str(ticks))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    compilers = compiling.Compilers("endless")
    with ThreadPoolExecutor(1) as pool:
        ended = pool.submit(compilers.prepared, {})
        try:
            wait_until(lambda: ticks.exists() and ticks.stat().st_size > 0, "the compiler works")
            with compilers.stopped():
                sleep(0.1)  # a dot may be on its way
                before = ticks.stat().st_size
                sleep(0.3)
                assert ticks.stat().st_size == before
            wait_until(lambda: ticks.stat().st_size > before, "the compiler works again")
        finally:
            compilers.end()
        assert ended.result(timeout=60) is False
    assert compilers.prepared({}) is False


@pytest.mark.usefixtures("cold")
def test_a_compiled_backend_has_its_first_call_before_the_next_is_compiled() -> None:
    """So the first row comes before the slowest compilation ends; those without code come last."""
    ready = []
    raced = Race(Lineup(INSTANCES["toy"], tuple(map(registry.row, NAMES)), budget=60, repeat=1))
    raced.changed = lambda: ready.extend(
        entry.row.name for entry in raced.entries if entry.first and entry.row.name not in ready
    )
    raced.run()
    assert ready[-1] == "filtered_lists"
    assert sorted(ready) == sorted(NAMES)
