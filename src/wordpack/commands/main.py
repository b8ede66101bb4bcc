"""The `wordpack` command: its subcommands, options and exit status."""

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from wordpack import __version__
from wordpack.commands.cluster_options import cluster_options
from wordpack.commands.completion import names_of
from wordpack.commands.faults import FAULTS, line, open_streams, say
from wordpack.commands.games import hints, play
from wordpack.commands.report import report
from wordpack.commands.results import machine, results
from wordpack.commands.showing import doctor, list_, words
from wordpack.commands.sweep import sweep
from wordpack.text.output import discard

INTERRUPTED = 130

COMPLETE = "_WORDPACK_COMPLETE"
"""The environment variable that a shell sets to ask for completions."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 1 for a wrong answer, 2 for bad input, 130 for Ctrl-C."""
    open_streams()
    if COMPLETE in os.environ:
        cli.main(prog_name="wordpack", complete_var=COMPLETE)
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        # not cli.main(), which would turn a closed pipe into exit status 1 before we see it
        with cli.make_context("wordpack", words) as context:
            cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        return done.exit_code
    except KeyboardInterrupt:
        return say("interrupted", INTERRUPTED)
    except tuple(FAULTS) as fault:
        return say(*line(fault))
    except OSError as fault:
        if fault.filename is not None:
            raise  # not an error of standard output
        discard(sys.stdout)
        if isinstance(fault, BrokenPipeError):
            return 0  # the reader closed the pipe on purpose
        return say(f"cannot write to standard output: {fault.strerror}; the output is cut off", 2)
    return 0


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="wordpack")
@click.pass_context
def cli(context: click.Context) -> None:
    """Find every way to pick words that share no letter, and race the known ways of doing so.

    \b
    wordpack solve parker                     print all 831 solutions of the five-word puzzle
    wordpack race                             race every backend on it and rank them
    wordpack solve --words my.txt --count 4   pick four five-letter words from a file
    wordpack doctor                           show what can run on this machine
    wordpack list                             list instances, word lists and backends
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@cli.command(short_help="Solve a named instance or your own words.")
@click.argument("instance", required=False, shell_complete=names_of("instances"))
@click.option(
    "--words", metavar="FILE", help="Read words from a file, one per line; - reads stdin."
)
@click.option(
    "--list",
    "list_name",
    metavar="NAME",
    shell_complete=names_of("lists"),
    help="Use an embedded word list (see `wordpack list`).",
)
@click.option("--answers", metavar="FILE", help="Pick one word from this file.")
@click.option("--guesses", metavar="FILE", help="Pick --count words from this one.")
@click.option("--count", type=int, metavar="K", help="Number of words to pick (default: 5).")
@click.option("--length", type=int, metavar="L", help="Letters in each word (default: 5).")
@click.option("--letters", metavar="LETTERS", help="The alphabet, up to 64 letters, in order.")
@click.option("--encoding", metavar="NAME", help="Encoding of the files (default: utf-8).")
@click.option(
    "--repeats/--no-repeats",
    default=None,
    help="Keep words that repeat a letter (the default for --answers and --guesses).",
)
@click.option(
    "--max-vowels",
    type=click.IntRange(min=0),
    metavar="N",
    help="Keep only words with at most N different letters of aeiouy.",
)
@click.option(
    "--intersect",
    metavar="LIST|FILE",
    shell_complete=names_of("lists"),
    help="Keep only words that are also in this list or file.",
)
@click.option(
    "--keep-anagrams", is_flag=True, help="Search anagrams separately instead of as a group."
)
@click.option(
    "--backend",
    default="auto",
    metavar="NAME",
    show_default=True,
    shell_complete=names_of("backends"),
    help="The algorithm to use.",
)
@click.option("--threads", type=int, metavar="N", help="CPU threads (default: all usable cores).")
@click.option(
    "--chunk",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many first words a thread takes at a time.",
)
@click.option("--count-only", is_flag=True, help="Print the exact numbers only, no words.")
@click.option(
    "--work", is_flag=True, help="Also print the algorithm's counters, from an extra untimed run."
)
@click.option("--packings", is_flag=True, help="Print one row per packing, anagrams joined by /.")
@click.option(
    "--format", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True
)
@click.option("--output", metavar="FILE", help="Write here instead of standard output.")
@cluster_options
@click.option(
    "--parts",
    "in_parts",
    is_flag=True,
    help="Leave the packings in the --checkpoint folder, as .npy parts with a manifest.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Explain how the words are read and the search is planned, then stop.",
)
@click.pass_context
def solve(context: click.Context, /, **given: Any) -> None:
    """Solve INSTANCE, or your own words.

    INSTANCE is a name from `wordpack list`, or KxL[@LIST]: K words of L different letters.

    \b
    wordpack solve parker
    wordpack solve 5x5@wordle --packings --format csv
    wordpack solve 6x4 --count-only
    wordpack solve --words ord.txt --letters abcdefghijklmnopqrstuvwxyzæøå
    wordpack solve --answers answers.txt --guesses guesses.txt --count 6
    wordpack solve 6x4 --cluster tls://10.0.0.1:8786 --checkpoint runs/6x4 --parts
    """
    from wordpack.commands import solving

    context.exit(solving.solve(given))


@cli.command(short_help="Race the backends on an instance.")
@click.argument("instance", default="parker", shell_complete=names_of("races"))
@click.option(
    "--budget",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for each backend, for prepare and all runs together.",
)
@click.option(
    "--backend",
    "globs",
    multiple=True,
    metavar="GLOB",
    shell_complete=names_of("racers"),
    help="Race only these backends; may be repeated.",
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    metavar="N",
    help="Timed runs of each backend after its first call, if the budget allows "
    "(default: 11, or none if the first call took over 10 s).",
)
@click.option(
    "--threads",
    type=int,
    metavar="N",
    help="CPU threads for the backends that can use several (default: all usable cores).",
)
@click.option(
    "--baseline",
    metavar="NAME",
    shell_complete=names_of("racers"),
    help="Show speed-ups over this backend (default: the slowest).",
)
@click.option(
    "--json",
    "json_file",
    metavar="FILE",
    help="Save samples, statuses and the machine; rewritten as results come in.",
)
@click.pass_context
def race(context: click.Context, /, **given: Any) -> None:
    """Race every backend that can solve INSTANCE (default: parker), each in its own process.

    Every answer is verified. A backend that exceeds its budget is stopped.

    \b
    wordpack race
    wordpack race parker --budget 300
    wordpack race wordle --backend 'filtered_*' --baseline filtered_lists
    wordpack race 5x5@wordle --json race.json
    """
    from wordpack.commands import solving

    context.exit(solving.race(given))


cli.add_command(words)
cli.add_command(list_)
cli.add_command(doctor)
cli.add_command(sweep)
cli.add_command(hints)
cli.add_command(play)
cli.add_command(machine)
cli.add_command(results)
cli.add_command(report)


@cli.command(short_help="Print a completion script for your shell.")
@click.argument("shell", metavar="SHELL", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    bash: eval "$(wordpack completion bash)"        in ~/.bashrc
    zsh:  eval "$(wordpack completion zsh)"         in ~/.zshrc
    fish: wordpack completion fish | source         in ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101  click knows the three shells of the choice above
    click.echo(kind(cli, {}, "wordpack", COMPLETE).source())
