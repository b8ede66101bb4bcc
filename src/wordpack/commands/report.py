"""The command that shows results of any machines, or compares two sets of them."""

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
"""Options of one use, which have none in the other."""


@click.command(short_help="One page of any machines' results, or a comparison of two sets.")
@click.argument("sources", nargs=-1, required=True, metavar="RESULTS...")
@click.option("--output", metavar="FILE", help="The page; its figures go beside it.")
@click.option(
    "--baseline",
    metavar="BACKEND",
    help="What speed-ups are against at first (default: filtered_arrays, else the slowest).",
)
@click.option("--baseline-machine", metavar="NAME", help="On which machine.")
@click.option("--check", is_flag=True, help="Compare two, BASE and NEW; exit 1 on a regression.")
@click.option(
    "--threshold",
    type=float,
    default=1.10,
    show_default=True,
    metavar="RATIO",
    help="With --check: a smaller change of the median is none.",
)
@click.option(
    "--p",
    "level",
    type=float,
    default=0.002,
    show_default=True,
    metavar="P",
    help="With --check: a change that is likelier by chance is none.",
)
@click.option("--machine", metavar="NAME", help="With --check: only this machine.")
@click.option(
    "--base-commit", metavar="HASH", help="With --check: BASE's commit, 8 digits or more."
)
@click.option("--new-commit", metavar="HASH", help="With --check: NEW's (default: the newest).")
@click.option(
    "--series", multiple=True, metavar="NAME", help="With --check: only this; may be repeated."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="With --check: what is printed.",
)
@click.pass_context
def report(context: click.Context, /, **given: Any) -> None:
    """Show RESULTS on one page, or compare two: asv's folders, packed files, or race files.

    A race file does not name its machine: it is called as the file is, or MACHINE=FILE names it.
    CSV and JSON with the same figures are written beside the page.

    With --check, exit status 0 is no regression, 1 is a regression or a lost result, 2 is bad
    input or nothing to compare.

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
