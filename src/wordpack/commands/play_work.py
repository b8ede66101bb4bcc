"""`wordpack play`: show one game, or play and count all of them."""

import json
from typing import Any

import click

from wordpack.commands.faults import with_options
from wordpack.commands.hints_work import listed_by
from wordpack.errors import InputError
from wordpack.games.hints import Letters, Ranked
from wordpack.games.play import GUESSES, Games, Play
from wordpack.library import clusters
from wordpack.library.clusters import Plan
from wordpack.library.games import LIST, game, place_of
from wordpack.library.playing import Asked, asked, games_of, run, sums
from wordpack.text.formatting import counted, duration
from wordpack.text.output import tell

PUBLISHED = {1: 0, 2: 11, 3: 38, 4: 42, 5: 12, 6: 5}
"""Days that the solver's author played, by number of guesses."""

PUBLISHED_SAID = (
    "109 days, none missed, average 3.6422; he lists the guesses of 108 days, average 3.648"
)


def play(given: dict[str, Any]) -> int:
    """Run `wordpack play` with click's values; return the exit status."""
    if given["answer"] is not None and given["every"]:
        raise InputError("give one of --answer WORD and --all")
    clusters.check(given)
    if given["answer"] is not None and given["cluster"] is not None:
        raise InputError(
            "--cluster is for many games, --answer WORD for one: leave one of them out"
        )
    what = asked(listed_by(given), given["start"], given["starts"], given["answer"])
    if given["answer"] is None:
        games, said = _games(what, given)
        found = sums(what, games)
        as_json = _json(given)
        click.echo(json.dumps(found, ensure_ascii=False) if as_json else _as_text(found, what.name))
        click.echo(said, err=True)
        return 0
    answer = place_of(what.listed, given["answer"])
    start = what.starts[0]
    if len(what.starts) > 1:
        games, said = _games(what, given)
        start = what.starts[games.best()]
        click.echo(said, err=True)
    click.echo(_one_game(what.listed, start, answer, as_json=_json(given)))
    return 0


def _json(given: dict[str, Any]) -> bool:
    return bool(given["form"] == "json")


def _games(what: Asked, given: dict[str, Any]) -> tuple[Games, str]:
    """Play and verify all games; return them, and a line that says how."""
    plan = clusters.planned(given, given["backend"])
    played = games_of(
        what,
        lambda problem: _on_cluster(problem, plan) if plan else _here(problem, given["backend"]),
    )
    strength = f"valid: some of them were replayed, {played.missed:,} missed"
    if played.known:
        strength = f"as expected: the digest known for {played.known}"
    n = len(what.listed) * len(what.starts)
    return played.games, f"{n:,} games {played.how} ({strength})"


def _here(problem: Play, backend: str) -> tuple[Games, str]:
    """Play in this process; return the games, and a line with backend, device and times."""
    ran = run(problem, backend)
    if ran.instead:
        tell(with_options(ran.instead))
    times = f"prepare {duration(ran.prepare)}, play {duration(ran.seconds)}"
    return ran.games, f"by {ran.row.name} on {ran.device}: {times}"


def _on_cluster(problem: Play, plan: Plan) -> tuple[Games, str]:
    """Play on the workers of a cluster; return the games, and a line with workers and times."""
    from wordpack.cluster.playing import play_on

    played = play_on(plan.address, problem, plan.sharing, plan.certificates)
    ranges = f"{counted(played.tasks, 'range')} of start words"
    if played.resumed:
        kept = f"{played.resumed:,} were kept from an earlier run, so no time is shown"
        return played.games, f"on {played.device}: {ranges}; {kept}"
    return played.games, f"on {played.device}: {ranges}, play {duration(played.seconds)}"


def _as_text(found: dict[str, Any], name: str) -> str:
    n, word, many = found["games"], found["start"], found["start_words"]
    lines = [f"{word} is the best of {counted(many, 'start word')}"] * (many > 1)
    lines += [f"{counted(n, 'game')} of {name}, {word} first"]
    compare = name == LIST
    lines += ["guesses  games" + "  the author's days" * compare]
    for guesses, number in found["distribution"].items():
        his = f"{PUBLISHED.get(guesses, 0):>19}" if compare else ""
        lines.append(f"{guesses:>7}{number:>7,}{his}")
    late = found["missed"]
    lines.append(f"average {found['average']:.5f}, {len(late):,} missed")
    lines += [f"missed: {' '.join(late)}"] * bool(late)
    lines += [f"the author, as published: {PUBLISHED_SAID}"] * compare
    return "\n".join(lines)


def _one_game(listed: Ranked, start: Letters, answer: int, *, as_json: bool) -> str:
    found = game(listed, start, answer)
    if as_json:
        document = {"answer": found.answer, "guesses": found.guesses, "marks": found.marks}
        return json.dumps(document, ensure_ascii=False)
    lines = [f"{word} {seen}" for word, seen in zip(found.guesses, found.marks, strict=True)]
    lines += [f"missed: more than {GUESSES} guesses"] * found.missed
    return "\n".join(lines)
