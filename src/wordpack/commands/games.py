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
    help="Use an embedded word list (default: wordle-answers).",
)
WORDS = click.option("--words", metavar="FILE", help="Read words from a file; - reads stdin.")
LETTERS = click.option("--letters", metavar="LETTERS", help="The alphabet, up to 64 letters.")
ENCODING = click.option("--encoding", metavar="NAME", help="Encoding of the file (default: utf-8).")
TABLE = click.option(
    "--table",
    type=click.Choice(["computed", "published"]),
    default="computed",
    show_default=True,
    help="Letter frequencies to score by: computed from the list, or from the published code.",
)

FORMAT = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)


def _of_lists(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that choose a list and how to score its words."""
    for option in (TABLE, ENCODING, LETTERS, WORDS, LIST):
        command = option(command)
    return command


@click.command(short_help="List the words that fit Wordle clues, best guess first.")
@click.argument("call", nargs=-1, metavar="[PATTERN [CELL...] [ABSENT]]")
@click.option("--absent", metavar="LETTERS", help="Letters that are not in the word.")
@click.option(
    "--present",
    multiple=True,
    metavar="POSITION:LETTERS",
    help="Letters in the word, but not at this position; may be repeated.",
)
@click.option(
    "--guess",
    "guesses",
    multiple=True,
    metavar="WORD=MARKS",
    help="A guess and its exact feedback (repeated letters count); may be repeated.",
)
@_of_lists
@click.option("--scores", is_flag=True, help="Show the score of each word.")
@click.option("--frequencies", is_flag=True, help="Print the letter frequency strings and stop.")
@FORMAT
@click.pass_context
def hints(context: click.Context, /, **given: Any) -> None:
    """Print the words that fit the clues of a Wordle game, highest published score first.

    PATTERN has one cell per position: a letter, a dot for any letter, [rn] or [^rn]. As in the
    published program, the misplaced letters of each position and then the absent letters may
    follow it.

    MARKS has one mark per letter of the guess, in either case: G (in place), Y (elsewhere) or .
    (no more of this letter). The game's coloured squares work too. So does a pattern of the
    letters in place, with dots for the rest, then a + and the misplaced letters, each as often as
    it is misplaced: ARISE=.r.se+a. Cells that are all G, Y or . are read as marks.

    \b
    wordpack hints .r.n. --absent slatcoe
    wordpack hints i.e.. --present 3:nr --present 4:n --absent sla
    wordpack hints ..... s a a s e lntcu
    wordpack hints --guess tacit=Y.... --guess tenor=G....
    wordpack hints --guess ARISE=.r.se
    """
    from wordpack.commands import hints_work

    context.exit(hints_work.hints(given))


@click.command(short_help="Let the hint solver play one Wordle game, or all of them.")
@click.option("--answer", metavar="WORD", help="Show the game for this answer, guess by guess.")
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Play for every answer and count the guesses (the default).",
)
@click.option(
    "--start",
    metavar="WORD|best",
    help="The first guess: any word, or best to find the word of the list with the best average "
    "over all answers (default: the word with the highest score).",
)
@click.option(
    "--starts",
    metavar="LIST",
    shell_complete=names_of("lists"),
    help="Like --start best, but try the words of this embedded list.",
)
@_of_lists
@click.option(
    "--backend",
    default="auto",
    metavar="NAME",
    show_default=True,
    shell_complete=names_of("players"),
    help="The algorithm to use.",
)
@FORMAT
@cluster_options
@click.pass_context
def play(context: click.Context, /, **given: Any) -> None:
    """Let the hint solver play: it always guesses the best-scored word that fits all feedback.

    Every game is played until it is solved, and counts in the average. A game of more than six
    guesses is missed.

    \b
    wordpack play --answer essay
    wordpack play --all --start slant
    wordpack play --start best                5.4 million games
    wordpack play --starts wordle             30 million games
    wordpack play --list words_alpha --starts wordle --cluster tls://10.0.0.1:8786
    """
    from wordpack.commands import play_work

    context.exit(play_work.play(given))
