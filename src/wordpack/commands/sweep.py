"""The command for many problems at once."""

from typing import Any

import click

from wordpack.commands.cluster_options import cluster_options
from wordpack.commands.completion import names_of


@click.command(short_help="Count many problems: shapes, lists, alphabets, random samples.")
@click.argument("shapes", nargs=-1, required=True, metavar="KxL...")
@click.option(
    "--list",
    "lists",
    multiple=True,
    metavar="NAME",
    shell_complete=names_of("lists"),
    help="An embedded list (default: words_alpha); may be repeated, as all axes may.",
)
@click.option("--words", multiple=True, metavar="FILE", help="A list from a file; - reads stdin.")
@click.option("--encoding", metavar="NAME", help="Encoding of the files (default utf-8).")
@click.option("--letters", multiple=True, metavar="LETTERS", help="An alphabet, up to 64 letters.")
@click.option(
    "--without-each", is_flag=True, help="Each alphabet also without each of its letters in turn."
)
@click.option(
    "--sample",
    "samples",
    multiple=True,
    metavar="SHARE|N",
    help="Draw words at random: a share of the list, as 0.25, or a number, as 2000.",
)
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Draws of each sample, by the seeds 0 to N-1.",
)
@click.option(
    "--format", "form", type=click.Choice(["csv", "json"]), default="csv", show_default=True
)
@click.option("--output", metavar="FILE", help="Write here instead of standard output.")
@cluster_options
@click.pass_context
def sweep(context: click.Context, /, **given: Any) -> None:
    """Count K words of L different letters, for every shape, list, alphabet and sample.

    Each problem is a row, counted twice, by two algorithms. A sample has the same words on every
    machine, and those of a seed are nested: a smaller one is part of each larger one.

    \b
    wordpack sweep 5x5 4x6 --list words_alpha --list wordle
    wordpack sweep 5x5 --without-each --output letters.csv
    wordpack sweep 5x5 --sample 0.25 --sample 0.5 --seeds 1000 --cluster local --output sweep.csv
    """
    from wordpack.commands import sweep_work

    context.exit(sweep_work.run(given))
