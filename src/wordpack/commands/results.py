"""`wordpack machine` and `wordpack results`: name a machine, pack and merge its results."""

from pathlib import Path

import click


@click.command(short_help="Name this machine for asv's results.")
@click.option(
    "--name", required=True, metavar="NAME", help="Your name for this machine, such as i7-2010."
)
def machine(name: str) -> None:
    """Register this machine with asv as NAME, with its processor, memory, GPU and drivers.

    \b
    wordpack machine --name i7-2010
    """
    from wordpack.results import machine_names as this

    entry = this.register(name)
    click.echo("\n".join(f"{key:<10}{value}" for key, value in entry.items()))


@click.group(short_help="Move asv's results between machines.")
def results() -> None:
    """Pack one machine's asv results into a file, or merge results of other machines.

    \b
    wordpack results pack --machine m1-2021 --output m1-2021.zip
    wordpack results merge m1-2021.zip
    """


RESULTS = click.option(
    "--results",
    "folder",
    default=".asv/results",
    show_default=True,
    metavar="FOLDER",
    help="The folder where asv keeps results.",
)


@results.command("pack", short_help="Pack one machine's results into a file.")
@click.option("--machine", required=True, metavar="NAME", help="The machine to pack.")
@click.option("--output", required=True, metavar="FILE", help="The zip file to write.")
@RESULTS
def pack(machine: str, output: str, folder: str) -> None:
    """Check the results of one machine and pack them into a zip FILE."""
    from wordpack.results import exchange

    commits = exchange.pack(Path(folder), machine, output)
    click.echo(f"{output} has {machine}, with {commits} result files")


@results.command("merge", short_help="Add the results of other machines.")
@click.argument("sources", nargs=-1, required=True, metavar="FOLDER_OR_FILE...")
@RESULTS
def merge(sources: tuple[str, ...], folder: str) -> None:
    """Add results of other machines, from packed files or asv's results folders.

    Existing rows are never lost or changed.
    """
    from wordpack.results import exchange, merging

    read = [(source, exchange.read(Path(source))) for source in sources]
    for source, found in read:
        for name, new in merging.merge(found, Path(folder)).items():
            click.echo(f"{source}: {name}" + (f" is called {new} here" if new != name else ""))
