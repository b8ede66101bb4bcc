"""What the commands do with their options: checks, the job itself, and words for people."""

from dataclasses import asdict, replace
from fnmatch import fnmatchcase
from math import isfinite
from typing import Any

import click
import numpy as np

from wordpack.backend import fallback, registry
from wordpack.backend.base import Options
from wordpack.commands.cluster_options import certificates, check_options
from wordpack.commands.others import know
from wordpack.commands.solving_text import explanation, how, lost, summary
from wordpack.compiled.threads import usable_cores
from wordpack.errors import InputError
from wordpack.lexicon import reading
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.letters import LATIN
from wordpack.lexicon.lists import CATALOGUE
from wordpack.solving.instances import Instance, identify
from wordpack.solving.loading import load
from wordpack.solving.report import Request
from wordpack.solving.solve import solve as solved
from wordpack.solving.spec import GroupSpec, Source, Spec, check_list, check_shape, group_spec
from wordpack.solving.workload import WORKLOADS, challenge, packing
from wordpack.system.paths import exists
from wordpack.text.formatting import nearest
from wordpack.text.output import tell


def solve(given: dict[str, Any]) -> int:
    """Run `wordpack solve` with click's values; return the exit status."""
    chosen = _instance(given)
    _check_threads(given["threads"])
    know(given["backend"])
    options = Options(
        count_only=given["count_only"], threads=given["threads"], chunk=given["chunk"]
    )
    _check_cluster(given)
    if given["explain"]:
        loaded = load(chosen.spec)
        # all of it or an error, so that a program never reads half
        click.echo(f"{explanation(loaded)}\n{how(loaded, given['backend'], options)}")
        return 0
    request = Request(
        chosen,
        given["backend"],
        options,
        work=given["work"],
        packings=given["packings"],
        format=given["format"],
        output=given["output"],
        in_parts=given["in_parts"],
    )
    if given["cluster"] is None:
        report = solved(request)
    else:
        from wordpack.cluster.sharing import Sharing
        from wordpack.cluster.solving import solve_on

        plan = Sharing(given["backend"], given["slices"], given["checkpoint"], given["resume"])
        report = solve_on(given["cluster"], request, plan, certificates(given))
    instead = fallback.said(report.row, report.unusable)
    if instead:
        tell(instead)
    if given["format"] != "json":
        tell(summary(report))
    elif not report.counts.packings:
        for line in lost(report.loaded):
            tell(line)
    return 0


def _check_cluster(given: dict[str, Any]) -> None:
    """Raise InputError for options that contradict each other."""
    check_options(given)
    for option in ("threads", "chunk"):
        if given[option] is not None and given["cluster"] is not None:
            raise InputError(
                f"--{option} is for one process: leave it out, each worker of a cluster runs as "
                "many slices at once as it has threads"
            )
    if given["in_parts"] and given["checkpoint"] is None:
        raise InputError("--parts needs --cluster ADDRESS and --checkpoint FOLDER")
    if given["in_parts"] and (given["count_only"] or given["packings"]):
        raise InputError("--parts leaves packings in files: leave out --count-only and --packings")


def _check_threads(threads: int | None) -> None:
    cores = usable_cores()
    if threads is not None and not 1 <= threads <= cores:
        raise InputError(f"--threads {threads}: this process may use 1 to {cores}")


def _instance(given: dict[str, Any]) -> Instance:
    """Return the instance that the options describe; InputError where they contradict."""
    ways = [name for name in ("instance", "words", "list_name") if given[name] is not None]
    two_lists = given["answers"] is not None or given["guesses"] is not None
    if len(ways) + two_lists != 1:
        raise InputError(
            "give one of INSTANCE, --words FILE, --list NAME, or --answers FILE with --guesses "
            "FILE; `wordpack list` shows the instances"
        )
    if given["instance"] is not None:
        for option in ("count", "length", "encoding"):
            if given[option] is not None and not (option == "encoding" and _other_file(given)):
                raise InputError(
                    f"--{option} goes with --words, --list or --answers: an INSTANCE has its own"
                )
        base = packing(given["instance"])
        spec, name = base.spec, base.name
    else:
        spec, name = _own_words(given, two_lists=two_lists)
    rules: dict[str, Any] = {}
    if given["repeats"] is not None:
        rules["repeats"] = given["repeats"]
    if given["max_vowels"] is not None:
        rules["max_vowels"] = given["max_vowels"]
    if given["keep_anagrams"]:
        rules["keep_anagrams"] = True
    if given["intersect"] is not None:
        other = _other_list(given)
        name += f" intersect={other.name}"
        spec = Spec(
            tuple(replace(part, shared_with=(*part.shared_with, other)) for part in spec.groups),
            spec.letters,
        )
    letters = spec.letters if given["letters"] is None else Alphabet(given["letters"]).spelled
    changed = Spec(tuple(replace(part, **rules) for part in spec.groups), letters)
    if changed != spec:
        name += "".join(f" {rule}={value}" for rule, value in rules.items())
        name += f" letters={letters}" * (letters != LATIN)
    return identify(name, changed)


def _other_file(given: dict[str, Any]) -> bool:
    return given["intersect"] is not None and given["intersect"] not in CATALOGUE


def _other_list(given: dict[str, Any]) -> Source:
    """Return the list that --intersect names: an embedded one, or a file."""
    other = given["intersect"]
    if not _other_file(given):
        return Source(other)
    if other == reading.STDIN:
        if reading.STDIN in (given["words"], given["answers"], given["guesses"]):
            raise InputError("standard input can be read once: name a file for --intersect")
    elif not exists(other):
        raise InputError(
            f"--intersect {other}: there is no such file, and no word list of that "
            f"name{nearest(other, list(CATALOGUE))}"
        )
    return Source(other, False, given["encoding"] or "utf-8")


def _own_words(given: dict[str, Any], *, two_lists: bool) -> tuple[Spec, str]:
    count = 5 if given["count"] is None else given["count"]
    length = 5 if given["length"] is None else given["length"]
    check_shape(count, length)
    encoding = "utf-8" if given["encoding"] is None else given["encoding"]
    if two_lists:
        if given["answers"] is None or given["guesses"] is None:
            raise InputError("--answers FILE and --guesses FILE go together: give both")
        if given["answers"] == given["guesses"] == reading.STDIN:
            raise InputError("standard input can be read once: name a file for one of the two")
        one, many = (
            GroupSpec(Source(given[which], embedded=False, encoding=encoding), k, length, True)
            for which, k in (("answers", 1), ("guesses", count))
        )
        return Spec((one, many)), f"1+{count}x{length}@{given['answers']},{given['guesses']}"
    if given["list_name"] is not None:
        if given["encoding"] is not None and not _other_file(given):
            raise InputError("--encoding goes with a file: the embedded lists have their own")
        part = group_spec(given["list_name"], count, length)
        return Spec((part,)), f"{count}x{length}@{given['list_name']}"
    source = Source(given["words"], embedded=False, encoding=encoding)
    return Spec((GroupSpec(source, count, length),)), f"{count}x{length}@{given['words']}"


def race(given: dict[str, Any]) -> int:
    """Run `wordpack race` with click's values; return the exit status."""
    from wordpack.racing import leaderboard
    from wordpack.racing.entry import Lineup

    chosen = challenge(given["instance"])
    _check_threads(given["threads"])
    if not isfinite(given["budget"]):
        raise InputError(f"--budget {given['budget']}: it must be a number of seconds")
    # a list without a word is an error here, not in every backend's process
    WORKLOADS[chosen.workload].problem(asdict(chosen.spec))
    rows = registry.of_workload(chosen.workload)
    globs = given["globs"] or ["*"]
    if set(globs) - {row.name for row in registry.ROWS}:
        from wordpack.racing import plugins

        others = [each.row for each in plugins.found()]
        rows += [row for row in others if row.workload == chosen.workload]
    names = [row.name for row in rows]
    wanted = [row for row in rows if any(fnmatchcase(row.name, glob) for glob in globs)]
    for glob in given["globs"]:
        if not any(fnmatchcase(name, glob) for name in names):
            raise InputError(f"--backend {glob} matches no backend{nearest(glob, names)}")
    baseline = given["baseline"]
    if baseline is not None and baseline not in {row.name for row in wanted}:
        if baseline not in names:
            registry.row(baseline)
        raise InputError(f"--baseline {baseline} is not in this race: add --backend {baseline}")
    return leaderboard.run(
        Lineup(
            chosen,
            tuple(wanted),
            by_name=frozenset(given["globs"]) & frozenset(names),
            budget=given["budget"],
            repeat=given["repeat"],
            baseline=baseline,
            threads=given["threads"],
        ),
        given["json_file"],
    )


def words(name: str, length: int | None, *, stats: bool) -> None:
    """Run `wordpack words`."""
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
