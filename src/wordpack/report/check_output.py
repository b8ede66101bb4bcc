"""Print the outcome of a check: a table of what changed, or JSON."""

from __future__ import annotations

import json
import sys
from math import isfinite
from typing import TYPE_CHECKING, Any

from wordpack.report.check import check
from wordpack.report.check_sides import named, started
from wordpack.report.measurements import State
from wordpack.report.regressions import Verdict
from wordpack.text.formatting import counted, duration, shown
from wordpack.text.tables import printing

if TYPE_CHECKING:
    from rich.table import Table

    from wordpack.report.check import Comparison, LinePair, Outcome
    from wordpack.report.check_sides import Side
    from wordpack.report.measurements import Point

QUIET = (Verdict.SAME, Verdict.NEITHER)
"""Verdicts that are counted, but not in the table."""

STYLES = {Verdict.SLOWER: "bold red", Verdict.LOST: "bold red", Verdict.UNDECIDED: "yellow"}


def run(request: Comparison, form: str) -> int:
    """Compare, print as `form` (text or json), and return the exit status."""
    outcome = check(request)
    if form == "json":
        sys.stdout.write(json.dumps(_as_json(outcome), indent=1, allow_nan=False) + "\n")
        return outcome.status
    with printing() as console:
        if any(line.change.verdict not in QUIET for line in outcome.lines):
            console.print(_table(outcome))
        console.print("\n".join(_notes(outcome)), markup=False, highlight=False, soft_wrap=True)
    return outcome.status


def _table(outcome: Outcome) -> Table:
    """Return what changed or is undecided: failures first, then by falling ratio."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    made = Table(box=SIMPLE_HEAD, padding=(0, 0, 0, 0), pad_edge=False, show_edge=False)
    several = len({_place(line) for line in outcome.lines}) > 1
    second = "\nmachine, environment" if several else ""
    made.add_column("series, backend, instance" + second, ratio=1)
    for heading in ("before", "after", "ratio"):
        made.add_column(heading, justify="right", no_wrap=True)
    made.add_column("test", max_width=30)
    made.add_column("verdict", no_wrap=True)
    places = {verdict: place for place, verdict in enumerate(Verdict)}

    def order(line: LinePair) -> tuple[int, float]:
        return places[line.change.verdict], -(line.change.ratio or 0.0)

    for line in sorted(outcome.lines, key=order):
        change = line.change
        if change.verdict in QUIET:
            continue
        cells = (
            _line_name(line) + (f"\n{_place(line)}" if several else ""),
            _value(line.before, line.unit),
            _value(line.after, line.unit),
            "" if change.ratio is None else f"{change.ratio:.3g}",
            change.why,
        )
        verdict = Text(change.verdict, style=STYLES.get(change.verdict, ""))
        made.add_row(*map(Text, cells), verdict)
    return made


def _line_name(line: LinePair) -> str:
    key = line.key
    return " ".join(
        shown(part) for part in (key.series, key.backend, key.instance, key.rest) if part
    )


def _place(line: LinePair) -> str:
    return shown(f"{line.key.machine}, {line.key.environment}")


def _value(point: Point | None, unit: str) -> str:
    if point is None:
        return "-"
    if point.value is None or point.state is State.WRONG:
        return str(point.state)
    if unit == "seconds":
        return duration(point.value)
    if unit == "bytes":
        return f"{point.value / 2**20:,.1f} MiB"
    return f"{point.value:.4g} {shown(unit, 12)}"


def _notes(outcome: Outcome) -> list[str]:
    """Return the lines below the table, the totals last."""
    rule, totals = outcome.request.rule, outcome.totals
    said = [
        f"{name}: {named(outcome.base.moments[name])} before, "
        f"{named(outcome.new.moments[name])} after"
        for name in outcome.machines
    ]
    environments = sorted({shown(line.key.environment) for line in outcome.lines})
    said += [f"in {environments[0]}"] * (len(environments) == 1)
    said += outcome.notes
    said += [
        f"{_line_name(line)}: {line.change.verdict}: {shown(line.after.reason, 300)}"
        for line in outcome.lines
        if line.change.verdict not in QUIET and line.after and line.after.reason
    ]
    tested = ", ".join(f"{count} by {test}" for test, count in outcome.tested.items() if count)
    if tested:
        said.append(
            f"changed: the medians' ratio is beyond {rule.threshold:g}, and p < {rule.level:g} and "
            "both halves of the samples agree, or the 99 % intervals do not overlap"
        )
        said.append(
            f"tested: {tested}; by chance alone at most {outcome.by_chance:.2g} of them pass the "
            "test, and fewer also pass the threshold; runs of one process share its luck, so "
            "measure again before you trust a change"
        )
    counts = [f"{count:,} {verdict}" for verdict, count in totals.items() if count]
    noise = f" ({outcome.noise:,} same within the noise, beyond the threshold)"
    said.append(
        f"{counted(len(outcome.lines), 'line')}: "
        + ", ".join(counts)
        + (noise if outcome.noise else "")
    )
    return said


def _as_json(outcome: Outcome) -> dict[str, Any]:
    """Return the whole outcome, unchanged lines too; schema: wordpack/schemas/check.json."""
    rule = outcome.request.rule
    return {
        "schema": 1,
        "threshold": rule.threshold,
        "p": rule.level,
        "status": outcome.status,
        "base": _side(outcome, outcome.base),
        "new": _side(outcome, outcome.new),
        "totals": outcome.totals,
        "same_within_noise": outcome.noise,
        "tested": outcome.tested,
        "by_chance_at_most": outcome.by_chance,
        "notes": outcome.notes,
        "lines": [_line(outcome, line) for line in outcome.lines],
    }


def _side(outcome: Outcome, side: Side) -> dict[str, Any]:
    moments = {name: side.moments[name] for name in outcome.machines}
    return {
        "source": side.source,
        "machines": {
            name: {"commit": moment[1], "date": started(moment)} for name, moment in moments.items()
        },
    }


def _line(outcome: Outcome, line: LinePair) -> dict[str, Any]:
    change = line.change
    ratio = change.ratio if change.ratio is not None and isfinite(change.ratio) else None
    return {
        **line.key._asdict(),
        "unit": line.unit,
        "before": _point(line.before, outcome.base),
        "after": _point(line.after, outcome.new),
        "verdict": change.verdict,
        "ratio": ratio,
        "test": change.test,
        "p": change.p,
        "why": change.why,
    }


def _point(point: Point | None, side: Side) -> dict[str, Any] | None:
    if point is None:
        return None
    return {
        "state": point.state,
        "value": point.value,
        "samples": len(point.samples),
        "interval": point.interval,
        "reason": point.reason,
        "file": side.found.origins[point.origin].file,
    }
