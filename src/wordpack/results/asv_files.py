"""Read asv's result files as untrusted data: their shape and counts are checked before use.

A file is JSON in asv's format, with bare NaN and Infinity as asv writes them. A file is refused
with a one-line error if it is too large, nests too deep, has a key twice, or has more or fewer
values than its parameters require.
"""

from __future__ import annotations

import json
import re
from math import isfinite, prod
from typing import Any

from wordpack.errors import InputError
from wordpack.results.machine_names import FOLDERS, is_folder_name

Document = dict[str, Any]

LARGEST = 8 << 20
"""Bytes of one file; this suite's results of one commit take a hundredth of that."""

LONGEST = 300
"""Digits that a number may have: shorter ones are within a float's range."""

DEEPEST = 12
"""Levels of nested lists and objects; asv's own files have half as many."""

MOST = 100_000
"""Choices of parameters of one benchmark: a file can ask for this many with one null."""

LONGEST_NAME, MOST_PARAMETERS = 2000, 20
"""Characters of an environment, benchmark or unit, or of all parameters of a figure: a page repeats
them in each line."""

LATEST = 253_402_300_800_000
"""The first millisecond after the year 9999, counted from 1970: dates end there."""

COMMIT = re.compile(r"[0-9a-f]{40}")
FILE = re.compile(r"[0-9a-f]{8,40}-[^<>:\"/\\|?*]+\.json")
"""A result's file name: its commit, and its environment's name as asv shortens it."""

LONGEST_FILE = 240
"""Bytes of a file's name: systems allow 255, and a temporary name is a little longer."""

MACHINE, BENCHMARKS = "machine.json", "benchmarks.json"
VERSIONS = {MACHINE: 1, BENCHMARKS: 2}
RESULTS = 2
"""The supported versions of asv's formats: those of asv 0.4 and later."""

WHOLE = ("params", "version", "started_at", "duration", "profile")
"""Columns that have one value for a benchmark, not one for each of its parameters."""


def parse(raw: bytes, where: str) -> Document:
    """Return the JSON object in `raw`; otherwise raise InputError, which names `where`."""
    if len(raw) > LARGEST:
        raise InputError(f"{where} has more than {LARGEST:,} bytes, too large for an asv result")
    try:
        document = json.loads(raw, object_pairs_hook=_once, parse_int=_int, parse_float=_float)
        if isinstance(document, (dict, list)):
            _check_depth(document, DEEPEST)
    except RecursionError:
        raise InputError(f"{where} is not the JSON of a result (it nests too deep)") from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"{where} is not the JSON of a result ({error}): if the program that wrote it was "
            "interrupted, remove the file and measure again"
        ) from None
    except ValueError as error:
        raise InputError(f"{where} is not the JSON of a result ({error})") from None
    if not isinstance(document, dict):
        raise InputError(f"{where} is not a JSON object, so it is not an asv result")
    return document


def _once(pairs: list[tuple[str, Any]]) -> Document:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key appears twice")
    return found


def _check_depth(value: Document | list[Any], left: int) -> None:
    if left == 0:
        raise ValueError("it nests too deep")
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, (dict, list)):
            _check_depth(each, left - 1)


def _int(digits: str) -> int:
    if len(digits) > LONGEST:
        raise ValueError("a number is too long")
    return int(digits)


def _float(digits: str) -> float:
    if len(digits) > LONGEST:
        raise ValueError("a number is too long")
    return float(digits)


def is_result_name(name: str) -> bool:
    """Whether asv could have given a result file this name."""
    return (
        FILE.fullmatch(name) is not None
        and name.isprintable()
        and len(name.encode()) <= LONGEST_FILE
    )


def check_machine(document: Document, name: str, where: str) -> None:
    """Raise InputError unless it is asv's description of the machine `name`."""
    _check_version(document, VERSIONS[MACHINE], where)
    _need(is_folder_name(name), where, FOLDERS)
    _need(document.get("machine") == name, where, f"it does not describe {name}")
    values = [value for key, value in document.items() if key != "version"]
    _need(all(isinstance(value, str) for value in values), where, "a value is not text")


def check_benchmarks(document: Document, where: str) -> None:
    """Raise InputError unless it is asv's list of benchmarks."""
    _check_version(document, VERSIONS[BENCHMARKS], where)
    for name, benchmark in document.items():
        if name != "version":
            _need(isinstance(benchmark, dict), where, f"{name[:80]} is not a benchmark")
            _counted(benchmark.get("params"), where, name)
            given = benchmark.get("param_names")
            _check_length(where, name, benchmark.get("unit"))
            _check_length(where, *(given if isinstance(given, list) else []))


def check_results(document: Document, name: str, where: str) -> None:
    """Raise InputError unless it is asv's results of one commit on the machine `name`."""
    _check_version(document, RESULTS, where)
    commit, params = document.get("commit_hash"), document.get("params")
    _need(isinstance(commit, str) and COMMIT.fullmatch(commit), where, "it has no commit")
    _need(isinstance(document.get("env_name"), str), where, "it has no environment")
    date = document.get("date")
    _need(type(date) is int and 0 <= date < LATEST, where, "it has no date")
    _need(
        isinstance(params, dict) and params.get("machine") == name,
        where,
        f"it is not a result of {name}",
    )
    columns, results = document.get("result_columns"), document.get("results")
    _need(
        isinstance(columns, list)
        and all(isinstance(column, str) for column in columns)
        and len(set(columns)) == len(columns)
        and columns[:3] == ["result", "params", "version"],
        where,
        "its columns are not asv's",
    )
    _need(isinstance(results, dict), where, "it has no results")
    _check_length(where, document["env_name"])
    for benchmark, row in (results or {}).items():
        _check_length(where, benchmark)
        _check_row(row, columns or [], where, benchmark)


def _check_row(row: object, columns: list[str], where: str, name: str) -> None:
    """Raise InputError unless each column has one value per choice of parameters."""
    if not isinstance(row, list) or not 2 <= len(row) <= len(columns):  # noqa: PLR2004  a result, its parameters
        raise InputError(f"{where}: {name[:80]} has the wrong number of columns")
    count = _counted(row[1], where, name)
    for column, values in zip(columns, row, strict=False):
        if column in WHOLE or values is None:
            continue
        if not isinstance(values, list) or len(values) != count:
            raise InputError(
                f"{where}: {name[:80]} needs {count:,} values of {column[:40]}, one for each "
                "choice of its parameters"
            )
        numbers = [each for each in values if column != "samples" and each is not None]
        _need(
            all(type(each) in (int, float) for each in numbers),
            where,
            f"{name[:80]}: a value is not a number",
        )


def _counted(params: object, where: str, name: str) -> int:
    """Return the number of choices of parameters; 1 without parameters."""
    if not isinstance(params, list) or not all(
        isinstance(values, list) and all(isinstance(value, str) for value in values)
        for values in params
    ):
        raise InputError(f"{where}: the parameters of {name[:80]} are not lists of strings")
    longest = sum(max(map(len, values), default=0) for values in params)
    if len(params) > MOST_PARAMETERS or longest > LONGEST_NAME:
        raise InputError(f"{where}: {name[:80]} has too many parameters, or too long ones")
    count = prod(len(values) for values in params)
    if count > MOST:
        raise InputError(f"{where}: {name[:80]} has over {MOST:,} choices of parameters")
    return count


def text(document: Document) -> str:
    """Return a file's content, in ASCII."""
    return json.dumps(document, separators=(",", ":"), sort_keys=True) + "\n"


def known(value: object) -> bool:
    """Whether a value is a result, not null (failed) or NaN (not available)."""
    return isinstance(value, (int, float)) and isfinite(value)


def _check_length(where: str, *names: object) -> None:
    """Raise InputError if the texts among `names` are too long together."""
    length = sum(len(name) for name in names if isinstance(name, str))
    _need(length <= LONGEST_NAME, where, f"names in it have more than {LONGEST_NAME:,} letters")


def _check_version(document: Document, version: int, where: str) -> None:
    _need(
        document.get("version") == version,
        where,
        f"its format is not version {version}: `asv update` converts older files",
    )


def _need(true: object, where: str, wrong: str) -> None:
    if not true:
        raise InputError(f"{where}: {wrong}")
