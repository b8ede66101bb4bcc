"""Exchange results between machines: read and check a folder or packed file; pack one machine's.

A packed file is a zip of asv's own files: the machine's folder and the list of benchmarks. A whole
source is read and checked before any of it is used.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from wordpack.errors import InputError
from wordpack.results.asv_files import (
    BENCHMARKS,
    LARGEST,
    MACHINE,
    Document,
    check_benchmarks,
    check_machine,
    check_results,
    is_result_name,
    parse,
    text,
)
from wordpack.results.machine_names import is_folder_name
from wordpack.system.paths import is_file, is_folder
from wordpack.system.writing import is_stdout, replaced
from wordpack.text.formatting import shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_FILES, MOST_BYTES = 20_000, 1 << 28
"""Limits for one source, unpacked."""


@dataclass
class Results:
    """Results that were read and checked."""

    machines: dict[str, Document] = field(default_factory=dict)
    results: dict[str, dict[str, Document]] = field(default_factory=dict)
    """By machine, then by file name."""
    benchmarks: Document = field(default_factory=dict)
    alone: bool = False
    """Whether the source is one machine's folder, not a folder of machines."""


def read(path: Path, *, empty: bool = False) -> Results:
    """Read a folder of asv's results, one machine's folder in it, or a packed file.

    Raises InputError for anything else and, unless `empty`, for a source without a machine.
    """
    folders, total = is_folder(path), 0
    found = Results(alone=folders and is_file(path / MACHINE))
    files = _in_folder(path, alone=found.alone) if folders else _in_zip(path)
    for count, (folder, name, raw, where) in enumerate(files, 1):
        total += len(raw)
        if count > MOST_FILES or total > MOST_BYTES:
            raise InputError(
                f"{path} has more than {MOST_FILES:,} files or {MOST_BYTES:,} bytes: send less"
            )
        document = parse(raw, where)
        if not folder and name == BENCHMARKS:
            check_benchmarks(document, where)
            found.benchmarks = document
        elif name == MACHINE:
            check_machine(document, folder, where)
            found.machines[folder] = document
        elif is_result_name(name):
            check_results(document, folder, where)
            if not name.startswith(document["commit_hash"][:8] + "-"):
                raise InputError(f"{where}: its file name does not match its commit")
            found.results.setdefault(folder, {})[name] = document
        else:
            raise InputError(f"{where} is not an asv result file")
    if lacking := set(found.results) - set(found.machines):
        raise InputError(f"{path}: {min(lacking)} has results but no {MACHINE}")
    if not found.machines and not empty:
        raise InputError(f"{path} has no asv results: name a results folder or a packed file")
    return found


def _in_folder(path: Path, *, alone: bool) -> Iterator[tuple[str, str, bytes, str]]:
    """Yield machine, file name, content and path; skip links and anything but regular files."""
    try:
        folders = [path] if alone else sorted(each for each in path.iterdir() if is_folder(each))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    if not alone and is_file(path / BENCHMARKS):
        yield "", BENCHMARKS, _content(path / BENCHMARKS), str(path / BENCHMARKS)
    for folder in folders:
        if folder.is_symlink() and not alone:
            continue
        for file in sorted(folder.glob("*.json")):
            if is_file(file) and not file.is_symlink():
                yield folder.resolve().name, file.name, _content(file), str(file)


def _content(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from None


def _in_zip(path: Path) -> Iterator[tuple[str, str, bytes, str]]:
    """Yield machine, file name, content and place; read no more of a file than is allowed."""
    try:
        with zipfile.ZipFile(path) as packed:
            names = packed.namelist()
            if len(set(names)) != len(names):
                raise InputError(f"{path} contains the same file twice")
            for name in names:
                known_way = packed.getinfo(name).compress_type in (0, zipfile.ZIP_DEFLATED)
                folder, _, last = name.rpartition("/")
                safe = name == last or is_folder_name(folder)
                if not safe or not last.isprintable() or not known_way:
                    raise InputError(f"{path}: {name[:80]!r} is not an asv result file")
                with packed.open(name) as stream:
                    yield folder, last, stream.read(LARGEST + 1), f"{path}: {name}"
    except FileNotFoundError:
        raise InputError(f"{path} does not exist: name a folder or a packed file") from None
    except (
        OSError,
        RuntimeError,
        EOFError,
        UnicodeDecodeError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        why = shown(str(error), 200)
        raise InputError(f"{path} is not a file that `results pack` made ({why})") from None


def pack(results: Path, machine: str, output: str) -> int:
    """Check one machine's results and write them to a file; return the number of commits."""
    if is_stdout(output):
        raise InputError("`output` -: a packed file is binary: name a file")
    whole = read(results)
    if machine not in whole.machines:
        names = ", ".join(sorted(whole.machines))
        raise InputError(f"{results} has no machine called {machine}: it has {names}")
    files = {f"{machine}/{MACHINE}": whole.machines[machine]}
    files |= {f"{machine}/{name}": each for name, each in whole.results.get(machine, {}).items()}
    if whole.benchmarks:
        files[BENCHMARKS] = whole.benchmarks
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        for name, document in files.items():
            # ZipInfo has a fixed date: the same results make the same file
            packed.writestr(zipfile.ZipInfo(name), text(document), zipfile.ZIP_DEFLATED)
    with replaced(output) as stream:
        cast("io.TextIOWrapper", stream).buffer.write(content.getvalue())
    return len(whole.results.get(machine, {}))
