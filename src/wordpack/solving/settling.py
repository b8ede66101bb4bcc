"""Judge a report once the numbers of its answer are known."""

from collections.abc import Callable

from wordpack.errors import WrongAnswer
from wordpack.solving.judge import Difference, Second, difference, judge, numbers
from wordpack.solving.report import Report


def settle(
    report: Report, confirm: Callable[[], Second | None] | None = None, *, valid: bool = True
) -> None:
    """Set how strongly the answer of `report` is verified; raise WrongAnswer if it is wrong.

    `valid` says that the verifier has seen all rows; `confirm` takes a second look.
    """
    found = numbers(report.counts) | {"digest": report.digest}
    verdict = judge(found, report.request.instance.expected, confirm, valid=valid)
    if verdict.differs:
        raise WrongAnswer(_said(report, verdict.differs, verdict.second))
    report.verified = verdict.strength
    if verdict.strength == "agreed" and verdict.second:
        report.agreed_with = verdict.second.by


def _said(report: Report, differs: Difference, second: Second | None) -> str:
    name, counts = report.row.name, report.counts
    if differs.what == "digest":
        return f"{name} found other packings than those known"
    if second is None:
        due = report.request.instance.expected
        assert due is not None  # noqa: S101  the answer was compared with it
        return (
            f"{name} found {counts.packings} packings and {counts.solutions} solutions of "
            f"{report.request.instance.name}, which has {due.packings} and {due.solutions}"
        )
    if second.by == name:
        return f"{name} counts {counts.packings} packings and lists {second.numbers['packings']}"
    return second.contradiction(name, counts)


def add_work(report: Report) -> None:
    """Run again for the counters, if requested; raise WrongAnswer if this answer differs."""
    if not report.request.work:
        return
    if report.streamed:
        answer = report.searches.counted_again(report)
    else:
        answer = report.search.run(work=True)
    counted = answer.counts()
    if difference(numbers(counted), numbers(report.counts)):
        raise WrongAnswer(f"{report.row.name} found {counted.packings} packings when run again")
    report.work = answer.work
