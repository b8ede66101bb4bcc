"""A race compiles what it needs before it begins, once, and no budget pays for it."""

from pathlib import Path
from typing import Any

import pytest

from wordpack.backend import registry
from wordpack.compiled import code_cache
from wordpack.racing import compiling
from wordpack.racing.entry import Lineup
from wordpack.racing.race import Race
from wordpack.solving.instances import INSTANCES

pytestmark = pytest.mark.slow


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
    """Of compiled backends alone; another problem is prepared too, for its code may differ."""
    raced, said = race("neighbour_pairs", "filtered_lists")
    assert [entry.status for entry in raced.entries] == ["ok", "ok"]
    assert said == ["compiling 1 backend, once on this machine"]
    (mark,) = (path.name for path in cold.glob("*.compiled"))
    assert mark.startswith("neighbour_pairs-")
    assert list(cold.glob("*.kernel"))
    assert race("neighbour_pairs", "filtered_lists")[1] == []

    asked: list[Any] = []
    monkeypatch.setattr(compiling, "_prepared", lambda _module, order: asked.append(order["spec"]))
    race("neighbour_pairs", instance="both")
    assert [spec["groups"][0]["source"]["name"] for spec in asked] == ["words_alpha"]


@pytest.mark.usefixtures("cold")
def test_a_backend_that_cannot_be_compiled_is_reported_by_its_own_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The race goes on as if nothing had been tried before."""

    def fail(*_given: object) -> None:
        raise OSError

    monkeypatch.setattr(compiling, "Child", fail)
    raced, _ = race("neighbour_pairs")
    assert [entry.status for entry in raced.entries] == ["ok"]


def test_without_a_cache_nothing_is_compiled_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be lost with the process that compiled it."""
    monkeypatch.setattr(code_cache, "folder", lambda: None)
    lineup = Lineup(INSTANCES["toy"], (registry.row("neighbour_pairs"),))
    compiling.compile_once(lineup, lambda _row: {}, "no_module", pytest.fail)
