"""Solve one instance with one backend: load, prepare, search, verify, realize, write."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from time import perf_counter
from typing import Any, Protocol

from wordpack.backend import choosing, fallback
from wordpack.backend.base import Options, Search
from wordpack.backend.fallback import Unusable
from wordpack.backend.row import Row
from wordpack.errors import InputError, Unavailable, WrongAnswer
from wordpack.machine.metering import Readings, TimedParts, facts_of, metered
from wordpack.machine.nvml import Facts
from wordpack.packing import realization
from wordpack.packing.answer import Answer, Counts, Distinct, Packings, concatenate, verify
from wordpack.packing.problem import Problem
from wordpack.solving.instances import Expected, Instance
from wordpack.solving.loading import Loaded, load
from wordpack.system.writing import destination, is_stdout
from wordpack.text.output import WRITERS, Writer
from wordpack.text.progress import bar

LISTED = 10_000_000
"""Rows that are held, sorted and shown; a longer answer streams to --output."""

PART = 1 << 20
"""Packings asked of a search at a time."""


@dataclass(frozen=True)
class Request:
    """What `wordpack solve` was asked for."""

    instance: Instance
    backend: str = "auto"
    options: Options = field(default_factory=Options)
    work: bool = False
    packings: bool = False
    """One row a packing, not one a solution."""
    format: str = "text"
    output: str | None = None
    """A file for the rows, however many; None or "-" for standard output."""

    in_parts: bool = False
    """Leave the packings where a cluster's workers have written them."""

    @property
    def to_file(self) -> bool:
        """Whether rows go where any number of them may go."""
        return not is_stdout(self.output)


@dataclass
class Report:
    """What was found and how; `tail` is its JSON without the rows."""

    request: Request
    row: Row
    loaded: Loaded
    searches: "Searches"
    search: Search
    seconds: dict[str, float | None]
    estimates: dict[str, float]
    """Seconds by backend that its choice was made by."""
    counts: Counts = field(default_factory=lambda: Counts(0, 0))
    digest: str | None = None
    verified: str | None = None
    agreed_with: str | None = None
    """The backend that counted the same, where nothing else shows it."""
    work: dict[str, int] = field(default_factory=dict)
    streamed: bool = False
    facts: Facts | None = None
    """What names a device that is not the processor."""
    readings: Readings = field(default_factory=dict)
    cluster: dict[str, Any] = field(default_factory=dict)
    """How a cluster shared the work, where one did."""
    unusable: Unusable = field(default_factory=dict)
    """Libraries that turned out to be of no use when the backend was chosen, and why."""

    def head(self) -> dict[str, Any]:
        """Return what is known before the search."""
        known: dict[str, Any] = {
            "schema": 1,
            "instance": self.request.instance.name,
            "backend": self.row.name,
            "device": self.search.device,
            "dropped": self.loaded.dropped.counts(),
        }
        return known | ({"device_facts": self.facts} if self.facts is not None else {})

    def tail(self) -> dict[str, Any]:
        """Return what is known after it."""
        found: dict[str, Any] = {
            "packings": self.counts.packings,
            "solutions": self.counts.solutions,
            "work": self.work,
            "seconds": self.seconds,
            "verified": self.verified,
        }
        if self.digest is not None:
            found["digest"] = self.digest
        if self.readings:
            found["readings"] = self.readings
        if self.cluster:
            found["cluster"] = self.cluster
        if self.loaded.problem.impossible:
            found["impossible"] = self.loaded.problem.impossible
        return found


class Searches(Protocol):
    """Where searches run: in this process, or on a cluster."""

    def choose(
        self, request: Request, problem: Problem, unusable: Unusable
    ) -> tuple[Row, dict[str, float]]:
        """Return the backend, and the seconds by name that it was chosen by.

        Libraries that cannot be used are in `unusable`, and more are added as they are found.
        """
        ...

    def prepare(self, row: Row, loaded: Loaded, options: Options) -> Search:
        """Return the prepared search."""
        ...

    def listed(self, report: Report) -> Packings | None:
        """Return all packings of a problem that were only counted; None where that is too long."""
        ...

    def counted_again(self, report: Report) -> Answer:
        """Return the numbers, with counters, of a search whose rows were not held."""
        ...

    def finished(self, report: Report) -> None:
        """Add what is known of where it ran, before the numbers are written."""
        ...


class Here:
    """In this process."""

    def choose(
        self, request: Request, problem: Problem, unusable: Unusable
    ) -> tuple[Row, dict[str, float]]:
        """Return the backend that the request names, or the quickest."""
        return choosing.choose(request.backend, problem, request.options, unusable)

    def prepare(self, row: Row, loaded: Loaded, options: Options) -> Search:
        """Return the backend's own search."""
        search: Search = row.load().prepare(loaded.problem, options)
        return search

    def listed(self, report: Report) -> Packings | None:
        """List with the same backend."""
        listing = replace(report.request.options, count_only=False)
        search = self.prepare(report.row, report.loaded, listing)
        return concatenate(report.loaded.problem, list(search.parts(PART)))

    def counted_again(self, report: Report) -> Answer:
        """Count with the same backend."""
        counting = replace(report.request.options, count_only=True)
        return self.prepare(report.row, report.loaded, counting).run(work=True)

    def finished(self, _report: Report) -> None:
        """Nothing more is known."""


def solve(request: Request, searches: Searches | None = None) -> Report:
    """Solve and write the rows; raise WrongAnswer, with nothing written, for a wrong answer."""
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

    with destination(request.output) as stream:
        row, estimates, search, unusable = fallback.prepared(
            lambda unusable: searches.choose(request, loaded.problem, unusable),
            prepare,
            auto=request.backend == "auto",
        )
        report = Report(
            request, row, loaded, searches, search, seconds, estimates, facts=facts_of(search)
        )
        report.unusable = unusable
        writer = WRITERS[request.format](stream, loaded.problem.picks)
        if request.options.count_only:
            _count(report)
            searches.finished(report)
            writer.end(report.head() | report.tail())
        elif request.in_parts:
            _list_in_parts(report)
            searches.finished(report)
            writer.end(report.head() | report.tail())
        else:
            _list(report, writer)
            searches.finished(report)
            writer.end(report.tail())
    return report


def _count(report: Report) -> None:
    with metered(report.facts) as report.readings:
        started = perf_counter()
        answer = report.search.run()
        taken = perf_counter() - started
    report.counts = answer.counts()
    _add_work(report)
    expected = report.request.instance.expected
    if expected:
        _compare(report, expected)
        report.verified = "expected"
    elif (
        report.counts.packings > LISTED
        or report.row.counts_only
        # nothing is known of this problem: list it untimed, and let the verifier count
        or (whole := report.searches.listed(report)) is None
    ):
        _confirm(report)
    else:
        verify(whole)
        if (len(whole), whole.solutions()) != (report.counts.packings, report.counts.solutions):
            raise WrongAnswer(
                f"{report.row.name} counts {report.counts.packings} packings and lists {len(whole)}"
            )
        report.verified = "valid"
    # a time is shown only beside an answer that was verified
    report.seconds["search"] = taken if report.verified else None


def _confirm(report: Report) -> None:
    """Count what cannot be listed once more, untimed, by another algorithm where one can."""
    problem, options = report.loaded.problem, report.request.options
    other = choosing.confirming(report.row, problem, options, report.unusable)
    if other is None:
        return
    try:
        answer = other.load().prepare(problem, other.honoured(options)).run()
    except (InputError, Unavailable):
        return  # it lacks memory or its library, which says nothing of the count
    again = answer.counts()
    if (again.packings, again.solutions) != (report.counts.packings, report.counts.solutions):
        raise WrongAnswer(
            f"{report.row.name} counts {report.counts.packings} packings and "
            f"{report.counts.solutions} solutions, {other.name} {again.packings} and "
            f"{again.solutions}: one of them is wrong"
        )
    report.verified, report.agreed_with = "agreed", other.name


def _list(report: Report, writer: Writer) -> None:
    """Write the rows, sorted where they can be held, else part by part as they are found."""
    parts = TimedParts(report.search.parts(PART), report.facts)
    held: list[Packings] = []
    rows = 0
    for part in parts:
        held.append(part)
        rows += len(part) if report.request.packings else part.solutions()
        if rows > LISTED:
            report.streamed = True
            _stream(report, writer, chain(held, parts))
            report.seconds["search"], report.readings = parts.seconds, parts.readings
            return
    whole = concatenate(report.loaded.problem, held)
    verify(whole)
    report.counts, report.digest = whole.counts(), whole.digest()
    report.seconds["search"], report.readings = parts.seconds, parts.readings
    _settle(report)
    _add_work(report)
    started = perf_counter()
    table, labels = _table(report, whole)
    report.seconds["realize"] = perf_counter() - started
    writer.rows(report.head(), realization.to_words(table, labels))


def _list_in_parts(report: Report) -> None:
    """Leave the packings where they are; each was verified there.

    To read them in order shows that all are different: see `wordpack.cluster.parts.merged`.
    """
    parts = TimedParts(report.search.parts(PART), report.facts)
    packings = solutions = 0
    held: list[Packings] = []
    for part in parts:
        packings += len(part)
        solutions += part.solutions()
        if packings <= LISTED:
            held.append(part)
        else:
            held.clear()
    if packings <= LISTED:
        report.digest = concatenate(report.loaded.problem, held).digest()
    report.counts, report.streamed = Counts(packings, solutions), True
    report.seconds["search"] = parts.seconds
    _settle(report)
    _add_work(report)


def _stream(report: Report, writer: Writer, parts: Iterable[Packings]) -> None:
    """Write an answer that is too long to hold, in the search's own order."""
    seen = Distinct()
    packings = solutions = 0
    realize = 0.0

    def rows(wrote: Callable[[int], None]) -> Iterator[tuple[str, ...]]:
        nonlocal packings, solutions, realize
        for part in parts:
            verify(part)
            seen.add(part)
            packings += len(part)
            solutions += part.solutions()
            # without a place for the rows they are counted only
            for block in realization.blocks(part, PART) if report.request.to_file else ():
                started = perf_counter()
                table, labels = _table(report, block)
                realize += perf_counter() - started
                yield from realization.to_words(table, labels)
                wrote(len(table))

    expected, total = report.request.instance.expected, None
    if expected:
        total = expected.packings if report.request.packings else expected.solutions
    if report.request.to_file:
        with bar(total) as wrote:
            writer.rows(report.head(), rows(wrote))
    else:
        deque(rows(lambda _rows: None), maxlen=0)
    report.counts, report.seconds["realize"] = Counts(packings, solutions), realize
    if not seen.all_different():
        raise WrongAnswer(f"{report.row.name} listed a packing more than once")
    _settle(report)
    if not report.request.to_file:
        raise InputError(
            f"{packings:,} packings and {solutions:,} solutions are more than {LISTED:,} rows: "
            "write them with --output FILE, or leave them out with --count-only"
        )
    _add_work(report)


def _table(
    report: Report, packings: Packings
) -> tuple[realization.Ranks, list[realization.Labels]]:
    groups = report.loaded.signatures
    if report.request.packings:
        return (
            realization.packing_ranks(packings, groups),
            realization.packing_labels(packings, groups),
        )
    return (
        realization.solution_ranks(packings, groups),
        realization.solution_labels(packings, groups),
    )


def _settle(report: Report) -> None:
    """Set how strongly the verified rows of `report` are known to be the whole answer."""
    report.verified = "valid"
    expected = report.request.instance.expected
    if expected:
        _compare(report, expected)
        # as many different valid packings as there are can only be all of them
        report.verified = "expected"


def _compare(report: Report, expected: Expected) -> None:
    found = (report.counts.packings, report.counts.solutions)
    if found != (expected.packings, expected.solutions):
        raise WrongAnswer(
            f"{report.row.name} found {found[0]} packings and {found[1]} solutions of "
            f"{report.request.instance.name}, which has {expected.packings} and "
            f"{expected.solutions}"
        )
    if report.digest and expected.digest and report.digest != expected.digest:
        raise WrongAnswer(f"{report.row.name} found other packings than those known")


def _add_work(report: Report) -> None:
    if not report.request.work:
        return
    if report.streamed:
        answer = report.searches.counted_again(report)
    else:
        answer = report.search.run(work=True)
    again = answer.counts()
    if (again.packings, again.solutions) != (report.counts.packings, report.counts.solutions):
        raise WrongAnswer(f"{report.row.name} found {again.packings} packings when run again")
    report.work = answer.work
