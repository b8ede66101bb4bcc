"""What `wordpack hints` does with its options: a list, filters, feedback, and the words left."""

import json
import re
from collections.abc import Sequence
from typing import Any

import click
import numpy as np

from wordpack.errors import InputError
from wordpack.games.feedback import Clue, consistent
from wordpack.games.hints import PUBLISHED, Filters, Ranked, cells, ranked
from wordpack.lexicon import reading
from wordpack.lexicon.alphabet import MAX_LETTERS, Alphabet
from wordpack.lexicon.letters import LATIN
from wordpack.lexicon.lexicon import Lexicon
from wordpack.solving.spec import check_list
from wordpack.text.formatting import counted, visible

LIST = "wordle-answers"
"""The list of the published program."""

LENGTH = 5

PRESENT = re.compile(r"(\d{1,9}):(.+)", re.DOTALL)

NOWHERE = {"", "-", "."}
"""What stands for a cell without a letter."""


def hints(given: dict[str, Any]) -> int:
    """Run `wordpack hints` with click's values; return the exit status."""
    alphabet = alphabet_of(given)
    clues = [Clue.of(text, alphabet) for text in given["guesses"]]
    pattern, misplaced, absent = _call(given["call"])
    length = _length(pattern, clues, alphabet)
    words = words_of(given, length, alphabet)
    listed = scored(words, given["table"])
    as_json = given["form"] == "json"
    if given["frequencies"]:
        strings = listed.strings
        click.echo(json.dumps({"strings": strings}) if as_json else "\n".join(strings))
        return 0
    filters = Filters.of(
        pattern or "." * length,
        _with_present(misplaced, given["present"], length),
        absent + (given["absent"] or ""),
        alphabet,
    )
    fits = filters.fit(listed.rows) & consistent(clues, listed.rows)
    _show(listed, np.flatnonzero(fits).tolist(), as_json=as_json, scores=given["scores"])
    said = _said(words, int(fits.sum()))
    if not fits.any():
        from wordpack.games.contradiction import impossible

        said = impossible(filters, clues, given["guesses"], alphabet) or said
    click.echo(visible(said), err=True)
    return 0


def _show(listed: Ranked, places: list[int], *, as_json: bool, scores: bool) -> None:
    candidates = [(listed.words[place], int(listed.scores[place])) for place in places]
    if as_json:
        found = {
            "candidates": [word for word, _ in candidates],
            "scores": [score for _, score in candidates],
        }
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    lines = [f"{word} {score}" if scores else word for word, score in candidates]
    click.echo("".join(f"{line}\n" for line in lines), nl=False)


def _said(words: Lexicon, n: int) -> str:
    if not n:
        return f"no word of {words.name} fits all of this"
    return f"{n:,} of the {counted(len(words), 'word')} of {words.name}"


def _call(call: Sequence[str]) -> tuple[str, list[str], str]:
    """Return pattern, cells of misplaced letters and absent letters of the published syntax."""
    if len(call) <= 1:
        return (call[0] if call else ""), [], ""
    pattern, *misplaced, absent = call
    if not misplaced:
        raise InputError(
            "after the PATTERN come a cell of misplaced letters for each position, '' for none "
            "(or one word: s,a,a,s,e), and the absent letters: give both, or neither"
        )
    if len(misplaced) == 1:
        misplaced = misplaced[0].split(",")
    blank = dict.fromkeys(NOWHERE, "")
    return pattern, [blank.get(cell, cell) for cell in misplaced], blank.get(absent, absent)


def _length(pattern: str, clues: Sequence[Clue], alphabet: Alphabet) -> int:
    """Return how long the words are: as the pattern, else as the guesses, else LENGTH."""
    lengths = [len(cells(pattern, alphabet))] if pattern else []
    lengths += [len(clue.guess) for clue in clues]
    if len(set(lengths)) > 1:
        raise InputError(
            "pattern and guesses have different lengths: "
            f"{', '.join(str(length) for length in lengths)} letters; give all one length"
        )
    return lengths[0] if lengths else LENGTH


def _with_present(misplaced: list[str], present: Sequence[str], length: int) -> list[str]:
    if misplaced and len(misplaced) != length:
        raise InputError(
            f"{counted(len(misplaced), 'cell')} of misplaced letters for {length} positions: "
            "give one for each, '' for none"
        )
    found = misplaced or [""] * length
    for text in present:
        parts = PRESENT.fullmatch(text)
        if parts is None:
            raise InputError(
                f"--present {text}: write POSITION:LETTERS, the letters that are in the word and "
                "not there, such as 2:n or 5:br"
            )
        if not 1 <= int(parts[1]) <= length:
            raise InputError(f"--present {text}: positions are 1 to {length}")
        found[int(parts[1]) - 1] += parts[2]
    return found


def alphabet_of(given: dict[str, Any]) -> Alphabet:
    """Return the alphabet that the options name, or the Latin one."""
    return Alphabet(LATIN if given["letters"] is None else given["letters"])


def words_of(given: dict[str, Any], length: int, alphabet: Alphabet) -> Lexicon:
    """Return the words of `length` letters of the list or file that the options name."""
    if length > MAX_LETTERS:
        raise InputError(
            f"words of {length} letters are asked for: hints and games know at most {MAX_LETTERS}"
        )
    if given["words"] is not None:
        if given["list_name"] is not None:
            raise InputError("give one of --list NAME and --words FILE")
        found = reading.read_file(given["words"], alphabet, given["encoding"] or "utf-8", length)
    else:
        if given["encoding"] is not None:
            raise InputError("--encoding goes with --words FILE: our lists have their own")
        name = given["list_name"] or LIST
        check_list(name)
        found = reading.read_embedded(name, alphabet, length).select(length, repeats=True)
    if not len(found):
        if lost := found.lost_to_alphabet(length):
            raise InputError(f"no word is left of {found.name}: {lost}")
        raise InputError(
            f"{found.name} has no word of {counted(length, 'letter')} of the alphabet "
            f"{alphabet.spelled}: name another list, or its --letters"
        )
    return found


def scored(words: Lexicon, table: str) -> Ranked:
    """Return `words` by their score, by the letter strings that `table` names."""
    return ranked(words, PUBLISHED if table == "published" else None)
