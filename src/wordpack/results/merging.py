"""Merge other machines' results into a folder without losing a row.

A source is read and checked completely before anything is written. It cannot choose paths: files
go where their checked machine, commit and environment say.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wordpack.errors import InputError
from wordpack.results.asv_files import BENCHMARKS, LARGEST, MACHINE, WHOLE, Document, known, text
from wordpack.results.exchange import Results, read
from wordpack.results.machine_names import is_folder_name
from wordpack.system.paths import is_file
from wordpack.system.writing import replaced

if TYPE_CHECKING:
    from pathlib import Path


def merge(source: Results, target: Path) -> dict[str, str]:
    """Add a source to a results folder; return each machine's name in that folder.

    A machine whose name is taken by another processor gets a new name. Existing rows stay as they
    are, but the source fills values that are missing or not available.
    """
    there = read(target, empty=True) if os.path.lexists(target) else Results()
    names: dict[str, str] = {}
    taken = dict(there.machines)
    changed: dict[Path, Document] = {}
    for name, machine in source.machines.items():
        new = names[name] = _named(name, machine, taken, target)
        taken.setdefault(new, machine)
        _keep(changed, target / new / MACHINE, there.machines.get(new), machine | {"machine": new})
        for file, document in source.results.get(name, {}).items():
            mine = document | {"params": document["params"] | {"machine": new}}
            old = there.results.get(new, {}).get(file)
            filled = mine if old is None else _filled(old, mine)
            _keep(changed, target / new / file, None, filled, old)
    _keep(changed, target / BENCHMARKS, there.benchmarks or None, source.benchmarks)
    texts = {path: text(document) for path, document in changed.items()}
    for path, content in texts.items():
        _check(path, content)
    for path, content in texts.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot make {path.parent}: {error.strerror}") from None
        with replaced(str(path)) as stream:
            stream.write(content)
    return names


def _check(path: Path, content: str) -> None:
    """Raise InputError if the path is not a regular file or the content is too large to read."""
    if os.path.lexists(path) and (path.is_symlink() or not is_file(path)):
        raise InputError(f"{path} is a link or not a regular file: replace it, or merge elsewhere")
    # ASCII: its length is its number of bytes
    if len(content) > LARGEST:
        raise InputError(
            f"{path} would have more than {LARGEST:,} bytes, too large to read again: this source "
            "was not merged"
        )


def _keep(
    changed: dict[Path, Document],
    path: Path,
    first: Document | None,
    second: Document,
    old: Document | None = None,
) -> None:
    """Record new content for `path`, if it changes; `first`'s keys override `second`'s."""
    document = second | (first or {})
    if document and text(document) != text(first or old or {}):
        changed[path] = document


def _named(name: str, machine: Document, taken: dict[str, Document], target: Path) -> str:
    """Return the first of name, name-2, name-3 ... that is free or has the same processor."""
    number, new = 1, name
    while not (
        taken[new].get("cpu") == machine.get("cpu")
        if new in taken
        # some file systems ignore case; a link may lead to other results
        else new.lower() not in map(str.lower, taken) and _is_free(target / new)
    ):
        number += 1
        while not is_folder_name(new := f"{name}-{number}"):
            name = name[:-1]  # the number made it too long
    return new


def _is_free(folder: Path) -> bool:
    """Whether the folder is missing, or empty as an interrupted merge leaves it."""
    if not os.path.lexists(folder):
        return True
    if folder.is_symlink() or not folder.is_dir():
        return False
    return all(each.suffix == ".part" for each in folder.iterdir())


def _filled(old: Document, new: Document) -> Document:
    """Return `old` plus the benchmarks and values that only `new` has."""
    columns = old["result_columns"]
    results = dict(old["results"])
    for name, row in new["results"].items():
        theirs = dict(zip(new["result_columns"], row, strict=False))
        if name not in results:
            results[name] = [theirs.get(column) for column in columns]
            continue
        mine = dict(zip(columns, results[name], strict=False))
        if (mine["params"], mine.get("version")) != (theirs["params"], theirs.get("version")):
            continue  # another benchmark of this name: keep the old row
        results[name] = _with(mine, theirs, columns) or results[name]
    return old | {"results": results}


def _with(mine: Document, theirs: Document, columns: list[str]) -> list[object] | None:
    """Return `mine` with missing values taken from `theirs`; None if `theirs` adds none."""
    given = theirs["result"] or []
    held = mine["result"] or [None] * len(given)
    places = [i for i, value in enumerate(given) if known(value) and not known(held[i])]
    if not places:
        return None
    row: list[object] = []
    for column in columns:
        value = mine.get(column)
        other = theirs.get(column)
        if isinstance(other, list) and len(other) == len(given) and column not in WHOLE:
            value = list(value) if isinstance(value, list) else [None] * len(given)
            for place in places:
                value[place] = other[place]
        row.append(value)
    return row
