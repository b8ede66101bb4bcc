"""`wordpack sweep`: read the axes, count every point, and write one row per point."""

import csv
import json
from collections import Counter
from collections.abc import Iterable
from typing import IO, Any

from wordpack.commands.file import File
from wordpack.errors import InputError
from wordpack.library import clusters
from wordpack.library.clusters import Plan
from wordpack.library.problems import source_of
from wordpack.library.sweeping import axes_of
from wordpack.solving.sweep import Axes
from wordpack.solving.sweep_counting import FIELDS, sweep
from wordpack.system.writing import destination
from wordpack.text.formatting import counted, duration
from wordpack.text.output import tell


def run(given: dict[str, Any]) -> int:
    """Run `wordpack sweep` with click's values; return the exit status."""
    plan, axes = clusters.planned(given), _axes(given)
    with destination(given["output"]) as stream:
        rows, how = (sweep(axes), "in this process") if plan is None else _on_cluster(axes, plan)
        WRITERS[given["form"]](stream, rows)
    tell(_summary(rows, how))
    return 0


def _on_cluster(axes: Axes, plan: Plan) -> tuple[list[dict[str, Any]], str]:
    from wordpack.cluster.sweeping import sweep_on

    swept = sweep_on(plan.address, axes, plan.sharing, plan.certificates)
    how = f"on {swept.workers}, in {counted(swept.tasks, 'task')}"
    if swept.resumed:
        how += f", {swept.resumed:,} of them kept from an earlier run"
    return swept.rows, how


def _axes(given: dict[str, Any]) -> Axes:
    if given["encoding"] is not None and not given["words"]:
        raise InputError("--encoding goes with --words FILE: the embedded lists have their own")
    sources = [source_of(name) for name in given["lists"]]
    sources += [source_of(File(name), given["encoding"] or "utf-8") for name in given["words"]]
    return axes_of(
        given["shapes"],
        sources,
        given["letters"],
        without_each=given["without_each"],
        samples=given["samples"],
        seeds=given["seeds"],
    )


def _write_csv(stream: IO[str], rows: Iterable[dict[str, Any]]) -> None:
    """Write a header of FIELDS and one record per row; unknown values are empty."""
    writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _write_json(stream: IO[str], rows: Iterable[dict[str, Any]]) -> None:
    """Write one object, with one line per row; the schema is wordpack/schemas/sweep.json."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    stream.write(f'{{\n"schema": 1,\n"rows": [\n{lines}\n]\n}}\n')


WRITERS = {"csv": _write_csv, "json": _write_json}


def _summary(rows: list[dict[str, Any]], how: str) -> str:
    strengths = Counter(row["verified"] for row in rows)
    said = {
        "agreed": "two algorithms counted the same",
        "valid": "listed and verified",
        None: "not verified, so no time is shown",
    }
    known = [f"{strengths[each]:,} {words}" for each, words in said.items() if strengths[each]]
    taken = sum(row["seconds"] or 0.0 for row in rows)
    return f"{counted(len(rows), 'point')} {how} ({', '.join(known)}): search {duration(taken)}"
