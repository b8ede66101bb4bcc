"""The published systems as text for a terminal and as the page docs/published.md."""

from wordpack.published import SYSTEMS, Figure

HEAD = """\
# The published systems

Who published what, and what wordpack finds when it is asked the same. `python ci/published.py` \
wrote this page: it ran every command in the last but one column and compared every figure. Times \
are their authors', on their machines; ours are in a race on yours (`wordpack race INSTANCE`). \
`wordpack list --published` prints the same table without running anything.

| system | author, year, language, machine | published time | original command | ours | figures |
|---|---|---|---|---|---|
"""

FOOT = """
A figure that stands alone is the published one and ours.

"""


def text() -> str:
    """Return the page that `wordpack list --published` prints."""
    lines = []
    for system in SYSTEMS:
        lines += [
            f"{system.name}: {system.author}, {system.year}, {system.language}",
            f"    machine: {system.machine}; backend: {system.backend}",
        ]
        for run in system.runs:
            lines += [f"    published  {run.time:<12}  {run.original}".rstrip()]
            if run.ours:
                lines += [f"    here       {'':<12}  wordpack {run.ours} --work"]
            lines += [f"        {_found(figure)}" for figure in run.figures]
        lines += [f"    {system.note}"] * bool(system.note) + [""]
    lines += ["docs/published.md has the same as a table, written by a run of all these commands"]
    return "\n".join(lines)


def _found(figure: Figure) -> str:
    same = f"{figure.published:,} {figure.what}"
    if figure.ours is None:
        return f"{same}; here the same"
    return f"{same}; here {figure.ours:,}: {figure.why}"


def _cell(figure: Figure, notes: list[str]) -> str:
    """Return a figure as the page shows it, and add its reason to the notes."""
    if figure.ours is None:
        return f"{figure.published:,} {figure.what}"
    notes.append(f"{figure.what} of {figure.published:,} and {figure.ours:,}: {figure.why}")
    return f"{figure.published:,} {figure.what}, ours {figure.ours:,} ({len(notes)})"


def markdown() -> str:
    """Return docs/published.md, which is true where every figure is the expected one."""
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
