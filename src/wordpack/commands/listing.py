"""The page that `wordpack list` prints, and the names for shell completion."""

from collections.abc import Iterable

from wordpack.backend.registry import ROWS, of_workload
from wordpack.games.instances import PLAYS
from wordpack.lexicon.lists import CATALOGUE
from wordpack.solving.instances import COUNTED, INSTANCES
from wordpack.text.formatting import counted


def names(of: str) -> list[str]:
    """Return the names of one kind.

    'instances' and 'backends' are those of packings, 'races' and 'racers' those of every workload.
    'players' are the backends that play whole games, 'lists' the embedded word lists.
    """
    return {
        "instances": list(INSTANCES),
        "races": [*INSTANCES, *PLAYS],
        "lists": list(CATALOGUE),
        "backends": [row.name for row in of_workload("packing")],
        "racers": [row.name for row in ROWS],
        "players": [row.name for row in of_workload("play")],
    }[of]


def text() -> str:
    """Return the page that `wordpack list` prints."""
    from wordpack.racing.plugins import found

    lines = ["Instances (wordpack solve NAME, wordpack race NAME)"]
    for instance in INSTANCES.values():
        known = instance.expected
        counts = ""
        if known:
            counts = f"{counted(known.packings, 'packing')}, {counted(known.solutions, 'solution')}"
        lines += [f"  {instance.name:<14}{counts}", f"      {instance.title}"]
        lines += [f"      counts: {instance.source}"]
    lines += ["  KxL[@LIST]    any K words of L different letters: 4x6, 5x5@wordle, ..."]
    lines += ["      counts for words_alpha, by subset_sums and merged_states:"]
    lines += [
        f"        {name:<6}{counted(known.packings, 'packing'):>26}, "
        f"{counted(known.solutions, 'solution')}"
        for name, known in COUNTED.items()
    ]
    lines += ["", "Whole games of the hint solver (wordpack race NAME; wordpack play)"]
    for play in PLAYS.values():
        games = play.expected
        counts = f"{games.games:,} games, {games.guesses:,} guesses" if games else ""
        lines += [f"  {play.name:<24}{counts}", f"      {play.title}"]
        lines += [f"      counts: {play.source}"] * bool(play.source)
    lines += [""]
    sources = "sources and licences in wordpack/lexicon/lists/SOURCES.md"
    lines += [f"Word lists (wordpack words NAME; {sources})"]
    lines += _rows((name, f"{entry.words:>9,}  {entry.title}") for name, entry in CATALOGUE.items())
    lines += [
        "",
        "Backends, in the order of --backend auto (wordpack doctor says which can run here)",
    ]
    lines += _rows((row.name, row.summary) for row in ROWS)
    others = found()
    if others:
        lines += ["", "Backends of other packages, never chosen by --backend auto"]
        lines += _rows((row.name, f"{row.distribution}: {row.summary}") for row, _, _ in others)
    return "\n".join(lines)


def _rows(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [f"  {name:<24}{about}" for name, about in pairs]
