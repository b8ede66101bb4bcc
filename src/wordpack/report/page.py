"""Build one self-contained HTML page of all measurements, which needs no network.

Tables are plain HTML, so they work without scripts. Charts are drawn from JSON when they come into
view. Names, reasons and files are untrusted: they are escaped in HTML, in JSON and in the text of
charts. A Content-Security-Policy runs only the page's own scripts, by their sha256.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from wordpack.errors import InputError
from wordpack.report import figures, numbers
from wordpack.report.absences import UNTOLD, absences, cards
from wordpack.report.growth_rates import rates
from wordpack.report.latest import (
    INSTANCES,
    OWN,
    Baseline,
    Compared,
    Line,
    RankedLine,
    headline,
    latest,
    rows,
)
from wordpack.report.measurements import Measurements, Series, State
from wordpack.solving.published import RUNS, Run, System
from wordpack.solving.workload import WORKLOADS
from wordpack.system.libraries import loaded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import jinja2
    from markupsafe import Markup

    from wordpack.report.level_shifts import Step
    from wordpack.report.measurements import Key
    from wordpack.solving.workload import Challenge

SCRIPTS = (
    "data", "text", "tables", "baseline", "charts", "spread", "curves", "history", "start"
)  # fmt: skip
"""Scripts in templates/, each after those that it needs."""

TIMED, GROWTH, ENERGY = "search", "growth", "energy"
"""Series with their own sections."""


ICONS = re.compile(r"https://[a-z.]+/npm/@mapbox/maki@[0-9.]+")

MANY = 1000
"""Lines above which a browser lays out only the visible rows."""


@dataclass(frozen=True)
class About:
    """What a page says about itself."""

    sources: tuple[str, ...]
    """The folders and files that were read."""
    command: str
    version: str
    """wordpack's version."""
    date: str
    baseline: Baseline = field(default_factory=Baseline)
    published: tuple[tuple[System, Run], ...] = RUNS
    """Published runs, shown beside ours but never ranked: other machines, other years."""
    csv: str = ""
    """The name of the CSV file beside the page; empty if there is none."""
    json: str = ""


def render(
    found: Measurements, about: About, steps: Mapping[Key, Sequence[Step]] | None = None
) -> str:
    """Return the page; raise InputError if jinja2 or plotly is not installed.

    `steps` are the lasting changes of lines: they are marked in the histories and listed.
    """
    environment, plotly = _environment()
    lines = latest(found)
    steps = steps or {}
    document = figures.data(found, lines, steps, about.published)
    # ours first: tables can be sorted while the browser still loads plotly
    scripts = ["\n".join(_template(f"{name}.js") for name in SCRIPTS), plotly]
    page = environment.get_template("report.html.j2").render(
        about=about,
        policy=_policy(scripts),
        style=_as_is(_template("report.css")),
        scripts=[_as_is(script) for script in scripts],
        data=_as_is(figures.embedded(document)),
        downloads=[quote(name, errors="replace") for name in (about.csv, about.json) if name],
        found=found,
        lines=lines,
        cards=cards(found, lines),
        absences=absences(lines),
        rates=rates(line for line in lines if line.key.series == GROWTH),
        changes=_changes(found, lines, steps),
        **_sections(found, lines, about),
    )
    return page.encode("utf-8", "replace").decode("utf-8")


def _sections(found: Measurements, lines: Sequence[Line], about: About) -> dict[str, Any]:
    """Return the rows of all tables by section, and what else the templates need."""
    compared = Compared(lines, about.baseline)
    by_series: dict[str, list[Line]] = {name: [] for name in found.series}
    for line in lines:
        by_series[line.key.series].append(line)
    return {
        "search": _by_instance(by_series.pop(TIMED, []), compared),
        "growth": _together(by_series.pop(GROWTH, []), compared),
        "energy": _together(by_series.pop(ENERGY, []), compared),
        "others": [
            (found.series[name], _together(each, compared)) for name, each in by_series.items()
        ],
        "series": found.series.get(TIMED) or Series(TIMED, "Search", "seconds"),
        "backends": list(dict.fromkeys(line.key.backend for line in lines if line.key.backend)),
        "instances": INSTANCES,
        "known": _known,
        "headline": headline,
        "published": {
            name: [(system, run) for system, run in about.published if run.instance == name]
            for name in {run.instance for _, run in about.published}
        },
        "baseline": about.baseline,
        "own": OWN,
        "several": _several(lines),
        "untold": UNTOLD,
        "many": MANY,
        "states": list(State),
        "used": sorted({line.point.origin for line in lines}),
    }


def _known(named: Challenge) -> str:
    """Return the known answer of an instance, such as "538 packings, 831 solutions"."""
    numbers_of = vars(named.expected)
    columns = WORKLOADS[named.workload].columns
    return ", ".join(
        f"{numbers_of[column]:,} {column.removesuffix('s') if numbers_of[column] == 1 else column}"
        for column in columns
    )


def _by_instance(lines: Sequence[Line], compared: Compared) -> dict[str, list[RankedLine]]:
    instances: dict[str, list[Line]] = {}
    for line in lines:
        instances.setdefault(line.key.instance, []).append(line)
    return {name: rows(each, compared) for name, each in instances.items()}


def _together(lines: Sequence[Line], compared: Compared) -> list[RankedLine]:
    """Return the rows of one table for a whole series, instance by instance."""
    return [row for each in _by_instance(lines, compared).values() for row in each]


def _several(lines: Sequence[Line]) -> set[str]:
    """Return the machines that have results from several environments."""
    pairs = {(line.key.machine, line.key.environment) for line in lines}
    counts = Counter(machine for machine, _ in pairs)
    return {machine for machine, count in counts.items() if count > 1}


def _changes(
    found: Measurements, lines: Sequence[Line], steps: Mapping[Key, Sequence[Step]]
) -> list[tuple[Line, Step]]:
    """Return the steps of all lines, each with the point where it begins, the worst first."""
    listed = []
    for line in lines:
        if line.key in steps:
            points = found.points(line.key)
            listed += [(line._replace(point=points[s.place]), s) for s in steps[line.key]]
    return sorted(listed, key=lambda pair: -pair[1].after / (pair[1].before or 1))


def _policy(scripts: Sequence[str]) -> str:
    """Return a Content-Security-Policy that runs only these scripts and loads nothing.

    It allows inline styles and data images, because plotly needs both.
    """
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in scripts
    )
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _environment() -> tuple[jinja2.Environment, str]:
    """Return jinja's environment and plotly's script."""
    missing = (
        "the page needs jinja2 and plotly, and {} is not installed: pip install 'wordpack[report]'"
    )
    with loaded("jinja2", missing.format("jinja2"), InputError):
        import jinja2
    with loaded("plotly", missing.format("plotly"), InputError):
        from plotly.offline import get_plotlyjs

        # plotly's maps, unused here, would load icons from a public host
        plotly = ICONS.sub("", get_plotlyjs())
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_template),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: numbers.plain(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., str]] = {
        "breakable": _breakable,
        "figure": numbers.figure,
        "ratio": numbers.ratio,
        "moment": numbers.moment,
    }
    environment.filters.update(filters)
    return environment, plotly


def _template(name: str) -> str:
    return files("wordpack.report").joinpath("templates", name).read_text(encoding="utf-8")


def _breakable(name: str) -> Markup:
    """Return a name as HTML that can break after its underscores."""
    from markupsafe import escape

    return escape(numbers.plain(name)).replace("_", _as_is("_<wbr>"))


def _as_is(text: str) -> Markup:
    """Mark our own or already escaped text as HTML."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704  never raw data
