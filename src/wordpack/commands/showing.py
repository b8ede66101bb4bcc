"""`wordpack words`, `list` and `doctor`: show words, instances, backends and the machine."""

import click

from wordpack.commands.completion import names_of


@click.command(short_help="Print an embedded word list.")
@click.argument("name", metavar="LIST", shell_complete=names_of("lists"))
@click.option("--stats", is_flag=True, help="Count words, signatures and letters instead.")
@click.option("--length", type=click.IntRange(min=1), metavar="L", help="Only words of L letters.")
def words(name: str, stats: bool, length: int | None) -> None:
    """Print the words of an embedded LIST, one per line, in the list's order.

    \b
    wordpack words wordle-answers | head
    wordpack words words_alpha --length 5 --stats
    """
    from wordpack.commands import solving

    solving.words(name, length, stats=stats)


@click.command("list", short_help="List instances, word lists and backends.")
@click.option(
    "--published",
    is_flag=True,
    help="List published programs instead, with their figures and commands beside ours.",
)
def list_(published: bool) -> None:
    """List the instances and their known counts, the word lists, and the backends.

    \b
    wordpack list
    wordpack list --published | less
    """
    from wordpack.commands import listing, published_page

    click.echo(published_page.text() if published else listing.text())


@click.command(short_help="Describe this machine and say which backends can run.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def doctor(form: str) -> None:
    """Describe this machine, and say which backends can run here, and why the others cannot.

    \b
    wordpack doctor
    wordpack doctor --format json
    """
    import json

    from wordpack.library.diagnosis import doctor as diagnosed

    found = diagnosed()
    click.echo(json.dumps(found, indent=2) if form == "json" else str(found))
