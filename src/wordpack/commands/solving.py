"""`wordpack solve`, `race` and `words`: check the options, run, and report."""

from functools import partial
from typing import Any

import click
import numpy as np

from wordpack.backend import fallback
from wordpack.backend.base import Options
from wordpack.commands.faults import with_options
from wordpack.commands.file import File
from wordpack.commands.solving_text import explanation, how, lost, summary
from wordpack.compiled.threads import check_threads
from wordpack.errors import InputError
from wordpack.lexicon import reading
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.letters import LATIN
from wordpack.lexicon.lists import CATALOGUE
from wordpack.library import clusters
from wordpack.library.others import know
from wordpack.library.problems import problem
from wordpack.solving.instances import Instance
from wordpack.solving.loading import load
from wordpack.solving.report import Request
from wordpack.solving.spec import check_list
from wordpack.solving.workload import challenge
from wordpack.system.paths import exists
from wordpack.system.writing import destination, is_stdout
from wordpack.text.formatting import nearest
from wordpack.text.output import WRITERS, tell


def solve(given: dict[str, Any]) -> int:
    """Run `wordpack solve` with click's values; return the exit status."""
    chosen = _instance(given)
    check_threads(given["threads"])
    know(given["backend"])
    options = Options(
        count_only=given["count_only"], threads=given["threads"], chunk=given["chunk"]
    )
    _check_cluster(given)
    if given["explain"]:
        loaded = load(chosen.spec)
        # print all of it or an error, so that a program never reads half
        click.echo(f"{explanation(loaded)}\n{how(loaded, given['backend'], options)}")
        return 0
    request = Request(
        chosen,
        given["backend"],
        options,
        work=given["work"],
        packings=given["packings"],
        unlimited=not is_stdout(given["output"]),
        in_parts=given["in_parts"],
    )
    with destination(given["output"]) as stream:
        write = partial(WRITERS[given["format"]], stream)
        report = clusters.solved_where(request, clusters.planned(given, given["backend"]), write)
    instead = fallback.said(report.row, report.unusable)
    if instead:
        tell(with_options(instead))
    if given["format"] != "json":
        tell(summary(report))
    elif not report.counts.packings:
        for line in lost(report.loaded):
            tell(line)
    return 0


def _check_cluster(given: dict[str, Any]) -> None:
    """Raise InputError for options that contradict each other."""
    clusters.check(given)
    for option in ("threads", "chunk"):
        if given[option] is not None and given["cluster"] is not None:
            raise InputError(
                f"--{option} is for one process: leave it out; each worker of a cluster runs as "
                "many slices at once as it has threads"
            )
    if given["in_parts"] and given["checkpoint"] is None:
        raise InputError("--parts needs --cluster ADDRESS and --checkpoint FOLDER")
    if given["in_parts"] and (given["count_only"] or given["packings"]):
        raise InputError("--parts writes packings to files: leave out --count-only and --packings")


def _instance(given: dict[str, Any]) -> Instance:
    """Return the instance that the options describe; InputError if they contradict."""
    ways = [name for name in ("instance", "words", "list_name") if given[name] is not None]
    two_lists = given["answers"] is not None or given["guesses"] is not None
    if len(ways) + two_lists != 1:
        raise InputError(
            "give one of INSTANCE, --words FILE, --list NAME, or --answers FILE with --guesses "
            "FILE; `wordpack list` shows the instances"
        )
    rules = _rules(given)
    words = given["instance"]
    if words is not None:
        for option in ("count", "length", "encoding"):
            if given[option] is not None and not (option == "encoding" and _other_file(given)):
                raise InputError(
                    f"--{option} goes with --words, --list or --answers: an INSTANCE has its own"
                )
    elif two_lists:
        if given["answers"] is None or given["guesses"] is None:
            raise InputError("--answers FILE and --guesses FILE go together: give both")
        rules |= {which: File(given[which]) for which in ("answers", "guesses")}
    elif given["list_name"] is not None:
        if given["encoding"] is not None and not _other_file(given):
            raise InputError("--encoding goes with a file: the embedded lists have their own")
        words = f"{rules.pop('count', 5)}x{rules.pop('length', 5)}@{given['list_name']}"
    else:
        words = File(given["words"])
    return problem(words, **rules)


def _rules(given: dict[str, Any]) -> dict[str, Any]:
    rules: dict[str, Any] = {
        rule: given[rule]
        for rule in ("letters", "repeats", "max_vowels", "count", "length", "encoding")
        if given[rule] is not None
    }
    if given["keep_anagrams"]:
        rules["keep_anagrams"] = True
    if given["intersect"] is not None:
        rules["intersect"] = _other_list(given)
    return rules


def _other_file(given: dict[str, Any]) -> bool:
    return given["intersect"] is not None and given["intersect"] not in CATALOGUE


def _other_list(given: dict[str, Any]) -> str | File:
    """Return the embedded list or file that --intersect names."""
    other = given["intersect"]
    if not _other_file(given):
        return str(other)
    if other == reading.STDIN:
        if reading.STDIN in (given["words"], given["answers"], given["guesses"]):
            raise InputError("standard input can be read once: name a file for --intersect")
    elif not exists(other):
        raise InputError(
            f"--intersect {other}: no such file, and no embedded word list of that "
            f"name{nearest(other, list(CATALOGUE))}"
        )
    return File(other)


def race(given: dict[str, Any]) -> int:
    """Run `wordpack race` with click's values; return the exit status."""
    from wordpack.library.racing import lineup_of
    from wordpack.racing import leaderboard

    lineup = lineup_of(
        challenge(given["instance"]),
        given["globs"],
        budget=given["budget"],
        repeat=given["repeat"],
        baseline=given["baseline"],
        threads=given["threads"],
    )
    return leaderboard.run(lineup, given["json_file"])


def words(name: str, length: int | None, *, stats: bool) -> None:
    """Run `wordpack words`: print the list, or its statistics."""
    check_list(name)
    found = reading.read_embedded(name, Alphabet(), length)
    if length is not None:
        found = found.select(length, repeats=True)
    if not stats:
        click.echo("".join(f"{word}\n" for word in found), nl=False)
        return
    distinct = found.select(repeats=False)
    signatures = np.unique(distinct.masks)
    bits = (signatures[:, None] >> np.arange(26, dtype=np.uint64)) & np.uint64(1)
    share = bits.sum(axis=0).tolist()
    order = sorted(range(26), key=lambda place: (-share[place], place))
    rows = [
        ("words", f"{len(found):,}"),
        ("of different letters", f"{len(distinct):,}"),
        ("their signatures", f"{len(signatures):,}"),
        ("that have", " ".join(f"{LATIN[place]} {share[place]:,}" for place in order)),
    ]
    click.echo("\n".join(f"{what:<22}{value}" for what, value in rows))
