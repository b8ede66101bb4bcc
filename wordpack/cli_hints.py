"""The commands of the hint solver: hints for a hidden word, and whole games."""

from collections.abc import Callable
from typing import Any

import click


def _lists(_context: click.Context, _param: click.Parameter, begun: str) -> list[str]:
    from wordpack.catalogue import names

    return [name for name in names("lists") if name.startswith(begun)]


LIST = click.option(
    "--list",
    "list_name",
    metavar="NAME",
    shell_complete=_lists,
    help="An embedded word list (default: wordle-answers).",
)
WORDS = click.option("--words", metavar="FILE", help="Words from a file; - reads stdin.")
LETTERS = click.option("--letters", metavar="LETTERS", help="The alphabet, up to 64 letters.")
ENCODING = click.option("--encoding", metavar="NAME", help="Encoding of the file (utf-8).")
TABLE = click.option(
    "--table",
    type=click.Choice(["computed", "published"]),
    default="computed",
    show_default=True,
    help="The letter strings to score by: those of the list, or those of the published code.",
)


def _of_lists(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that name a list and how its words score."""
    for option in (TABLE, ENCODING, LETTERS, WORDS, LIST):
        command = option(command)
    return command


@click.command(short_help="Say which words a hidden word can be, the best guess first.")
@click.argument("call", nargs=-1, metavar="[PATTERN [CELL...] [ABSENT]]")
@click.option("--absent", metavar="LETTERS", help="Letters that the word does not have.")
@click.option(
    "--present",
    multiple=True,
    metavar="POSITION:LETTERS",
    help="Letters that it has, and not at this position; may be repeated.",
)
@click.option(
    "--guess",
    "guesses",
    multiple=True,
    metavar="WORD=MARKS",
    help="A guess and its exact feedback, repeated letters too; may be repeated.",
)
@_of_lists
@click.option("--scores", is_flag=True, help="Show the score of each word.")
@click.option("--frequencies", is_flag=True, help="Print the letter strings instead, and stop.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_context
def hints(context: click.Context, /, **given: Any) -> None:
    """Print the words that fit, by the published score, the highest first.

    PATTERN has a cell for each position: a letter, a dot for any, [rn] or [^rn]. The published
    call goes on with the letters misplaced at each position and the absent ones. MARKS are G
    (in place), Y (elsewhere) or . for each letter, coloured squares, or the letters in place with
    those elsewhere after a +.

    \b
    wordpack hints .r.n. --absent slatcoe
    wordpack hints i.e.. --present 3:nr --present 4:n --absent sla
    wordpack hints ..... s a a s e lntcu
    wordpack hints --guess tacit=Y.... --guess tenor=G....
    wordpack hints --guess ARISE=.r.se
    """
    from wordpack import hints_command

    context.exit(hints_command.hints(given))
