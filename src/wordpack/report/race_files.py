"""Read race files as measurements: each backend's search, preparation, first call and device.

A file is untrusted. Medians are recomputed from its samples, and its counts and digest are compared
with those known here, so a wrong answer is shown as wrong.
"""

from __future__ import annotations

import shlex
from datetime import datetime
from math import isfinite
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from wordpack.errors import InputError
from wordpack.report.measurements import Device, Key, Point, Series, State, is_figure
from wordpack.report.suite import SEARCH
from wordpack.results.asv_files import LATEST, LONGEST_NAME
from wordpack.results.machine_names import short
from wordpack.solving.judge import PROVEN, judge
from wordpack.solving.workload import challenge

if TYPE_CHECKING:
    from wordpack.report.measurements import Measurements

Document = dict[str, Any]

PREPARE = Series(
    "cold prepare", "Prepare in a fresh process, including loading compiled code", "seconds"
)
FIRST_CALL = Series("cold first call", "First call in a fresh process", "seconds")
"""Kept apart from asv's series, which are timed after compiled code was loaded."""

ENERGY = Series("energy", "Energy of the device over a search", "joules")

STATES = {"wrong": State.WRONG, "unavailable": State.NOT_AVAILABLE, "refused": State.NOT_AVAILABLE}
"""The state for each status other than ok; any status not listed is a failure."""


def add(found: Measurements, document: Document, name: str, path: str) -> None:
    """Add a race that was read from `path`; raise InputError if it is not a race.

    `name` is the name of its machine.
    """
    _check(document, path)
    machine = found.machine(name, _facts(document["machine"]))
    date = _milliseconds(document["started"], path)
    instance, threads = document["instance"], document.get("threads")
    rest = f"threads={threads}" if threads else ""
    given = {name: document.get(name) for name in ("budget", "repeat", "threads")}
    options = "".join(f" --{name} {value:g}" for name, value in given.items() if value is not None)
    # quoted, because people copy it from the page
    command = f"wordpack race {shlex.quote(instance)}{options}"
    version = f"wordpack {document['wordpack']}, Python {document['machine'].get('python')}"
    origin = found.origin(path, f"{command} --json FILE", version)
    expected = _expected(instance)
    for entry in document["backends"]:
        state, reason = _state(entry, expected)
        for series, values in _samples(entry).items():
            key = Key(machine, series.name, entry["backend"], instance, rest, "race")
            found.add(key, series, _point(state, reason, date, origin, values))
        facts = entry.get("device_facts")
        if isinstance(facts, dict):
            plain = {name: value for name, value in facts.items() if _is_fact(value)}
            found.devices.append(
                Device(machine, entry["backend"], instance, plain, _throttled(entry), origin)
            )


def _check(document: Document, path: str) -> None:
    """Raise InputError unless the document can be shown as a race."""
    if document.get("schema") != 1:
        raise InputError(f"{path} is not a race file of `wordpack race --json` (schema 1)")
    texts = all(isinstance(document.get(key), str) for key in ("wordpack", "started", "instance"))
    numbers = [document.get(name) for name in ("budget", "repeat", "threads")]
    machine, backends = document.get("machine"), document.get("backends")
    if not texts or not isinstance(machine, dict) or not isinstance(backends, list):
        raise InputError(
            f"{path} lacks fields of a race file: write it with `wordpack race --json`"
        )
    if not all(number is None or _is_number(number) for number in numbers):
        raise InputError(f"{path}: its budget, repeat or threads is not a number")
    for entry in backends:
        if not isinstance(entry, dict) or not all(
            isinstance(entry.get(key), str) for key in ("backend", "status")
        ):
            raise InputError(f"{path}: a backend in it has no name or no status")
        if len(entry["backend"]) + len(document["instance"]) > LONGEST_NAME:
            raise InputError(f"{path}: names in it have more than {LONGEST_NAME:,} letters")


def _expected(instance: str) -> Any:
    """Return the known answer of an instance, a dataclass of numbers, or None."""
    try:
        return challenge(instance).expected
    except InputError:  # from another version, or with its own words
        return None


def _state(entry: Document, expected: Any) -> tuple[State, str]:
    """Return the state of an entry, and why it has no time."""
    reason = entry.get("reason")
    text = reason[:LONGEST_NAME] if isinstance(reason, str) else ""
    if entry["status"] != "ok":
        state = STATES.get(entry["status"], State.FAILED)
        return state, f"{entry['status'][:LONGEST_NAME].replace('_', ' ')}: {text}"
    # a number missing from the file counts as wrong, not as unknown
    found = {
        name: "" if entry.get(name) is None else entry[name]
        for name in (vars(expected) if expected else ())
    }
    differs = judge(found, expected).differs
    if differs:
        return State.WRONG, f"the answer in the file has the wrong {differs.what}"
    if entry.get("verified") not in PROVEN:
        return State.UNPROVEN, "nothing shows that its answer is complete"
    return State.MEASURED, text


def _samples(entry: Document) -> dict[Series, list[float]]:
    """Return the samples by series; without any sample, only an empty search series."""
    seconds = entry.get("seconds")
    seconds = seconds if isinstance(seconds, dict) else {}
    readings = entry.get("readings")
    joules = [
        each["energy_joules"]
        for each in (readings if isinstance(readings, list) else [])
        if isinstance(each, dict) and _is_number(each.get("energy_joules"))
    ]
    listed = seconds.get("samples")
    runs = [each for each in (listed if isinstance(listed, list) else []) if _is_time(each)]
    once = {PREPARE: seconds.get("prepare"), FIRST_CALL: seconds.get("first")}
    others = {series: [value] for series, value in once.items() if _is_time(value)}
    return {SEARCH: runs} | others | ({ENERGY: joules} if joules else {})


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and is_figure(value)  # type: ignore[arg-type]


def _is_fact(value: object) -> bool:
    """Whether a value is a scalar that JSON can hold."""
    return value is None or type(value) in (str, int) or (type(value) is float and isfinite(value))


def _is_time(value: object) -> bool:
    return _is_number(value) and value != 0


def _point(state: State, reason: str, date: int, origin: int, values: list[float]) -> Point:
    if state not in (State.MEASURED, State.UNPROVEN) or not values:
        failed = State.FAILED if state in (State.MEASURED, State.UNPROVEN) else state
        return Point("", date, failed, origin, reason=reason or "the file has no time for it")
    quarters = quantiles(values, n=4, method="inclusive") if len(values) > 1 else [None] * 3
    return Point(
        "",
        date,
        state,
        origin,
        median(values),
        quarters[0],
        quarters[2],
        len(values),
        tuple(map(float, values)),
        reason=reason,
    )


def _throttled(entry: Document) -> tuple[str, ...]:
    found: dict[str, None] = {}
    readings = entry.get("readings")
    for each in readings if isinstance(readings, list) else []:
        for when in ("throttle_before", "throttle_after"):
            reasons = each.get(when) if isinstance(each, dict) else None
            if isinstance(reasons, list):
                found |= {reason: None for reason in reasons if isinstance(reason, str)}
    return tuple(found)


def _facts(machine: Document) -> dict[str, str]:
    """Return those facts that `wordpack machine` would store and the file has."""
    memory, gpu = machine.get("memory_bytes"), machine.get("gpu")
    gpu = gpu if isinstance(gpu, dict) else {}
    system, _, arch = str(machine.get("os") or "").rpartition(" ")
    known = {
        "os": system,
        "arch": arch,
        "cpu": machine.get("cpu"),
        "cores": machine.get("cores"),
        "memory": f"{memory / 2**30:.1f} GiB" if _is_number(memory) and memory else None,
        "gpu": gpu.get("name") or ("none" if gpu.get("why_not") else None),
        "driver": gpu.get("driver") or ("none" if gpu.get("why_not") else None),
    }
    return {key: short(str(value)) for key, value in known.items() if value}


def _milliseconds(started: str, path: str) -> int:
    """Parse a date into milliseconds; InputError unless it is between 1970 and 9999."""
    try:
        date = int(datetime.fromisoformat(started).timestamp() * 1000)
    except (ValueError, OverflowError):
        date = -1
    if not 0 <= date < LATEST:
        raise InputError(f"{path}: {started[:40]!r} is not a date between 1970 and 9999")
    return date
