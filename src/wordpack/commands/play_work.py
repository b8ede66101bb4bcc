"""What `wordpack play` does with its options: one game shown, or all of them counted."""

import json
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import click
import numpy as np

from wordpack.backend import choosing, fallback
from wordpack.backend.base import Options, Prepared
from wordpack.backend.row import Row
from wordpack.commands.cluster_options import certificates, check_options
from wordpack.commands.hints_work import LENGTH, LIST, alphabet_of, scored, words_of
from wordpack.commands.others import know
from wordpack.errors import InputError, WrongAnswer
from wordpack.games.feedback import marks
from wordpack.games.hints import Letters, Ranked, rows_of
from wordpack.games.instances import PLAYS, PlaySpec
from wordpack.games.loading import checked
from wordpack.games.play import GUESSES, Games, Play, play_of, replay
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.letters import LATIN, WHITE
from wordpack.solving.judge import judge
from wordpack.text.formatting import counted, duration
from wordpack.text.output import tell

BEST = "best"
"""What --start says for the start word of the best average."""

PUBLISHED = {1: 0, 2: 11, 3: 38, 4: 42, 5: 12, 6: 5}
"""The days that the solver's author played, by guesses."""

PUBLISHED_SAID = (
    "109 days, none missed, average 3.6422; the guesses that he lists are of 108, 3.648 on average"
)

MOST = 1 << 31
"""Games whose guesses are held at a time, a byte or two each."""


@dataclass(frozen=True)
class Asked:
    """The words that the options name."""

    listed: Ranked
    name: str
    """Of the list of answers."""
    starts: Letters
    """(s, length)."""
    spec: PlaySpec | None
    """The same in words, where a named instance could be it."""


def play(given: dict[str, Any]) -> int:
    """Run `wordpack play` with click's values; return the exit status."""
    if given["answer"] is not None and given["every"]:
        raise InputError("give one of --answer WORD and --all")
    check_options(given)
    if given["answer"] is not None and given["cluster"] is not None:
        raise InputError("--cluster shares all games, and --answer WORD is one: leave one out")
    asked = _asked(given)
    if given["answer"] is None:
        games, said = _games(asked, given)
        best = games.best()
        click.echo(_as_json(games, asked, best) if _json(given) else _as_text(games, asked, best))
        click.echo(said, err=True)
        return 0
    answer = _place(asked.listed, given["answer"])
    start = asked.starts[0]
    if len(asked.starts) > 1:
        games, said = _games(asked, given)
        start = asked.starts[games.best()]
        click.echo(said, err=True)
    click.echo(_one_game(asked.listed, start, answer, as_json=_json(given)))
    return 0


def _json(given: dict[str, Any]) -> bool:
    return bool(given["form"] == "json")


def _asked(given: dict[str, Any]) -> Asked:
    # pasted words bring white space, as the lines of a list do
    given |= {name: (given[name] or "").strip(WHITE) or given[name] for name in ("start", "answer")}
    alphabet, start = alphabet_of(given), given["start"]
    word = None if start is None or start.lower() == BEST else alphabet.spelt(start)
    if word is not None and given["starts"] is not None:
        raise InputError("give one of --start WORD and --starts LIST, whose best word is taken")
    named = given["answer"] if word is None else word
    if named == "":
        raise InputError("--start and --answer are words: give one of a letter at least, or best")
    length = LENGTH if named is None else len(alphabet.spelt(named))
    words = words_of(given, length, alphabet)
    listed = scored(words, given["table"])
    spec, starts = None, listed.rows[:1]
    embedded = given["list_name"] or LIST
    known = given["words"] is None and given["table"] == "computed" and alphabet.letters == LATIN
    if given["starts"] is not None:
        others = words_of(
            {"words": None, "list_name": given["starts"], "encoding": None}, length, alphabet
        )
        spec, starts = PlaySpec(embedded, length, given["starts"]), rows_of(others)
    elif word is not None:
        starts = _row(word, alphabet)[None, :]
    elif start is not None:
        spec, starts = PlaySpec(embedded, length), listed.rows
    else:
        spec = PlaySpec(embedded, length, best_scored=True)
    return Asked(listed, words.name, starts, spec if known else None)


def _row(word: str, alphabet: Alphabet) -> Letters:
    for letter in word:
        if letter not in alphabet.letters:
            raise InputError(
                f"--start {word}: {letter!r} is no letter of the alphabet {alphabet.spelled}: "
                "name another with --letters"
            )
    return np.array([alphabet.letters.index(letter) for letter in word], np.uint8)


def _place(listed: Ranked, answer: str) -> int:
    word = listed.alphabet.spelt(answer)
    if word not in listed.words:
        raise InputError(
            f"--answer {answer} is not among the {counted(len(listed), 'word')} that can be the "
            "answer: name another word, or another --list"
        )
    return listed.words.index(word)


def _games(asked: Asked, given: dict[str, Any]) -> tuple[Games, str]:
    """Play all games; return them, verified, and a line that says so."""
    problem = play_of(asked.listed, asked.starts)
    if problem.games > MOST:
        raise InputError(
            f"{problem.games:,} games are more than can be held, {MOST:,}: name a start word with "
            "--start, or a shorter list of them with --starts"
        )
    play_all = _here if given["cluster"] is None else _on_cluster
    games, how = play_all(problem, given)
    found = checked(games, problem)
    strength = f"valid: some of them were replayed, {found['missed']:,} missed"
    for known in PLAYS.values():
        if known.spec == asked.spec and known.expected is not None:
            if judge(found, known.expected).differs:
                raise WrongAnswer(f"other games than those known were played {how}")
            strength = f"as expected: the digest known for {known.name}"
    return games, f"{problem.games:,} games {how} ({strength})"


def _here(problem: Play, given: dict[str, Any]) -> tuple[Games, str]:
    """Play in this process; return the games and a line: by what, where, how long."""
    backend, options = given["backend"], Options()
    auto = backend == "auto"
    know(backend)

    def choose(unusable: fallback.Unusable) -> tuple[Row, float]:
        if auto:
            row = choosing.first("play", problem, options, unusable)
        else:
            row = choosing.named(backend, "play", problem, options)
        return row, perf_counter()

    def prepare(row: Row) -> Prepared:
        made: Prepared = row.load().prepare(problem, options)
        return made

    row, started, search, unusable = fallback.prepared(choose, prepare, auto=auto)
    prepared = perf_counter()
    if instead := fallback.said(row, unusable):
        tell(instead)
    games: Games = search.run()
    times = f"prepare {duration(prepared - started)}, play {duration(perf_counter() - prepared)}"
    return games, f"by {row.name} on {search.device}: {times}"


def _on_cluster(problem: Play, given: dict[str, Any]) -> tuple[Games, str]:
    """Play on the workers of a cluster; return the same."""
    from wordpack.cluster.playing import play_on
    from wordpack.cluster.sharing import Sharing

    plan = Sharing(given["backend"], given["slices"], given["checkpoint"], given["resume"])
    played = play_on(given["cluster"], problem, plan, certificates(given))
    ranges = f"{counted(played.tasks, 'range')} of start words"
    if played.resumed:
        kept = f"{played.resumed:,} were kept from an earlier run, so no time is shown"
        return played.games, f"on {played.device}: {ranges}; {kept}"
    return played.games, f"on {played.device}: {ranges}, play {duration(played.seconds)}"


def _word(row: Letters, letters: str) -> str:
    return "".join(letters[place] for place in row.tolist())


def _missed(games: Games, asked: Asked, start: int) -> list[str]:
    late = np.flatnonzero(games.guesses[start] > GUESSES).tolist()
    return sorted((asked.listed.words[place] for place in late), key=asked.listed.alphabet.sort_key)


def _as_json(games: Games, asked: Asked, start: int) -> str:
    n = len(asked.listed)
    found = {
        "start": _word(asked.starts[start], asked.listed.alphabet.letters),
        "start_words": len(asked.starts),
        "games": n,
        "guesses": int(games.totals[start]),
        "average": int(games.totals[start]) / n,
        "distribution": games.distribution(start),
        "missed": _missed(games, asked, start),
    }
    return json.dumps(found, ensure_ascii=False)


def _as_text(games: Games, asked: Asked, start: int) -> str:
    n, word = len(asked.listed), _word(asked.starts[start], asked.listed.alphabet.letters)
    many = len(asked.starts)
    lines = [f"{word} is the best of {counted(many, 'start word')}"] * (many > 1)
    lines += [f"{counted(n, 'game')} of {asked.name}, {word} first"]
    compare = asked.name == LIST
    lines += ["guesses  games" + "  the author's days" * compare]
    for guesses, number in games.distribution(start).items():
        his = f"{PUBLISHED.get(guesses, 0):>19}" if compare else ""
        lines.append(f"{guesses:>7}{number:>7,}{his}")
    missed = _missed(games, asked, start)
    lines.append(f"average {games.totals[start] / n:.5f}, {len(missed):,} missed")
    lines += [f"missed: {' '.join(missed)}"] * bool(missed)
    lines += [f"the author, as published: {PUBLISHED_SAID}"] * compare
    return "\n".join(lines)


def _one_game(listed: Ranked, start: Letters, answer: int, *, as_json: bool) -> str:
    problem, letters = play_of(listed, start[None, :]), listed.alphabet.letters
    guesses = np.array(replay(problem, 0, answer), np.uint8)
    hidden = listed.rows[answer][None, :]
    shown = ["".join(".YG"[mark] for mark in marks(guess, hidden)[0]) for guess in guesses]
    pairs = [(_word(guess, letters), seen) for guess, seen in zip(guesses, shown, strict=True)]
    if as_json:
        document = {
            "answer": listed.words[answer],
            "guesses": [word for word, _ in pairs],
            "marks": [seen for _, seen in pairs],
        }
        return json.dumps(document, ensure_ascii=False)
    lines = [f"{word} {seen}" for word, seen in pairs]
    if len(pairs) > GUESSES:
        lines.append(f"missed: more than {GUESSES} guesses")
    return "\n".join(lines)
