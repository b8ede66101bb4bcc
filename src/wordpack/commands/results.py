"""The commands that name a machine and carry its results."""

from pathlib import Path

import click


@click.command(short_help="Name this machine for asv's results.")
@click.option("--name", required=True, metavar="NAME", help="What you call it: i7-2010.")
def machine(name: str) -> None:
    """Register this machine for asv under NAME, with its processor, memory, GPU and drivers.

    \b
    wordpack machine --name i7-2010
    """
    from wordpack.results import machine_names as this

    entry = this.register(name)
    click.echo("\n".join(f"{key:<10}{value}" for key, value in entry.items()))


@click.group(short_help="Carry asv's results between machines.")
def results() -> None:
    """Pack one machine's asv results into a file, and merge those of other machines.

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
    help="The folder that asv writes.",
)


@results.command("pack", short_help="One machine's results as one file.")
@click.option("--machine", required=True, metavar="NAME", help="Whose results.")
@click.option("--output", required=True, metavar="FILE", help="The file to write, a zip.")
@RESULTS
def pack(machine: str, output: str, folder: str) -> None:
    """Write the results of one machine into FILE, checked."""
    from wordpack.results import exchange

    commits = exchange.pack(Path(folder), machine, output)
    click.echo(f"{output} has {machine}, with {commits} result files")


@results.command("merge", short_help="Add the results of other machines.")
@click.argument("sources", nargs=-1, required=True, metavar="FOLDER_OR_FILE...")
@RESULTS
def merge(sources: tuple[str, ...], folder: str) -> None:
    """Add results, packed or as asv's folders; no row that is there is lost or changed."""
    from wordpack.results import exchange, merging

    read = [(source, exchange.read(Path(source))) for source in sources]
    for source, found in read:
        for name, new in merging.merge(found, Path(folder)).items():
            click.echo(f"{source}: {name}" + (f" is called {new} here" if new != name else ""))
