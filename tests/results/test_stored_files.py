"""Files written by earlier versions of wordpack are still read and shown."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tree import ROOT, TESTS
from wordpack import schemas

FLAT = TESTS / "stored" / "flat"
HISTORY = ROOT / "docs" / "results"


@pytest.mark.parametrize("name", ["race", "solve", "sweep"])
def test_a_file_still_fits_its_schema(name: str) -> None:
    schema = json.loads((Path(schemas.__file__).parent / f"{name}.json").read_text())
    jsonschema.validate(json.loads((FLAT / f"{name}.json").read_text()), schema)


def test_a_race_is_reported(wordpack: Callable[..., Any], tmp_path: Path) -> None:
    """The verified backend has a time; the one that ran out of budget has a reason."""
    page = tmp_path / "page.html"
    assert wordpack("report", FLAT / "race.json", "--output", page).status == 0
    rows = page.with_suffix(".csv").read_text().splitlines()
    assert any("filtered_lists" in row and "toy" in row for row in rows)
    assert "5 s were not enough to finish its first call" in page.read_text()


def test_a_packed_file_merges(wordpack: Callable[..., Any], tmp_path: Path) -> None:
    """The packed file has the same results as docs/results, so merging it adds nothing."""
    folder = tmp_path / "results"
    merge = ("results", "merge", FLAT / "epyc-2.zip", "--results", folder)
    assert wordpack(*merge).status == 0
    (stored,) = (HISTORY / "epyc-2").glob("*-*.json")
    merged = json.loads((folder / "epyc-2" / stored.name).read_text())
    kept = json.loads(stored.read_text())
    assert merged["results"].keys() == kept["results"].keys()
    before = {path: path.read_bytes() for path in folder.rglob("*.json")}
    assert wordpack(*merge).status == 0
    assert {path: path.read_bytes() for path in folder.rglob("*.json")} == before


def test_a_history_goes_on() -> None:
    """A new run continues docs/results: names, parameters and versions are the same.

    A new series may have no history yet, but no old one may be lost.
    """
    import importlib

    known = json.loads((HISTORY / "benchmarks.json").read_text())
    known.pop("version")
    assert known
    for name, stored in known.items():
        module, series, method = name.split(".")
        found = getattr(importlib.import_module(f"series.{module}"), series)
        assert callable(getattr(found, method)), name
        assert found.version == stored["version"], name
        params = found.params if isinstance(found.params[0], tuple | list) else (found.params,)
        assert list(found.param_names) == stored["param_names"], name
        assert [[repr(value) for value in values] for values in params] == stored["params"], name
