"""Small results in asv's format and race files, for tests that merge and compare them."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILE = f"{COMMIT[:8]}-virtualenv-py3.11-asv_runner0.3.2-build.json"
PARAMS = [["'a'", "'b'"], ["'x'", "'y'"]]
COLUMNS = ["result", "params", "version", "started_at", "duration", "stats_q_25", "samples"]


def row(*values: float | None, version: str = "1") -> list[Any]:
    """Return a benchmark's row as asv writes it."""
    return [list(values), PARAMS, version, 7, 0.5, list(values), [[v] if v else v for v in values]]


def document(machine: str, results: dict[str, Any]) -> dict[str, Any]:
    """Return what asv stores for one commit."""
    return {
        "commit_hash": COMMIT, "env_name": "virtualenv-py3.11", "date": 1_700_000_000_000,
        "params": {"machine": machine, "cpu": "C"}, "python": "3.11", "requirements": {},
        "env_vars": {}, "result_columns": COLUMNS, "results": results, "durations": {},
        "version": 2,
    }  # fmt: skip


NAN = math.nan
FULL = {"search.time": row(1.0, 2.0, NAN, None)}


def folder(
    place: Path,
    machine: str = "m1",
    *,
    cpu: str = "C",
    results: dict[str, Any] = FULL,
    benchmarks: tuple[str, ...] = ("search.time",),
) -> Path:
    """Write one machine's results folder."""
    own = place / machine
    own.mkdir(parents=True)
    entry = {"machine": machine, "cpu": cpu, "version": 1}
    (own / "machine.json").write_text(json.dumps(entry))
    (own / FILE).write_text(json.dumps(document(machine, results)))
    listed: dict[str, Any] = {name: {"name": name, "params": PARAMS} for name in benchmarks}
    (place / "benchmarks.json").write_text(json.dumps(listed | {"version": 2}))
    return place


def tree(place: Path) -> dict[str, bytes]:
    """Return all files' bytes by relative path."""
    return {
        str(path.relative_to(place)): path.read_bytes()
        for path in place.rglob("*")
        if path.is_file()
    }


def rows(place: Path, machine: str = "m1") -> dict[str, Any]:
    """Return a machine's rows, by benchmark."""
    found: dict[str, Any] = json.loads((place / machine / FILE).read_text())["results"]
    return found


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON, with NaN equal to NaN."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


PARKER = {"packings": 538, "solutions": 831,
          "digest": "40e4126b2e0d76b975ec074c46f0e4207235eec767118f390c1d429653115452"}  # fmt: skip


def entry(**given: Any) -> dict[str, Any]:
    """Return a backend of a race file that found parker's answer."""
    seconds = {"prepare": 0.5, "first": 4.0, "median": 99.0, "samples": [3.0, 1.0, 2.0, 10.0]}
    return PARKER | {
        "backend": "bitset_rows", "status": "ok", "reason": "", "device": "cpu", "using": "",
        "seconds": seconds, "verified": "expected", "readings": [], "device_facts": None,
    } | given  # fmt: skip


def race(place: Path, *entries: dict[str, Any], **given: Any) -> str:
    """Write a race file; return its path."""
    machine = {"cpu": "Intel(R) Core(TM) i7", "cores": 4, "memory_bytes": 2**33,
               "os": "Linux 6.1 x86_64", "python": "CPython 3.11.7", "libraries": {},
               "gpu": {"name": None, "why_not": "none was found"}}  # fmt: skip
    whole = {
        "schema": 1, "wordpack": "0.1.0", "started": "2026-11-30T12:00:00+00:00",
        "finished": True, "instance": "parker", "machine": machine, "threads": None,
        "backends": list(entries),
    } | given  # fmt: skip
    place.write_text(json.dumps(whole))
    return str(place)


Cell = Sequence[float] | float | None
SEARCH = "search.Search.time_run"
LATER = "fedcba9876543210fedcba9876543210fedcba98"
FAR = [[f"'{name}'" for name in "abcd"], ["'parker'"]]

STEADY = [1.0 + 0.01 * place for place in range(7)]
SLOWER = [1.5 * sample for sample in STEADY]
"""Clearly separate from the steady samples: p is 2/3432, the ratio of medians is 1.5."""


def stored(cells: Sequence[Cell], version: str = "1") -> list[Any]:
    """Return a benchmark's row; each cell has its samples, or only a value."""
    values = [sorted(each)[len(each) // 2] if isinstance(each, list) else each for each in cells]
    samples = [each if isinstance(each, list) else None for each in cells]
    return [values, [FAR[0][: len(cells)], FAR[1]], version, 7, 0.5, [None] * len(cells), samples]


def results(
    place: Path,
    *cells: Cell,
    machine: str = "m1",
    commit: str = COMMIT,
    date: int = 1_700_000_000_000,
    facts: dict[str, str] | None = None,
    benchmark: str = SEARCH,
    **given: Any,
) -> Path:
    """Add a commit's results of one benchmark on one machine to a folder."""
    own = place / machine
    own.mkdir(parents=True, exist_ok=True)
    known = {"machine": machine, "cpu": "C"} | (facts or {})
    (own / "machine.json").write_text(json.dumps(known | {"version": 1}))
    rows = {benchmark: stored(cells, given.pop("version", "1"))}
    whole = document(machine, rows) | {"commit_hash": commit, "date": date} | given
    (own / f"{commit[:8]}-{whole['env_name']}.json").write_text(json.dumps(whole))
    return place
