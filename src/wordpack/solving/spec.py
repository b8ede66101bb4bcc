"""The description of a problem: which lists, which of their words, and how many to pick."""

from dataclasses import dataclass
from typing import Any

from wordpack.errors import InputError
from wordpack.lexicon.letters import LATIN
from wordpack.lexicon.lists import CATALOGUE
from wordpack.text.formatting import nearest

MOST = 1000
"""The largest count and length; no alphabet has letters for more than 64 of either."""


@dataclass(frozen=True)
class Source:
    """A source of words: an embedded list, a file ("-" is standard input), or a program."""

    name: str
    embedded: bool = True
    encoding: str = "utf-8"
    words: tuple[str, ...] | None = None
    """The words themselves if a program gave them, else None."""

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "Source":
        """Return the source that `dataclasses.asdict` turned into these plain values."""
        words = values.get("words")
        return cls(**values | {"words": None if words is None else tuple(words)})


@dataclass(frozen=True)
class GroupSpec:
    """Which words of a source may be picked, and how many."""

    source: Source
    count: int
    length: int
    repeats: bool = False
    max_vowels: int | None = None
    keep_anagrams: bool = False
    shared_with: tuple[Source, ...] = ()
    """Lists that must also have the word."""


@dataclass(frozen=True)
class Spec:
    """The description of a problem."""

    groups: tuple[GroupSpec, ...]
    letters: str = LATIN

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "Spec":
        """Return the spec that `dataclasses.asdict` turned into these plain values."""
        groups = (
            GroupSpec(
                **group
                | {
                    "source": Source.from_json(group["source"]),
                    "shared_with": tuple(map(Source.from_json, group["shared_with"])),
                }
            )
            for group in values["groups"]
        )
        return cls(tuple(groups), values["letters"])


def group_spec(list_name: str, count: int, length: int) -> GroupSpec:
    """Return a group of the embedded list `list_name`; raise InputError if there is none."""
    check_list(list_name)
    check_shape(count, length)
    return GroupSpec(Source(list_name), count, length)


def check_list(name: str) -> None:
    """Raise InputError unless `name` is an embedded list."""
    if name not in CATALOGUE:
        raise InputError(f"no word list is called {name}{nearest(name, list(CATALOGUE))}")


def check_shape(count: int, length: int) -> None:
    """Raise InputError unless both are 1 to MOST."""
    for what, value in (("count", count), ("length", length)):
        if value < 1:
            raise InputError(f"the {what} of words is {value}: it must be at least 1")
        if value > MOST:
            raise InputError(f"the {what} of words is {value}: it must be at most {MOST}")
