"""The commands of the hint solver: hints for a hidden word, and whole games."""

from collections.abc import Callable
from typing import Any

import click

from wordpack.commands.cluster_options import cluster_options
from wordpack.commands.completion import names_of

LIST = click.option(
    "--list",
    "list_name",
    metavar="NAME",
    shell_complete=names_of("lists"),
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

FORMAT = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
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
@FORMAT
@click.pass_context
def hints(context: click.Context, /, **given: Any) -> None:
    """Print the words that fit, by the published score, the highest first.

    PATTERN has a cell for each position: a letter, a dot for any, [rn] or [^rn]. The published
    call goes on with the letters misplaced at each position and the absent ones.

    MARKS are G (in place), Y (elsewhere) or . (no more of it) for each letter of the guess, in
    either case; or the coloured squares of the game; or the letters in place themselves and dots,
    and after a + those elsewhere, as often as they are: ARISE=.r.se+a. Where all cells are G, Y
    or a dot, they are marks.

    \b
    wordpack hints .r.n. --absent slatcoe
    wordpack hints i.e.. --present 3:nr --present 4:n --absent sla
    wordpack hints ..... s a a s e lntcu
    wordpack hints --guess tacit=Y.... --guess tenor=G....
    wordpack hints --guess ARISE=.r.se
    """
    from wordpack.commands import hints_work

    context.exit(hints_work.hints(given))


@click.command(short_help="Let the solver play: one game, or every one.")
@click.option("--answer", metavar="WORD", help="Show the game for this answer, guess by guess.")
@click.option("--all", "every", is_flag=True, help="Play every answer and count (the default).")
@click.option(
    "--start",
    metavar="WORD|best",
    help="The first guess: any word, or the one of the best average over all answers, of all "
    "words of the list (default: the word of the highest score).",
)
@click.option(
    "--starts",
    metavar="LIST",
    shell_complete=names_of("lists"),
    help="As --start best, of the words of another list.",
)
@_of_lists
@click.option(
    "--backend",
    default="auto",
    metavar="NAME",
    show_default=True,
    shell_complete=names_of("players"),
    help="Which algorithm.",
)
@FORMAT
@cluster_options
@click.pass_context
def play(context: click.Context, /, **given: Any) -> None:
    """Play by the score: always the best-scored word that exact feedback has left.

    Games are played until they are solved, and the average counts all; more than six guesses are
    missed.

    \b
    wordpack play --answer essay
    wordpack play --all --start slant
    wordpack play --start best                5.4 million games
    wordpack play --starts wordle             30 million
    wordpack play --list words_alpha --starts wordle --cluster tls://10.0.0.1:8786
    """
    from wordpack.commands import play_work

    context.exit(play_work.play(given))
