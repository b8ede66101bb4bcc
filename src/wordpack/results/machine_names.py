"""Name this machine for asv: write its entry in asv's file in the home folder.

asv itself asks at the console, proposes the hostname as a name, and copies further keys from
machine to machine. Here the user gives the name and the rest is detected. Every entry has the same
keys; values are short strings, by which asv's pages sort results.
"""

from __future__ import annotations

import json
import os
import platform
import re
from pathlib import Path
from typing import Any

from wordpack.backend import registry
from wordpack.errors import InputError, Unavailable
from wordpack.machine import hardware, nvml
from wordpack.system.writing import replaced

FILE = ".asv-machine.json"
VERSION = 1
"""Version of the file's format, which asv stores beside the machines."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
TAKEN = {"version", "benchmarks.json"}
"""Names that asv itself uses in the file and among the machines' folders."""

LONGEST = 40
"""Characters of a value."""

LONGEST_FOLDER = 200
"""Bytes of a machine name in someone else's results."""

FOLDERS = (
    f"a machine's folder name must be 1 to {LONGEST_FOLDER} bytes of printable UTF-8, without / or "
    "\\, and not ., .., version or benchmarks.json"
)
"""The rule of `is_folder_name`."""

NONE, UNKNOWN = "none", "unknown"

NOISE = re.compile(r"\((?:R|TM|C)\)|\b(?:CPU|Processor)\b", re.IGNORECASE)
"""What CPU vendors add to a processor's name."""


def register(name: str) -> dict[str, str]:
    """Write this machine's entry into asv's file, keep all others, and return it.

    Raises InputError if the name cannot be a folder's name or the file is not asv's.
    """
    _check(name)
    path = _path()
    entries = _read(path)
    for other in entries:
        if other != name and other.lower() == name.lower():
            raise InputError(
                f"{path} has a machine called {other}: on file systems that ignore case, "
                f"{name} would be the same folder; choose another `name`"
            )
    entry = entries[name] = facts(name)
    with replaced(str(path)) as stream:
        json.dump(entries | {"version": VERSION}, stream, indent=4, sort_keys=True)
        stream.write("\n")
    return entry


def _check(name: str) -> None:
    """Raise InputError unless `name` can be the name of a folder on every system."""
    if not NAME.fullmatch(name) or name.lower() in TAKEN:
        raise InputError(
            f"`name` {name!r}: it becomes a folder of results: 1 to 40 letters, digits, dots, "
            "dashes and underscores, the first a letter or digit, such as i7-2010"
        )


def is_folder_name(name: str) -> bool:
    """Whether someone else's machine may have this name: asv accepts a hostname or any text."""
    return (
        name.isprintable()  # rules out lone surrogates too
        and 0 < len(name.encode()) <= LONGEST_FOLDER
        and not {"/", "\\"} & set(name)
        and name not in {".", ".."}
        and name.lower() not in TAKEN
    )


def facts(name: str) -> dict[str, str]:
    """Return asv's keys, then cores, memory, gpu, driver, cuda and opencl; always all of them."""
    machine = hardware.describe()
    gpu, named = machine["gpu"], len(machine["gpus"])
    known = _of_devices()
    memory = machine["memory_bytes"]
    size = f"{memory / 2**30:.1f} GiB" if memory else UNKNOWN
    nvidia = gpu["why_not"] is None
    first = (gpu["name"] or UNKNOWN) if nvidia else known.get("gpu")
    values = {
        "machine": name,
        "os": f"{platform.system()} {platform.release()}",
        "arch": platform.machine(),
        "cpu": machine["cpu"] or UNKNOWN,
        "num_cpu": str(os.cpu_count() or UNKNOWN),
        "ram": size,
        "cores": str(machine["cores"]),
        "memory": size,
        "gpu": f"{named} x {first}" if named > 1 else first,
        "driver": (gpu["driver"] or UNKNOWN) if nvidia else known.get("driver"),
        "cuda": (nvml.cuda_version() or UNKNOWN) if nvidia else NONE,
        "opencl": known.get("opencl"),
    }
    return {key: short(str(value or NONE)) for key, value in values.items()}


def _of_devices() -> dict[str, Any]:
    """Return what the device backends know of this machine; earlier backends take precedence."""
    known: dict[str, Any] = {}
    asked = {""}
    for row in registry.ROWS:
        if row.host in asked:
            continue  # backends on the same host give the same facts
        asked.add(row.host)
        try:
            known = (row.load().machine_facts() or {}) | known
        except Unavailable:
            continue  # `wordpack doctor` says why
    return known


def short(value: str) -> str:
    """Return a value as results store it: shortened, without vendors' additions."""
    return " ".join(NOISE.sub(" ", value).split())[:LONGEST].rstrip() or UNKNOWN


def _path() -> Path:
    try:
        return Path.home() / FILE
    except RuntimeError:
        raise InputError(f"there is no home folder for {FILE}: set HOME") from None


def _read(path: Path) -> dict[str, Any]:
    """Return the machines of asv's file by name; empty if there is no file."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror}): fix it, or move it away"
        ) from None
    except (ValueError, RecursionError):
        raise InputError(f"{path} is not JSON: fix it, or move it away") from None
    version = document.pop("version", None) if isinstance(document, dict) else None
    if version != VERSION:
        raise InputError(
            f"{path} is not what asv writes (version {VERSION}): fix it, or move it away"
        )
    return dict(document)
