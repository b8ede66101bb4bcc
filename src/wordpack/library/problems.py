"""Problems by name, or made from the caller's own words."""

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypedDict, Unpack

from wordpack.errors import InputError
from wordpack.lexicon import reading
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.letters import LATIN
from wordpack.library.showing import refuse_unknown
from wordpack.solving.instances import Instance, identify
from wordpack.solving.spec import GroupSpec, Source, Spec, check_list, check_shape
from wordpack.solving.workload import packing

Words = str | os.PathLike[str] | Iterable[str]
"""The name of an instance, family or embedded list, a file's path, or the words themselves."""

GIVEN = "the list given"
"""The name of a list without a name."""


class Rules(TypedDict, total=False):
    """Which words a problem uses, and how many; the instance has the defaults."""

    count: int
    """How many of your own words to pick (default: 5)."""
    length: int
    """Letters in each of your own words (default: 5)."""
    answers: Words
    """Pick one word from this list, and `count` words from `guesses`."""
    guesses: Words
    letters: str
    """The alphabet, up to 64 letters, in order."""
    encoding: str
    """Encoding of files (default: utf-8)."""
    repeats: bool
    """Keep words that repeat a letter."""
    max_vowels: int
    """Keep only words with at most this many different letters of aeiouy."""
    intersect: Words
    """Keep only words that are also in this embedded list, file or iterable."""
    keep_anagrams: bool
    """Search anagrams separately instead of as a group."""


def problem(words: Words | Instance | None = None, /, **rules: Unpack[Rules]) -> Instance:
    """Return a named problem, or one made from your own words.

    `words` is a name from `instances()`, a family such as '4x6' or '5x5@wordle', a Path to a word
    list, or any iterable of words. A str is never a path. Without `words`, give two lists as
    `answers` and `guesses`. Raises InputError for an unknown name or contradictory rules.

    Examples
    --------
    >>> from wordpack import problem
    >>> problem("5x5@wordle", max_vowels=2).name
    '5x5@wordle max_vowels=2'
    """
    refuse_unknown("problem", rules, Rules.__optional_keys__)
    if not isinstance(words, Instance | str):
        return _with(*_own(words, rules), rules)
    named = packing(words) if isinstance(words, str) else words
    for rule in ("count", "length", "answers", "guesses"):
        if rules.get(rule) is not None:
            raise InputError(f"`{rule}` goes with words of your own: {named.name} has its own")
    return _with(named.spec, named.name, rules)


def _own(words: Words | None, rules: Rules) -> tuple[Spec, str]:
    """Return the problem of the caller's own words, and its name."""
    count, length = rules.get("count", 5), rules.get("length", 5)
    encoding = rules.get("encoding", "utf-8")
    check_shape(count, length)
    two = "answers" in rules or "guesses" in rules
    if two and (words is not None or not ("answers" in rules and "guesses" in rules)):
        raise InputError("`answers` and `guesses` go together: give both, and no other words")
    if two:
        one = GroupSpec(source_of(rules["answers"], encoding), 1, length, repeats=True)
        many = GroupSpec(source_of(rules["guesses"], encoding), count, length, repeats=True)
        if one.source.name == many.source.name == reading.STDIN:
            raise InputError("standard input can be read once: name a file for one of the two")
        return Spec((one, many)), f"1+{count}x{length}@{one.source.name},{many.source.name}"
    if words is None:
        raise InputError("no words are given: name an instance, such as 'parker', or give words")
    source = source_of(words, encoding)
    return Spec((GroupSpec(source, count, length),)), f"{count}x{length}@{source.name}"


def source_of(words: Words, encoding: str = "utf-8") -> Source:
    """Return the source of words: an embedded list by name, a file, or the words themselves."""
    if isinstance(words, str):
        check_list(words)
        return Source(words)
    if isinstance(words, os.PathLike):
        return Source(os.fspath(words), embedded=False, encoding=encoding)
    if isinstance(words, bytes) or not isinstance(words, Iterable):
        raise InputError(
            f"{words!r} is not a list of words: give a name, a Path, or an iterable of str"
        )
    return Source(GIVEN, embedded=False, words=tuple(_checked(words)))


def _checked(words: Iterable[Any]) -> Iterable[str]:
    for place, word in enumerate(words, 1):
        if not isinstance(word, str):
            raise InputError(f"word {place} is {word!r}: every word must be a str")
        if "\n" in word or "\r" in word:
            raise InputError(f"word {place} is {word!r}: a word cannot have a line break")
        yield str(word)


def _with(base: Spec, name: str, rules: Rules) -> Instance:
    """Return the instance of `base` with more rules; its name says what they change."""
    changes: dict[str, Any] = {
        rule: rules[rule]
        for rule in ("repeats", "max_vowels", "keep_anagrams")
        if rules.get(rule) is not None
    }
    groups = base.groups
    if "intersect" in rules:
        other = source_of(rules["intersect"], rules.get("encoding", "utf-8"))
        if other.name == reading.STDIN and any(part.source.name == other.name for part in groups):
            raise InputError("standard input can be read once: name a file for `intersect`")
        name += f" intersect={other.name}"
        groups = tuple(
            replace(part, shared_with=(*part.shared_with, other)) for part in base.groups
        )
    letters = base.letters if "letters" not in rules else Alphabet(rules["letters"]).spelled
    spec = Spec(groups, letters)
    changed = Spec(tuple(replace(part, **changes) for part in groups), letters)
    if changed != spec or letters != base.letters:
        name += "".join(f" {rule}={value}" for rule, value in changes.items())
        name += f" letters={letters}" * (letters != LATIN)
    return identify(name, changed)
