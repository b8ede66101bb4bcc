"""The tables of docs/scaling.md: what was measured, and runs simulated from its costs.

All of it is computed from docs/scaling.json, so the tables can be made again.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from scaling_model import Costs, simulate, spread

from wordpack.cluster.sharing import how_many
from wordpack.solving.instances import instance
from wordpack.text.formatting import duration

BENCH = Path(__file__).resolve().parent
DOCS = BENCH.parent / "docs"
PAGE, VALUES = DOCS / "scaling.md", DOCS / "scaling.json"
BEGIN, END = "<!-- tables: python bench/scaling.py --page -->\n", "<!-- end of the tables -->\n"
SHOWN = (2, 10, 100, 1000)
"""Numbers of workers that the last table has columns for."""

HOPS = 10
"""Ways between processes in a run of one task: two tasks, and an answer that is fetched."""


def tables(found: dict[str, Any]) -> str:
    """Return all tables, as Markdown."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(BENCH),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701  Markdown
    )
    environment.filters["duration"] = duration
    return environment.get_template("scaling.md.j2").render(
        found=found,
        checks=checks(found),
        shown=SHOWN,
        sizes=[(size, [ahead(found, size, n) for n in SHOWN]) for size in sizes(found)],
    )


def spliced(page: str, lines: str) -> str:
    """Return the page with these lines between its marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{PAGE} has no place for the tables: {BEGIN.strip()} ... {END.strip()}")
    return f"{before}{begin}\n{lines}\n{end}{after}"


def costs(found: dict[str, Any], start: float = 0.0) -> Costs:
    """Return what a run costs where scheduler, client and each worker have a core.

    What passes before the first slice is part of what scheduler and client do, and taken from
    both in proportion.
    """
    message, slices = found["messages"]["1"], found["slice"]
    later = max(0.0, 1 - message["submit"] / (message["scheduler"] + message["client"]))
    return Costs(
        start=start,
        submit=message["submit"],
        scheduler=message["scheduler"] * later,
        client=message["client"] * later,
        worker=message["worker"] + slices["walking"]["each"],
        latency=message["round"] / HOPS,
    )


def crowded(found: dict[str, Any], workers: int) -> Costs:
    """Return what a run on this machine costs, by `local:N`: all processes share its cores.

    Slices that were measured have the walk to their frontier in them. Where workers have all
    cores, what scheduler and client do is taken from them.
    """
    message = found["messages"][f"local:{workers}"]
    own = max(0.0, message["client"] - message["submit"])
    full = workers >= found["machine"]["cores"]
    return Costs(
        submit=message["submit"],
        client=own,
        worker=message["worker"] + (own if full else 0.0),
        latency=message["round"] / HOPS,
        shared=True,
    )


@dataclass(frozen=True)
class Check:
    """A run that was measured, and what the simulation says of it."""

    name: str
    slots: int
    slices: int
    reality: float
    simulated: float


def checks(found: dict[str, Any]) -> Iterator[Check]:
    """Yield the runs that the simulation is held against."""
    for run in found["searches"]:
        workers, slices = run["cores"], run["slices"]
        simulated = simulate(slices, workers, crowded(found, workers))
        yield Check(run["case"], workers, len(slices), run["run"], simulated)
    shape = found["searches"][0]["slices"]
    for run in found["slots"]:
        workers, threads, tasks, mean = (run[k] for k in ("workers", "threads", "tasks", "mean"))
        # in this arrangement all share the cores: one server does what no two can do at once
        own = Costs(submit=run["submit"], client=run["message"] - run["submit"], shared=True)
        simulated = simulate(spread(shape, tasks, mean), workers, own, threads)
        yield Check(f"sleeping {mean:g} s", workers * threads, tasks, run["reality"], simulated)


@dataclass(frozen=True)
class Size:
    """A search to look ahead for."""

    name: str
    work: float
    """Seconds on one core."""
    start: float
    packings: int
    """Packings that it lists."""
    estimated: bool


def sizes(found: dict[str, Any]) -> Iterator[Size]:
    """Yield the searches that were measured on one worker, then those only estimated."""
    one = {run["case"]: run for run in found["searches"] if run["cores"] == 1}
    for name, run in one.items():
        known = instance(name.partition(",")[0]).expected
        listed = known.packings if known and "listed" in name else 0
        yield Size(name, sum(run["slices"]), run["plan"], listed, estimated=False)
    counted = one.get("6x4, counted")
    if counted is None:
        return
    pace = sum(counted["slices"]) / found["estimates"]["6x4"]
    for name, seconds in found["estimates"].items():
        if name != "6x4":
            yield Size(f"{name}, counted", seconds * pace, counted["plan"], 0, estimated=True)


def ahead(found: dict[str, Any], size: Size, workers: int) -> tuple[float, float]:
    """Return seconds and efficiency on so many workers, with slices spread as those of 6x4."""
    many = how_many(size.work, size.packings, workers)
    each = spread(found["searches"][0]["slices"], many, size.work / many)
    seconds = simulate(each, workers, costs(found, size.start))
    return seconds, size.work / workers / seconds
