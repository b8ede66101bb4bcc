"""Count the points of a sweep, each by two algorithms if possible."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from time import perf_counter
from typing import Any

from wordpack.backend import fallback
from wordpack.backend.base import Options
from wordpack.backend.choosing import candidates, choose
from wordpack.backend.fallback import Unusable
from wordpack.backend.row import Row
from wordpack.errors import InputError, Unavailable, WrongAnswer
from wordpack.packing.answer import Counts, concatenate, verify
from wordpack.packing.problem import Problem
from wordpack.solving.judge import Second, judge, numbers
from wordpack.solving.sweep import Axes, Layout, Point, laid_out

FIXED = 4e-3
"""About how many seconds each point takes to draw words, plan, and prepare two backends."""

LISTED = 1_000_000
"""The most packings to list if no second algorithm can count them."""

SILENT = 20.0
"""A backend without an estimate is assumed to take this many times as long as the quickest."""

FIELDS = (
    *("problem", "list", "letters", "sample", "seed", "words", "signatures"),
    *("packings", "solutions", "verified", "backend", "seconds"),
)
"""The columns of a row; all but `seconds` are the same in every run."""


@dataclass(frozen=True)
class Where:
    """The resources that a process may count with."""

    threads: int | None = None
    """CPU threads of one search."""
    devices: bool = True
    """Whether a device may be used if it pays off."""


def sweep(axes: Axes) -> list[dict[str, Any]]:
    """Count all points in this process; return their rows, by FIELDS, in the points' order.

    `verified` is 'agreed' if two algorithms counted the same, 'valid' if packings were listed and
    verified, and None if neither is possible. `seconds` is for the first search alone, and None if
    `verified` is None. Raises InputError and WrongAnswer, which name the point.
    """
    layout = laid_out(axes)
    return list(rows_of(layout, count_points(layout, layout.points, Where())))


def count_points(layout: Layout, points: Iterable[Point], where: Where) -> Iterator[dict[str, Any]]:
    """Yield the results of each point: the fields of its row that `Layout.fields` lacks."""
    for point in points:
        try:
            yield _counted(layout.problem(point), where)
        except WrongAnswer as error:
            raise WrongAnswer(f"{layout.said(point)}: {error}") from None
        except InputError as error:
            raise InputError(f"{layout.said(point)}: {error}") from None


def rows_of(layout: Layout, found: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the row of each point."""
    for point, values in zip(layout.points, found, strict=True):
        known = layout.fields(point) | values
        yield {name: known[name] for name in FIELDS}


def estimated(layout: Layout) -> list[float]:
    """Return about how many seconds each point takes in one thread.

    Searches are estimated for whole lists only: a sample with the share s of the words has about
    s^k of the packings of k words.
    """
    whole: dict[tuple[int, int], float] = {}
    costs = []
    for point in layout.points:
        key, words = (point.pool, point.count), len(layout.pools[point.pool])
        if key not in whole:
            problem = layout.pools[point.pool].problem(point.count)
            counters = counters_of(problem, Options(), devices=False)
            other = _another(counters)
            whole[key] = counters[0][0] + (other[0] if other else 0.0)
        share = point.draw[1] / max(1, words) if point.draw else 1.0
        costs.append(FIXED + whole[key] * share**point.count)
    return costs


def _counted(problem: Problem, where: Where) -> dict[str, Any]:
    options = Options(count_only=True, threads=where.threads)

    def choose(unusable: Unusable) -> tuple[Row, list[tuple[float, Row]]]:
        counters = counters_of(problem, options, unusable, devices=where.devices)
        return counters[0][1], counters

    row, counters, search, unusable = fallback.prepared(
        choose, lambda row: row.load().prepare(problem, row.honoured(options)), auto=True
    )
    started = perf_counter()
    answer = search.run()
    taken = perf_counter() - started
    counts = answer.counts()
    second = partial(_second, problem, counts, options, counters, unusable)
    verdict = judge(numbers(counts), confirm=second)
    if verdict.differs and verdict.second:
        raise WrongAnswer(verdict.second.contradiction(row.name, counts))
    group = problem.groups[0]
    return {
        "words": group.words,
        "signatures": len(group.masks),
        "packings": counts.packings,
        "solutions": counts.solutions,
        "verified": verdict.strength,
        "backend": row.name,
        # no time without a verified answer
        "seconds": taken if verdict.strength else None,
    }


def counters_of(
    problem: Problem, options: Options, unusable: Unusable | None = None, *, devices: bool
) -> list[tuple[float, Row]]:
    """Return backends that count `problem` automatically, quickest first, with one-thread seconds.

    These are all backends with an estimate, and the first one without, which is assumed to take
    SILENT times as long as the quickest. Devices are considered only if `devices` allows it and
    the other backends take longer than the device takes to start. Raises InputError if no backend
    can count it.
    """
    one = replace(options, count_only=True, threads=1)
    found: list[tuple[float, Row]] = []
    silent: list[Row] = []
    why: list[str] = []
    every = candidates(problem, one, unusable, honoured=True)
    for each in sorted(every, key=lambda each: each.row.start_up):
        least = min((seconds for seconds, _ in found), default=inf)
        if each.row.start_up and (not devices or least < each.row.start_up):
            continue
        if silent and not each.estimates:
            continue
        if each.why_not is not None:
            why.append(f"{each.row.name}: {each.why_not}")
            continue
        try:
            seconds = each.seconds
        except Unavailable as reason:
            why.append(f"{each.row.name}: {reason}")
        else:
            if seconds is None:
                silent.append(each.row)
            else:
                found.append((seconds, each.row))
    if not found and not silent:
        raise InputError(f"no backend accepts this problem automatically; {'; '.join(why)}")
    least = min((seconds for seconds, _ in found), default=0.0)
    found += [(SILENT * least, each) for each in silent]
    return sorted(found, key=lambda pair: pair[0])


def _another(counters: list[tuple[float, Row]]) -> tuple[float, Row] | None:
    """Return the quickest CPU backend whose algorithm is not that of the quickest backend."""
    others = (
        pair
        for pair in counters
        if pair[1].algorithm != counters[0][1].algorithm and not pair[1].start_up
    )
    return next(others, None)


def _second(
    problem: Problem,
    counts: Counts,
    options: Options,
    counters: list[tuple[float, Row]],
    unusable: Unusable,
) -> Second | None:
    """Count again by another algorithm, or list a short answer; None if neither is possible."""
    other = _another(counters)
    if other is not None:
        answer = other[1].load().prepare(problem, other[1].honoured(options)).run()
        return Second(numbers(answer), "agreed", other[1].name)
    if counts.packings > LISTED:
        return None
    listing = replace(options, count_only=False)
    lister = choose("auto", problem, replace(listing, threads=None), unusable).row
    search = lister.load().prepare(problem, lister.honoured(listing))
    whole = concatenate(problem, list(search.parts(LISTED)))
    verify(whole)
    return Second(numbers(whole.counts()), "valid", lister.name)
