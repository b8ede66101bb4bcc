"""The command that shows results of any machines, or compares two sets of them."""

from typing import Any

import click


@click.command(short_help="Compare two sets of results.")
@click.argument("sources", nargs=-1, required=True, metavar="RESULTS...")
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
    """Compare RESULTS: each a folder of asv's, a packed file, or a race file as MACHINE=FILE.

    With --check, exit status 0 is no regression, 1 is a regression or a lost result, 2 is bad
    input or nothing to compare.

    \b
    wordpack report --check before.zip after.zip --machine i7-2010
    wordpack report --check .asv/results .asv/results --base-commit 1a2b3c4d
    wordpack report --check i7=old.json i7=new.json --threshold 1.2
    """
    if not given["check"]:
        raise click.UsageError("the page is still to come: give --check BASE NEW")
    context.exit(_check(given))


def _check(given: dict[str, Any]) -> int:
    try:
        base, new = given["sources"]
    except ValueError:
        raise click.UsageError(
            f"--check compares BASE with NEW: {len(given['sources'])} given"
        ) from None
    from wordpack.report import check_output
    from wordpack.report.check import Request
    from wordpack.report.regressions import Rule

    request = Request(
        base,
        new,
        Rule(given["threshold"], given["level"]),
        machine=given["machine"],
        base_commit=given["base_commit"],
        new_commit=given["new_commit"],
        series=given["series"],
    )
    return check_output.run(request, given["form"])
