"""asv's results as measurements: each benchmark of the suite is one series, or a part of one.

NaN is what asv stores where a benchmark was left out or could not run, null where it failed; why
something was left out is a number in a series of the suite's own.
"""

from __future__ import annotations

from itertools import product
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from wordpack.reasons import REASONS
from wordpack.report.measurements import Key, Point, Series, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wordpack.asv_files import Document
    from wordpack.exchange import Source
    from wordpack.report.measurements import Measurements

BOTH = ("backend", "instance")

SEARCH = Series("search", "Search: from prepared inputs to the whole answer", "seconds")
COUNT = Series("count", "Count: exact numbers without a list", "seconds")
PREPARE = Series("prepare", "Prepare: all that a search does once", "seconds")
FIRST_CALL = Series("first call", "First call of a search prepared anew", "seconds")
GROWTH = Series("growth", "Growth: listing a share of the list", "seconds")

KNOWN: dict[str, tuple[Series, tuple[str, ...]]] = {
    "search.Search.time_run": (SEARCH, BOTH),
    "search.Long.time_run": (SEARCH, BOTH),
    "search.Count.time_run": (COUNT, BOTH),
    "start.Prepare.time_prepare": (PREPARE, BOTH),
    "start.First.time_first_call": (FIRST_CALL, BOTH),
    "growth.Growth.time_run": (GROWTH, ("backend", "share")),
    "device.Device.track_run": (
        Series("device", "Device: its own time of a search", "seconds"),
        BOTH,
    ),
    "memory.Memory.peakmem_run": (Series("memory", "Peak memory of the process", "bytes"), BOTH),
    "command.Command.timeraw_solve": (
        Series("command", "Command line in a fresh process", "seconds"),
        ("instance",),
    ),
    "words.Load.time_load": (Series("load", "Loading and grouping", "seconds"), ("instance",)),
    "words.Realize.time_ranks": (
        Series("ranks", "Realization as indices", "seconds"),
        ("instance",),
    ),
    "words.Realize.time_words": (Series("words", "Realization as words", "seconds"), ("instance",)),
    "order.Order.time_canonical": (Series("order", "Canonical order", "seconds"), ("instance",)),
    "order.Order.time_digest": (Series("digest", "Digest", "seconds"), ("instance",)),
    "order.Order.time_verify": (Series("verify", "Verifier", "seconds"), ("instance",)),
}
"""The suite's benchmarks: what they show, and their parameters where asv's list does not say."""

WHY = "why.Why.track_reason"
"""Of each backend and instance the code of a reason, as `wordpack.reasons` has them."""

LONGEST = 8
"""Characters of a version, which asv makes of a benchmark's code where it is not told."""


class Cell(NamedTuple):
    """One choice of a benchmark's parameters, and what asv stored for it by column."""

    chosen: tuple[str, ...]
    columns: dict[str, Any]


def add(found: Measurements, source: Source, path: str) -> None:
    """Add all of a source that was read from `path`."""
    for name, document in source.machines.items():
        facts = {key: value for key, value in document.items() if key not in ("version", "machine")}
        machine = found.machine(name, facts)
        for file, results in source.results.get(name, {}).items():
            commit = results["commit_hash"]
            origin = found.origin(
                f"{path}/{name}/{file}",
                f"asv run --machine {name} {commit}^!",
                f"Python {results.get('python')}",
            )
            reasons = _reasons(results)
            for benchmark, row in results["results"].items():
                if benchmark == WHY:
                    continue
                listed = source.benchmarks.get(benchmark, {})
                version = _column(results, row, "version")
                series, names = _series(benchmark, listed, version, len(row[1]))
                for cell in _cells(results["result_columns"], row):
                    key = _key(machine, series, names, cell.chosen, results["env_name"])
                    why = reasons.get((key.backend, key.instance), "")
                    point = _point(cell.columns, results, origin, why, str(version or ""))
                    found.add(key, series, point)


def _reasons(results: Document) -> dict[tuple[str, str], str]:
    """Return why each backend has no time of an instance, where this commit's results say so."""
    row = results["results"].get(WHY)
    if row is None or len(row[1]) != len(BOTH):
        return {}
    codes = (
        (cell.chosen, cell.columns.get("result")) for cell in _cells(results["result_columns"], row)
    )
    return {
        (_bare(chosen[0]), _bare(chosen[1])): REASONS[int(code)]
        for chosen, code in codes
        if code is not None and code in range(1, len(REASONS))
    }


def _column(results: Document, row: list[Any], column: str) -> Any:
    return dict(zip(results["result_columns"], row, strict=False)).get(column)


def _series(
    benchmark: str, listed: Document, version: object, count: int
) -> tuple[Series, tuple[str, ...]]:
    """Return the series of a benchmark, one of its own for another version, and parameters."""
    known, names = KNOWN.get(benchmark, (None, ()))
    unit = listed.get("unit")
    series = known or Series(benchmark, benchmark, unit if isinstance(unit, str) else "")
    newest = listed.get("version", version)
    if version != newest:
        old = f", version {str(version)[:LONGEST]}"
        series = Series(series.name + old, series.title + old, series.unit)
    given = listed.get("param_names")
    if isinstance(given, list) and all(isinstance(name, str) for name in given):
        names = tuple(given)
    if len(names) != count:
        names = tuple(f"parameter {place}" for place in range(1, count + 1))
    return series, names


def _cells(columns: list[str], row: list[Any]) -> Iterator[Cell]:
    """Yield each choice of parameters with its values, asv's order being that of a product."""
    values = dict(zip(columns, row, strict=False))
    for place, chosen in enumerate(product(*row[1])):
        own = {
            name: each[place]
            for name, each in values.items()
            if name != "params" and isinstance(each, list)
        }
        yield Cell(chosen, own)


def _key(
    machine: str, series: Series, names: tuple[str, ...], chosen: tuple[str, ...], environment: str
) -> Key:
    given = {name: _bare(text) for name, text in zip(names, chosen, strict=True)}
    backend, instance = given.pop("backend", ""), given.pop("instance", "")
    rest = ", ".join(f"{name}={value}" for name, value in given.items())
    return Key(machine, series.name, backend, instance, rest, environment)


def _bare(text: str) -> str:
    """Return a text parameter, which asv stores as Python writes it, without its quotes."""
    return text.strip("'\"")


def _point(
    columns: dict[str, Any], results: Document, origin: int, why: str, version: str
) -> Point:
    """Return what a cell holds; `why` is said of it where it is n/a."""
    commit, date, value = results["commit_hash"], results["date"], columns.get("result")
    state, reason = _state(value)
    if state is not State.MEASURED:
        return Point(commit, date, state, origin, reason=reason or why, version=version)
    between = [_number(columns.get(f"stats_ci_99_{end}")) for end in "ab"]
    repeat = _number(columns.get("stats_repeat"))
    samples = columns.get("samples")
    if not isinstance(samples, list) or not all(isfinite(_float(each)) for each in samples):
        samples = []
    return Point(
        commit,
        date,
        state,
        origin,
        float(value or 0),
        _number(columns.get("stats_q_25")),
        _number(columns.get("stats_q_75")),
        int(repeat) if repeat else len(samples) or None,
        tuple(map(float, samples)),
        (between[0], between[1]) if between[0] is not None and between[1] is not None else None,
        version=version,
    )


def _state(value: float | None) -> tuple[State, str]:
    if value is None:
        return State.FAILED, "it failed: asv keeps no message, `asv run --show-stderr` shows it"
    if isnan(value):
        return State.NOT_AVAILABLE, ""
    if not isfinite(value) or value < 0:
        return State.FAILED, f"what is stored is {value}, which is no measurement"
    return State.MEASURED, ""


def _float(value: object) -> float:
    return float(value) if type(value) in (int, float) else float("nan")  # type: ignore[arg-type]


def _number(value: object) -> float | None:
    """Return a finite number, None for anything else: asv has infinite ends of an interval."""
    number = _float(value)
    return number if isfinite(number) else None
