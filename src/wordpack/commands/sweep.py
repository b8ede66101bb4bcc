"""`wordpack sweep`: count many problems at once."""

from typing import Any

import click

from wordpack.commands.cluster_options import cluster_options
from wordpack.commands.completion import names_of


@click.command(short_help="Count many problems: shapes, lists, alphabets, samples.")
@click.argument("shapes", nargs=-1, required=True, metavar="KxL...")
@click.option(
    "--list",
    "lists",
    multiple=True,
    metavar="NAME",
    shell_complete=names_of("lists"),
    help="An embedded list (default: words_alpha); may be repeated.",
)
@click.option(
    "--words",
    multiple=True,
    metavar="FILE",
    help="A list from a file; - reads stdin; may be repeated.",
)
@click.option("--encoding", metavar="NAME", help="Encoding of the files (default: utf-8).")
@click.option(
    "--letters",
    multiple=True,
    metavar="LETTERS",
    help="An alphabet, up to 64 letters; may be repeated.",
)
@click.option(
    "--without-each", is_flag=True, help="Also try each alphabet without each letter in turn."
)
@click.option(
    "--sample",
    "samples",
    multiple=True,
    metavar="SHARE|N",
    help="Draw words at random: a share of the list (0.25) or a number (2000); may be repeated.",
)
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Draw each sample N times, with the seeds 0 to N-1.",
)
@click.option(
    "--format", "form", type=click.Choice(["csv", "json"]), default="csv", show_default=True
)
@click.option("--output", metavar="FILE", help="Write here instead of standard output.")
@cluster_options
@click.pass_context
def sweep(context: click.Context, /, **given: Any) -> None:
    """Count the packings of K words of L different letters, for all shapes, lists and alphabets.

    Each problem is one row, counted by two algorithms. A sample has the same words on every
    machine. Samples of one seed are nested: a smaller one is part of each larger one.

    \b
    wordpack sweep 5x5 4x6 --list words_alpha --list wordle
    wordpack sweep 5x5 --without-each --output letters.csv
    wordpack sweep 5x5 --sample 0.25 --sample 0.5 --seeds 1000 --cluster local --output sweep.csv
    """
    from wordpack.commands import sweep_work

    context.exit(sweep_work.run(given))
