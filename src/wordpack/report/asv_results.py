"""Read asv's results as measurements: each benchmark of the suite is a series, or part of one.

asv stores NaN if a benchmark was left out or could not run, and null if it failed. Why a benchmark
was left out is a number in one of the suite's own series.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import isnan, prod
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

from wordpack.report.measurements import LARGEST, Key, Point, Series, State, is_figure
from wordpack.report.suite import BOTH, KNOWN, LONG, SEARCH
from wordpack.results.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wordpack.report.measurements import Measurements
    from wordpack.results.asv_files import Document
    from wordpack.results.exchange import Results

WHY = ("why.Why.track_reason", "why.WhyGames.track_reason")
"""Benchmarks that store a reason's number (`wordpack.results.reasons`) per backend and instance."""

LONGEST = 8
"""Characters of a version to show; by default asv's version is a hash of the benchmark's code."""


class _Cell(NamedTuple):
    """What asv stored for one choice of a benchmark's parameters, by asv's column names."""

    result: Any
    stats_ci_99_a: Any
    stats_ci_99_b: Any
    stats_q_25: Any
    stats_q_75: Any
    stats_repeat: Any
    samples: Any


def versions(sources: Iterable[Results]) -> dict[str, object]:
    """Return each benchmark's version in the newest results of all sources."""
    newest: dict[str, tuple[int, object]] = {}
    for source in sources:
        for document in (each for of in source.results.values() for each in of.values()):
            for benchmark, row in document["results"].items():
                known = newest.get(benchmark)
                if known is None or known[0] < document["date"]:
                    newest[benchmark] = document["date"], _column(document, row, "version")
    return {benchmark: version for benchmark, (_, version) in newest.items()}


def add(found: Measurements, source: Results, path: str, newest: Mapping[str, object]) -> None:
    """Add a whole source that was read from `path`; `newest` is what `versions` returned."""
    for name, document in source.machines.items():
        folder = path if source.alone else f"{path}/{name}"
        facts = {key: value for key, value in document.items() if key not in ("version", "machine")}
        machine = found.machine(name, facts)
        for file, results in source.results.get(name, {}).items():
            commit = results["commit_hash"]
            origin = found.origin(
                f"{folder}/{file}",
                f"asv run --machine {quote(name)} {commit}^!",
                f"Python {results.get('python')}",
            )
            reasons, long = _reasons(results), LONG in results["results"]
            for benchmark, row in results["results"].items():
                if benchmark in WHY:
                    continue
                listed = source.benchmarks.get(benchmark)
                version = _column(results, row, "version")
                series, names = _series(benchmark, listed, len(row[1]))
                if version != newest[benchmark]:
                    series = _apart(series, f", version {str(version)[:LONGEST]}", series.unit)
                place = _Place(
                    machine, series.name, names, tuple(map(tuple, row[1])), results["env_name"]
                )
                for key, cell in zip(_keys(place), _cells(results, row), strict=True):
                    why = reasons.get((key.backend, key.instance), "")
                    point = _point(cell, results, origin, why, str(version or ""), series.unit)
                    once = point.reason == Reason.NOT_REPEATED.sentence
                    if once and series is SEARCH and not long:
                        continue  # it was not run at this commit
                    found.add(key, series, point)


def _reasons(results: Document) -> dict[tuple[str, str], str]:
    """Return why each backend has no time for an instance, as far as this commit's results say."""
    found = {}
    for row in filter(None, map(results["results"].get, WHY)):
        if len(row[1]) != len(BOTH):
            continue
        pairs = product(map(_bare, row[1][0]), map(_bare, row[1][1]))
        for pair, cell in zip(pairs, _cells(results, row), strict=True):
            if cell.result in range(1, len(Reason)):
                found[pair] = Reason(int(cell.result)).sentence  # type: ignore[call-arg]  # by its number
    return found


def _column(results: Document, row: list[Any], column: str) -> Any:
    return dict(zip(results["result_columns"], row, strict=False)).get(column)


def _series(benchmark: str, listed: object, count: int) -> tuple[Series, tuple[str, ...]]:
    """Return a benchmark's series and parameter names; another unit makes another series."""
    known, names = KNOWN.get(benchmark, (None, ()))
    # one entry of the list of benchmarks is its own version, an int
    listed = listed if isinstance(listed, dict) else {}
    given, unit = listed.get("param_names"), listed.get("unit")
    series = known or Series(benchmark, benchmark, unit if isinstance(unit, str) else "")
    if isinstance(unit, str) and unit != series.unit:
        series = _apart(series, f", in {unit}", unit)
    if isinstance(given, list) and all(isinstance(name, str) for name in given):
        names = tuple(given)
    if len(names) != count:
        names = tuple(f"parameter {place}" for place in range(1, count + 1))
    return series, names


def _apart(series: Series, what: str, unit: str) -> Series:
    """Return a separate series for figures that must not be compared with this one's."""
    return Series(series.name + what, series.title + what, unit)


def _cells(results: Document, row: list[Any]) -> Iterator[_Cell]:
    """Yield a cell for each choice of parameters; a missing column gives None."""
    values = dict(zip(results["result_columns"], row, strict=False))
    nothing = [None] * prod(map(len, row[1]))
    columns = (values.get(name) for name in _Cell._fields)
    yield from map(_Cell, *(each if isinstance(each, list) else nothing for each in columns))


class _Place(NamedTuple):
    """Where a row of results belongs."""

    machine: str
    series: str
    names: tuple[str, ...]
    """Names of its parameters."""
    params: tuple[tuple[str, ...], ...]
    environment: str


@cache
def _keys(place: _Place) -> list[Key]:
    """Return the keys of a row in asv's order, that of a product; cached over commits."""
    return [_key(place, chosen) for chosen in product(*place.params)]


def _key(place: _Place, chosen: tuple[str, ...]) -> Key:
    given = {name: _bare(text) for name, text in zip(place.names, chosen, strict=True)}
    backend, instance = given.pop("backend", ""), given.pop("instance", "")
    rest = ", ".join(f"{name}={value}" for name, value in given.items())
    return Key(place.machine, place.series, backend, instance, rest, place.environment)


def _bare(text: str) -> str:
    """Return a text parameter without its quotes: asv stores its Python repr."""
    return text.strip("'\"")


def _point(cell: _Cell, results: Document, origin: int, why: str, version: str, unit: str) -> Point:
    """Return a cell's point; `why` is its reason unless the cell itself gives one."""
    commit, date = results["commit_hash"], results["date"]
    state, reason = _state(cell.result, unit)
    if state is not State.MEASURED:
        return Point(commit, date, state, origin, reason=reason or why, version=version)
    low, high = _number(cell.stats_ci_99_a), _number(cell.stats_ci_99_b)
    repeat = _number(cell.stats_repeat)
    samples = cell.samples
    if not isinstance(samples, list) or None in map(_number, samples):
        samples = []
    return Point(
        commit,
        date,
        state,
        origin,
        float(cell.result),
        _number(cell.stats_q_25),
        _number(cell.stats_q_75),
        int(repeat) if repeat else len(samples) or None,
        tuple(map(float, samples)),
        None if low is None or high is None else (low, high),
        version=version,
    )


def _state(value: float | None, unit: str) -> tuple[State, str]:
    if value is None:
        return State.FAILED, "it failed: asv stores no message, `asv run --show-stderr` shows it"
    if isnan(value):
        return State.NOT_AVAILABLE, ""
    if not is_figure(value):
        return State.FAILED, f"the stored value is {value}, which is not a measurement"
    if value == 0 and unit == SEARCH.unit:
        return State.FAILED, "the stored value is 0 s, which no clock gives"
    return State.MEASURED, ""


def _number(value: object) -> float | None:
    """Return a number within bounds, else None: asv stores infinite ends of intervals."""
    if (type(value) is float or type(value) is int) and abs(value) <= LARGEST:
        return float(value)
    return None
