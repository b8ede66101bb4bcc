"""`wordpack hints`: read a list, filters and feedback, and print the words that fit."""

import json
import re
from collections.abc import Sequence
from typing import Any

import click

from wordpack.commands.faults import with_options
from wordpack.commands.file import File
from wordpack.errors import InputError
from wordpack.games.feedback import Clue
from wordpack.games.hints import Filters
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.letters import LATIN
from wordpack.lexicon.lexicon import Lexicon
from wordpack.library.games import (
    Candidates,
    Listed,
    fitting,
    length_of,
    ranked_by,
    with_present,
    words_of,
)
from wordpack.text.formatting import counted, visible

PRESENT = re.compile(r"(\d{1,9}):(.+)", re.DOTALL)

NOWHERE = {"", "-", "."}
"""How the published syntax writes a cell without letters."""


def hints(given: dict[str, Any]) -> int:
    """Run `wordpack hints` with click's values; return the exit status."""
    alphabet = alphabet_of(given)
    clues = [Clue.of(text, alphabet) for text in given["guesses"]]
    pattern, misplaced, absent = _call(given["call"])
    length = length_of(pattern, clues, alphabet)
    listed = listed_by(given)
    words = words_of(listed, length, alphabet)
    scored = ranked_by(words, listed)
    as_json = given["form"] == "json"
    if given["frequencies"]:
        strings = scored.strings
        click.echo(json.dumps({"strings": strings}) if as_json else "\n".join(strings))
        return 0
    filters = Filters.of(
        pattern or "." * length,
        with_present(misplaced, _present(given["present"]), length),
        absent + (given["absent"] or ""),
        alphabet,
    )
    candidates = fitting(scored, filters, clues, words.name)
    _show(candidates, as_json=as_json, scores=given["scores"])
    said = _said(words, len(candidates))
    if not candidates:
        from wordpack.games.contradiction import impossible

        said = impossible(filters, clues, given["guesses"], alphabet) or said
    click.echo(visible(with_options(said)), err=True)
    return 0


def _show(candidates: Candidates, *, as_json: bool, scores: bool) -> None:
    if as_json:
        found = {"candidates": list(candidates), "scores": candidates.scores}
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    pairs = zip(candidates, candidates.scores, strict=True)
    lines = [f"{word} {score}" if scores else word for word, score in pairs]
    click.echo("".join(f"{line}\n" for line in lines), nl=False)


def _said(words: Lexicon, n: int) -> str:
    if not n:
        return f"no word of {words.name} fits all of this"
    return f"{n:,} of the {counted(len(words), 'word')} of {words.name}"


def _call(call: Sequence[str]) -> tuple[str, list[str], str]:
    """Return the pattern, misplaced letters and absent letters of the published syntax."""
    if len(call) <= 1:
        return (call[0] if call else ""), [], ""
    pattern, *misplaced, absent = call
    if not misplaced:
        raise InputError(
            "after PATTERN, give one cell of misplaced letters per position, '' for none (or one "
            "word: s,a,a,s,e), and then the absent letters: give both, or neither"
        )
    if len(misplaced) == 1:
        misplaced = misplaced[0].split(",")
    blank = dict.fromkeys(NOWHERE, "")
    return pattern, [blank.get(cell, cell) for cell in misplaced], blank.get(absent, absent)


def _present(present: Sequence[str]) -> dict[int, str]:
    """Return the letters of --present by position."""
    found: dict[int, str] = {}
    for text in present:
        parts = PRESENT.fullmatch(text)
        if parts is None:
            raise InputError(
                f"--present {text}: write POSITION:LETTERS, letters that are in the word but not "
                "at this position, such as 2:n or 5:br"
            )
        found[int(parts[1])] = found.get(int(parts[1]), "") + parts[2]
    return found


def alphabet_of(given: dict[str, Any]) -> Alphabet:
    """Return the alphabet of the options, by default the Latin one."""
    return Alphabet(LATIN if given["letters"] is None else given["letters"])


def listed_by(given: dict[str, Any]) -> Listed:
    """Return the list or file that the options choose."""
    found: Listed = {"table": given["table"]}
    if given["words"] is not None:
        if given["list_name"] is not None:
            raise InputError("give one of --list NAME and --words FILE")
        found["words"] = File(given["words"])
    elif given["encoding"] is not None:
        raise InputError("--encoding goes with --words FILE: the embedded lists have their own")
    elif given["list_name"] is not None:
        found["words"] = given["list_name"]
    for name in ("encoding", "letters"):
        if given[name] is not None:
            found[name] = given[name]
    return found
