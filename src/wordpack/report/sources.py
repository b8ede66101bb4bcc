"""Read the arguments of `wordpack report`: asv results folders, packed files and race files."""

from __future__ import annotations

import zipfile
from pathlib import Path

from wordpack.errors import InputError
from wordpack.report import asv_results, race_files
from wordpack.report.measurements import Measurements
from wordpack.results import exchange
from wordpack.results.asv_files import LARGEST, parse
from wordpack.results.machine_names import is_folder_name
from wordpack.system.paths import exists, is_folder


def read(arguments: tuple[str, ...]) -> Measurements:
    """Read all sources, each a PATH or, for a race file, MACHINE=PATH; InputError for a bad one.

    A race file does not name its machine: without MACHINE= the machine gets the file's name.
    """
    found = Measurements()
    folders, races = [], []
    for argument in arguments:
        name, path = _named(argument)
        if is_folder(path) or zipfile.is_zipfile(path):
            if name is not None:
                raise InputError(
                    f"{argument}: asv results already name their machine, leave out {name}="
                )
            folders.append((exchange.read(path), str(path)))
        else:
            own, document = name or path.stem, parse(_content(path), str(path))
            if not is_folder_name(own):
                raise InputError(f"{path}: name its machine, such as i7-2010={path}")
            races.append((document, own, str(path)))
    newest = asv_results.versions(source for source, _ in folders)
    for source, where in folders:
        asv_results.add(found, source, where, newest)
    for race in races:
        race_files.add(found, *race)
    return found


def source_path(argument: str) -> Path:
    """Return the file or folder that an argument of `read` names."""
    return _named(argument)[1]


def _named(argument: str) -> tuple[str | None, Path]:
    """Split MACHINE=PATH, unless a file has the whole argument as its name."""
    name, equals, path = argument.partition("=")
    if equals and not exists(argument) and is_folder_name(name):
        return name, Path(path)
    return None, Path(argument)


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(LARGEST + 1)
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror}): name an asv results folder, or a file of "
            "`results pack` or `race --json`"
        ) from None
