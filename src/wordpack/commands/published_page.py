"""The published systems as text for a terminal and as the page docs/published.md."""

from textwrap import fill

from wordpack.solving.published import SYSTEMS, Figure

HEAD = """\
# The published systems

Published programs, and what wordpack finds for the same task. `python ci/published.py` wrote this \
page: it ran every command in the column "ours" with `--count-only`, and compared every figure. \
Times are their authors', on their machines. To time ours on your machine, run \
`wordpack race`. `wordpack list --published` prints the same table without running anything.

| system | author, year, language, machine | published time | original command | ours | figures |
|---|---|---|---|---|---|
"""

FOOT = """
If a cell has one figure, both programs find it. If they differ, a note says why:

"""


def text() -> str:
    """Return the page that `wordpack list --published` prints."""
    about = (
        "Published programs, and the commands that reproduce their figures. Times are their "
        "authors', on their machines. docs/published.md has this as a table, made by a run that "
        "compares every figure with what our command finds."
    )
    paragraphs = [fill(about, 80)]
    for system in SYSTEMS:
        lines = [
            f"{system.name}: {system.author}, {system.year}, {system.language}, {system.machine}"
        ]
        for run in system.runs:
            lines += [f"published: {run.time}", *[f"    {run.original}"] * bool(run.original)]
            lines += [f"here: wordpack {run.ours} --work"] * bool(run.ours)
            same = [f"{f.published:,} {f.what}" for f in run.figures if f.ours is None]
            lines += [f"    both find {'; '.join(same)}"] * bool(same)
            lines += [
                f"    it finds {f.published:,} {f.what}, we find {f.ours:,}: {f.why}"
                for f in run.figures
                if f.ours is not None
            ]
        lines += [system.note] * bool(system.note)
        paragraphs.append("\n".join(_wrapped(line, first=line is lines[0]) for line in lines))
    return "\n\n".join(paragraphs)


def _wrapped(line: str, *, first: bool) -> str:
    indent = "" if first else "    " + " " * (len(line) - len(line.lstrip()))
    # keep a command on one line, so that it can be copied
    if "wordpack " in line[:16]:
        return indent + line
    return fill(line.strip(), 80, initial_indent=indent, subsequent_indent=f"{indent}    ")


def _cell(figure: Figure, notes: list[str]) -> str:
    """Return a figure as the page shows it; add a difference's reason to `notes`."""
    if figure.ours is None:
        return f"{figure.published:,} {figure.what}"
    notes.append(f"{figure.what} of {figure.published:,} and {figure.ours:,}: {figure.why}")
    return f"{figure.published:,} {figure.what}, ours {figure.ours:,} ({len(notes)})"


def markdown() -> str:
    """Return docs/published.md; it is true only if every figure is the expected one."""
    lines: list[str] = []
    notes: list[str] = []
    for system in SYSTEMS:
        about = f"{system.author}, {system.year}, {system.language}, {system.machine}"
        for place, run in enumerate(system.runs):
            figures = "; ".join(_cell(figure, notes) for figure in run.figures)
            if place == 0 and system.note:
                notes.append(f"{system.name}: {system.note}")
                figures += f" ({len(notes)})"
            cells = [
                system.name if place == 0 else "",
                about if place == 0 else "",
                run.time,
                f"`{run.original}`" if run.original else "not published",
                f"`wordpack {run.ours} --work`" if run.ours else "refused",
                figures.strip(),
            ]
            lines.append(f"| {' | '.join(cells)} |")
    ends = "".join(f"{place}. {note}\n" for place, note in enumerate(notes, 1))
    return f"{HEAD}{chr(10).join(lines)}\n{FOOT}{ends}"
