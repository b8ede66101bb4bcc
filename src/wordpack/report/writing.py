"""Write the files of `wordpack report RESULTS... --output report.html`: page, CSV and JSON."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from wordpack import __version__
from wordpack.errors import InputError
from wordpack.report import tables
from wordpack.report.latest import Baseline, latest, usual
from wordpack.report.level_shifts import steps
from wordpack.report.page import About, render
from wordpack.report.sources import read, source_path
from wordpack.system.paths import is_folder
from wordpack.system.writing import is_stdout, replaced, writes_whole
from wordpack.text.formatting import counted, nearest, shown

if TYPE_CHECKING:
    from wordpack.report.measurements import Measurements


def write(
    arguments: tuple[str, ...], output: str, backend: str | None, machine: str | None
) -> list[str]:
    """Write the page and its figures as CSV and JSON; return lines that summarise them.

    `backend` and `machine` are the baseline that the page opens with; None takes that of
    `latest.usual`. Raises InputError if a source is bad or a file cannot be written.
    """
    page = Path(output)
    if not page.name or page.suffix in (".csv", ".json") or is_stdout(output):
        raise InputError(
            f"`output` {shown(output)}: name the page, such as report.html; its .csv and .json "
            "files go beside it"
        )
    csv, json = (page.with_suffix(f".{kind}") for kind in ("csv", "json"))
    for path in (page, csv, json):
        _spare(path, arguments)
    found = read(arguments)
    if not found.lines:
        raise InputError(f"{', '.join(map(shown, arguments))}: no results found")
    default = usual(latest(found))
    backends = sorted({key.backend for key in found.lines if key.backend})
    baseline = Baseline(
        _known("`baseline`", backend, backends) or default.backend,
        _known("`baseline_machine`", machine, list(found.machines)) or default.machine,
    )
    about = About(
        sources=arguments,
        command=_command(arguments, output, backend, machine),
        version=__version__,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        baseline=baseline,
        csv=csv.name,
        json=json.name,
    )
    changes = {key: steps(found.points(key)) for key in found.lines}
    content = render(found, about, {key: marks for key, marks in changes.items() if marks})
    made = {"wordpack": __version__, "made": about.date, "command": about.command}
    # the page is renamed last: if this is killed, a new page still has its new tables
    with (
        replaced(output) as stream,
        replaced(str(json)) as json_stream,
        replaced(str(csv)) as csv_stream,
    ):
        stream.write(content)
        tables.write_json(found, made, json_stream)
        tables.write_csv(found, csv_stream)
        # the disk may be full: write all three before any is renamed
        for each in (stream, json_stream, csv_stream):
            each.flush()
            os.fsync(each.fileno())
    return _summary(found, output, csv, json)


def _spare(path: Path, arguments: tuple[str, ...]) -> None:
    """Raise InputError if writing `path` could destroy results, or it is not a regular file."""
    if not writes_whole(str(path)):
        raise InputError(
            f"`output`: {shown(str(path))} is not a regular file, and the page is one of "
            "three files"
        )
    place = _resolved(path)
    for source in map(source_path, arguments):
        results = _resolved(source)
        if place == results or (is_folder(source) and results in place.parents):
            raise InputError(
                f"`output`: {shown(str(path))} would be written over the results of "
                f"{shown(str(source))}, or among them: name another place"
            )


def _resolved(path: Path) -> Path:
    """Resolve a path; unlike Path.resolve(), return a loop of links instead of raising."""
    return Path(os.path.realpath(path))


def _known(option: str, name: str | None, names: list[str]) -> str | None:
    if name is not None and name not in names:
        raise InputError(f"{option} {shown(name)}: not in the results{nearest(name, names)}")
    return name


def _command(
    arguments: tuple[str, ...], output: str, backend: str | None, machine: str | None
) -> str:
    """Return the command line that makes this page."""
    import shlex

    words = ["wordpack", "report", *arguments, "--output", output]
    words += ["--baseline", backend] if backend else []
    words += ["--baseline-machine", machine] if machine else []
    return shlex.join(words)


def _summary(found: Measurements, output: str, csv: Path, json: Path) -> list[str]:
    points = counted(sum(map(len, found.lines.values())), "point")
    machines, read_files = len(found.machines), len(found.origins)
    of = f"of {counted(machines, 'machine')}, from {counted(read_files, 'file')}"
    return [f"{output} has {points} {of}", f"the same figures: {csv} and {json}"]
