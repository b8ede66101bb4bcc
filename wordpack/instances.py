"""The named problems, the family notation, and how either becomes signatures and a Problem."""

import re
from dataclasses import dataclass, replace

import numpy as np

from wordpack import lexicon
from wordpack.alphabet import LATIN, Alphabet
from wordpack.errors import InputError
from wordpack.lexicon import Dropped, Lexicon
from wordpack.lists import CATALOGUE
from wordpack.problem import Group, Problem
from wordpack.registry import nearest
from wordpack.signature import Signatures, group


@dataclass(frozen=True)
class Source:
    """Where words come from: an embedded list by name, or a file ("-" is standard input)."""

    name: str
    embedded: bool = True
    encoding: str = "utf-8"


@dataclass(frozen=True)
class GroupSpec:
    """Which words of a source may be picked, and how many."""

    source: Source
    count: int
    length: int
    repeats: bool = False
    max_vowels: int | None = None
    keep_anagrams: bool = False
    shared_with: str | None = None
    """An embedded list that must have the word as well."""


@dataclass(frozen=True)
class Spec:
    """A problem in words."""

    groups: tuple[GroupSpec, ...]
    letters: str = LATIN


@dataclass(frozen=True)
class Expected:
    """The answer of an instance, found once by two programs that share no code (see `source`)."""

    packings: int
    solutions: int
    digest: str | None = None


@dataclass(frozen=True)
class Instance:
    """A named problem."""

    name: str
    title: str
    spec: Spec
    expected: Expected | None = None
    source: str = ""
    """Where its counts were published, or how they were found."""
    workload: str = "packing"


@dataclass(frozen=True, eq=False)
class Loaded:
    """The words of a problem and the Problem made of them."""

    spec: Spec
    lexicons: tuple[Lexicon, ...]
    signatures: tuple[Signatures, ...]
    problem: Problem

    @property
    def dropped(self) -> Dropped:
        """What was dropped from all lists together."""
        return sum((each.dropped for each in self.lexicons), Dropped())


def _five(name: str, **rules: bool | int | str) -> Spec:
    base = GroupSpec(Source(name), count=5, length=5)
    return Spec((replace(base, **rules),))  # type: ignore[arg-type]


INSTANCES: dict[str, Instance] = {
    instance.name: instance
    for instance in (
        Instance("parker", "5 words of words_alpha, 25 letters", _five("words_alpha")),
    )
}

FAMILY = re.compile(r"(?P<count>\d+)x(?P<length>\d+)(?:@(?P<list>.+))?")


def instance(name: str) -> Instance:
    """Return a named instance, or the family `KxL` or `KxL@LIST`; InputError for neither."""
    if name in INSTANCES:
        return INSTANCES[name]
    family = FAMILY.fullmatch(name)
    if not family:
        raise InputError(
            f"no instance is called {name}{nearest(name, list(INSTANCES))} "
            "(or a family such as 5x5@wordle: five words of five different letters)"
        )
    count, length = int(family["count"]), int(family["length"])
    return identify(name, Spec((group_spec(family["list"] or "words_alpha", count, length),)))


def group_spec(list_name: str, count: int, length: int) -> GroupSpec:
    """Return a group of the embedded list called `list_name`; InputError where there is none."""
    check_list(list_name)
    check_shape(count, length)
    return GroupSpec(Source(list_name), count, length)


def check_list(name: str) -> None:
    """Raise InputError unless `name` is an embedded list."""
    if name not in CATALOGUE:
        raise InputError(f"no word list is called {name}{nearest(name, list(CATALOGUE))}")


def check_shape(count: int, length: int) -> None:
    """Raise InputError unless both are at least 1."""
    for what, value in (("count", count), ("length", length)):
        if value < 1:
            raise InputError(f"the {what} of words is {value}: it must be at least 1")


def identify(name: str, spec: Spec) -> Instance:
    """Return the instance that `spec` is, with its expected answer, or a new one called `name`."""
    for known in INSTANCES.values():
        if known.spec == spec:
            return replace(known, name=name)
    return Instance(name, "as given", spec)


def load(spec: Spec) -> Loaded:
    """Read the lists of `spec` and build its Problem; InputError where a list has no word left."""
    alphabet = Alphabet(spec.letters)
    lexicons = tuple(_read(part, alphabet) for part in spec.groups)
    signatures = tuple(
        group(words, keep_anagrams=part.keep_anagrams)
        for words, part in zip(lexicons, spec.groups, strict=True)
    )
    groups = tuple(
        Group(found.masks, part.count, found.weights)
        for found, part in zip(signatures, spec.groups, strict=True)
    )
    return Loaded(spec, lexicons, signatures, Problem(groups, len(alphabet)))


def _read(part: GroupSpec, alphabet: Alphabet) -> Lexicon:
    source = part.source
    if source.embedded:
        words = lexicon.read_embedded(source.name, alphabet, part.length)
    else:
        words = lexicon.read_file(source.name, alphabet, source.encoding)
    words = words.select(part.length, repeats=part.repeats, max_vowels=part.max_vowels)
    if part.shared_with:
        other = set(lexicon.read_embedded(part.shared_with, alphabet, part.length))
        words = words.only(np.array([word in other for word in words], dtype=bool))
    if not len(words):
        gone = ", ".join(f"{n:,} {kind}" for kind, n in words.dropped.counts().items() if n)
        raise InputError(
            f"no word is left of {words.name} ({words.lines:,} lines; dropped: {gone or 'none'}): "
            "check --length, --letters and the file; --explain tells the rules"
        )
    return words
