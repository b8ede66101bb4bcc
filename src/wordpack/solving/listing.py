"""List the rows of an answer: sorted if they can be held, else in parts as they are found."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from time import perf_counter

from wordpack.errors import InputError, WrongAnswer
from wordpack.machine.metering import TimedParts
from wordpack.packing import realization
from wordpack.packing.answer import Counts, Distinct, Packings, concatenate, verify
from wordpack.solving.report import Report
from wordpack.solving.settling import add_work, settle
from wordpack.text.output import Writer
from wordpack.text.progress import bar

LISTED = 10_000_000
"""The most rows that are held, sorted and shown; a longer answer is streamed to `output`."""

PART = 1 << 20
"""The most packings that a search returns at a time."""


def list_rows(report: Report, writer: Writer | None) -> None:
    """Write the rows: sorted if they fit in memory, else in parts, in search order.

    Without a writer, the packings are held, or only counted if there are too many.
    """
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
    settle(report)
    add_work(report)
    if writer is None:
        report.held = whole
        return
    started = perf_counter()
    table, labels = _table(report, whole)
    report.seconds["realize"] = perf_counter() - started
    writer.rows(report.head(), realization.to_words(table, labels))


def list_in_parts(report: Report) -> None:
    """Count packings that stay where the workers wrote them; each was verified there.

    Reading them in order shows that all are different: see `wordpack.cluster.parts.merged`.
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
    settle(report)
    add_work(report)


def _stream(report: Report, writer: Writer | None, parts: Iterable[Packings]) -> None:
    """Write an answer that is too long to hold, in search order."""
    seen = Distinct()
    written = writer is not None and report.request.unlimited
    packings = solutions = 0
    realize = 0.0

    def rows(wrote: Callable[[int], None]) -> Iterator[tuple[str, ...]]:
        nonlocal packings, solutions, realize
        for part in parts:
            verify(part)
            seen.add(part)
            packings += len(part)
            solutions += part.solutions()
            # without a file, the rows are only counted
            for block in realization.blocks(part, PART) if written else ():
                started = perf_counter()
                table, labels = _table(report, block)
                realize += perf_counter() - started
                yield from realization.to_words(table, labels)
                wrote(len(table))

    expected, total = report.request.instance.expected, None
    if expected:
        total = expected.packings if report.request.packings else expected.solutions
    if writer and written:
        with bar(total) as wrote:
            writer.rows(report.head(), rows(wrote))
    else:
        deque(rows(lambda _rows: None), maxlen=0)
    report.counts, report.seconds["realize"] = Counts(packings, solutions), realize
    if not seen.all_different():
        raise WrongAnswer(f"{report.row.name} listed a packing more than once")
    settle(report)
    if writer and not written:
        raise InputError(
            f"{packings:,} packings and {solutions:,} solutions are more than {LISTED:,} rows: "
            "write them with `output` FILE, or leave them out with `count_only`"
        )
    add_work(report)


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
