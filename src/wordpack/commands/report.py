"""`wordpack report`: build a page of results, or compare two sets of results."""

from typing import Any

import click
from click.core import ParameterSource

OF_PAGE = {"output": "output", "baseline": "baseline", "baseline_machine": "baseline-machine"}
OF_CHECK = {
    "threshold": "threshold",
    "level": "p",
    "machine": "machine",
    "form": "format",
    "base_commit": "base-commit",
    "new_commit": "new-commit",
    "series": "series",
}
"""Options of the page and of --check; each is refused in the other use."""


@click.command(short_help="Show results of any machines on a page, or compare two sets.")
@click.argument("sources", nargs=-1, required=True, metavar="RESULTS...")
@click.option("--output", metavar="FILE", help="Write the page here, and its figures next to it.")
@click.option(
    "--baseline",
    metavar="BACKEND",
    help="Initial baseline for speed-ups (default: filtered_arrays, else the slowest).",
)
@click.option("--baseline-machine", metavar="NAME", help="The machine of the initial baseline.")
@click.option(
    "--check",
    is_flag=True,
    help="Compare two sets of results, BASE and NEW; exit with 1 on a regression.",
)
@click.option(
    "--threshold",
    type=float,
    default=1.10,
    show_default=True,
    metavar="RATIO",
    help="With --check: ignore smaller changes of the median.",
)
@click.option(
    "--p",
    "level",
    type=float,
    default=0.002,
    show_default=True,
    metavar="P",
    help="With --check: ignore changes with a higher p-value.",
)
@click.option("--machine", metavar="NAME", help="With --check: compare only this machine.")
@click.option(
    "--base-commit", metavar="HASH", help="With --check: the commit of BASE, 8 digits or more."
)
@click.option(
    "--new-commit", metavar="HASH", help="With --check: the commit of NEW (default: the newest)."
)
@click.option(
    "--series",
    multiple=True,
    metavar="NAME",
    help="With --check: compare only this series; may be repeated.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="With --check: the output format.",
)
@click.pass_context
def report(context: click.Context, /, **given: Any) -> None:
    """Show RESULTS on one page, or compare two sets of results.

    RESULTS are asv's results folders, files from `wordpack results pack`, or files from
    `wordpack race --json`. A race file's machine is named after the file; write MACHINE=FILE to
    choose the name. CSV and JSON files with the same figures are written next to the page.

    With --check, the exit status is 0 without a regression, 1 for a regression or a lost result,
    and 2 for bad input or nothing to compare.

    \b
    wordpack report .asv/results m1-2021.zip i7=race.json --output report.html
    wordpack report --check before.zip after.zip --machine i7-2010
    wordpack report --check .asv/results .asv/results --base-commit 1a2b3c4d
    wordpack report --check i7=old.json i7=new.json --threshold 1.2
    """
    others = OF_PAGE if given["check"] else OF_CHECK
    for name, option in others.items():
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            use = "the page, not to --check" if given["check"] else "--check"
            raise click.UsageError(f"--{option} belongs to {use}")
    if given["check"]:
        context.exit(_check(given))
    if not given["output"]:
        raise click.UsageError("give --output FILE for the page, or --check BASE NEW")
    from wordpack.report import writing

    lines = writing.write(
        given["sources"], given["output"], given["baseline"], given["baseline_machine"]
    )
    click.echo("\n".join(lines))


def _check(given: dict[str, Any]) -> int:
    try:
        base, new = given["sources"]
    except ValueError:
        raise click.UsageError(
            f"--check compares BASE with NEW: {len(given['sources'])} given"
        ) from None
    from wordpack.report import check_output
    from wordpack.report.check import Comparison
    from wordpack.report.regressions import Rule

    request = Comparison(
        base,
        new,
        Rule(given["threshold"], given["level"]),
        machine=given["machine"],
        base_commit=given["base_commit"],
        new_commit=given["new_commit"],
        series=given["series"],
    )
    return check_output.run(request, given["form"])
