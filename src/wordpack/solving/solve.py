"""Solve one instance with one backend: load, prepare, search, verify, realize, write."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from time import perf_counter

from wordpack.backend import choosing, fallback
from wordpack.backend.base import Options, Search
from wordpack.backend.fallback import Unusable
from wordpack.backend.row import Row
from wordpack.errors import InputError, Unavailable
from wordpack.machine.metering import facts_of, metered
from wordpack.packing.answer import Answer, Packings, concatenate, verify
from wordpack.packing.problem import Problem
from wordpack.solving import listing
from wordpack.solving.judge import Second, numbers
from wordpack.solving.listing import list_in_parts, list_rows
from wordpack.solving.loading import Loaded, load
from wordpack.solving.report import Report, Request, Searches
from wordpack.solving.settling import add_work, settle
from wordpack.text.output import Writer
from wordpack.text.progress import share_bar


class Here:
    """Run searches in this process."""

    def choose(
        self, request: Request, problem: Problem, unusable: Unusable
    ) -> tuple[Row, dict[str, float]]:
        """Return the backend that the request names, or the one that 'auto' chooses."""
        return choosing.choose(request.backend, problem, request.options, unusable)

    def prepare(self, row: Row, loaded: Loaded, options: Options) -> Search:
        """Return the backend's own search."""
        search: Search = row.load().prepare(loaded.problem, options)
        return search

    def listed(self, report: Report) -> Packings | None:
        """List with the same backend."""
        options = replace(report.request.options, count_only=False)
        search = self.prepare(report.row, report.loaded, options)
        return concatenate(report.loaded.problem, list(search.parts(listing.PART)))

    def counted_again(self, report: Report) -> Answer:
        """Count with the same backend."""
        counting = replace(report.request.options, count_only=True)
        return self.prepare(report.row, report.loaded, counting).run(work=True)

    def finished(self, _report: Report) -> None:
        """Add nothing: nothing more is known."""


def solve(
    request: Request,
    write: Callable[[int], Writer] | None = None,
    searches: Searches | None = None,
) -> Report:
    """Solve, and write the rows to the writer that `write` makes for that many words per row.

    Without `write`, the report holds the packings if they fit in memory. Raises WrongAnswer for a
    wrong answer.
    """
    searches = searches or Here()
    started = perf_counter()
    loaded = load(request.instance.spec)
    seconds: dict[str, float | None] = dict.fromkeys(("load", "prepare", "search", "realize"), 0.0)
    seconds["load"] = perf_counter() - started

    def prepare(row: Row) -> Search:
        started = perf_counter()
        search = searches.prepare(row, loaded, request.options)
        seconds["prepare"] = perf_counter() - started
        return search

    row, estimates, search, unusable = fallback.prepared(
        lambda unusable: searches.choose(request, loaded.problem, unusable),
        prepare,
        auto=request.backend == "auto",
    )
    report = Report(
        request, row, loaded, searches, search, seconds, estimates, facts=facts_of(search)
    )
    report.unusable = unusable
    writer = write(loaded.problem.picks) if write else None
    listed = not request.options.count_only and not request.in_parts

    def share() -> float | None:
        return search.time_share() or search.progress()

    with share_bar(share) if request.progress else nullcontext():
        if request.options.count_only:
            _count(report)
        elif request.in_parts:
            list_in_parts(report)
        else:
            list_rows(report, writer)
    searches.finished(report)
    if writer:
        writer.end(report.tail() if listed else report.head() | report.tail())
    return report


def _count(report: Report) -> None:
    with metered(report.facts) as report.readings:
        started = perf_counter()
        answer = report.search.run()
        taken = perf_counter() - started
    report.counts = answer.counts()
    add_work(report)
    settle(report, partial(_second, report), valid=False)
    # no time without a verified answer
    report.seconds["search"] = taken if report.verified else None


def _second(report: Report) -> Second | None:
    """List the packings, untimed, and let the verifier count them.

    If they cannot be listed, count them again by another algorithm; return None if none can.
    """
    long = report.counts.packings > listing.LISTED or report.row.counts_only
    whole = None if long else report.searches.listed(report)
    if whole is not None:
        verify(whole)
        return Second(numbers(whole.counts()), "valid", report.row.name)
    problem, options = report.loaded.problem, report.request.options
    other = choosing.confirming(report.row, problem, options, report.unusable)
    if other is None:
        return None
    try:
        answer = other.load().prepare(problem, other.honoured(options)).run()
    except (InputError, Unavailable):
        return None  # out of memory or without its library: no verdict on the count
    return Second(numbers(answer), "agreed", other.name)
