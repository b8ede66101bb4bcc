"""From a Spec to its words, their signatures, and the Problem made of them."""

from dataclasses import dataclass

from wordpack import reading
from wordpack.alphabet import Alphabet
from wordpack.errors import InputError
from wordpack.lexicon import Lexicon
from wordpack.phrases import counted
from wordpack.problem import Group, Problem
from wordpack.rules import Dropped
from wordpack.signature import Signatures, group
from wordpack.spec import GroupSpec, Source, Spec


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


def load(spec: Spec) -> Loaded:
    """Read the lists of `spec` and build its Problem; InputError where a list has no word left."""
    alphabet = Alphabet(spec.letters)
    # a list that words are shared with may be a pipe, which can be read once
    named = {(other, part.length) for part in spec.groups for other in part.shared_with}
    others = {each: _read_source(each[0], alphabet, each[1]) for each in named}
    lexicons = tuple(_read(part, alphabet, others) for part in spec.groups)
    for words, part in zip(lexicons, spec.groups, strict=True):
        # words that cannot exist are no fault of the list: the Problem says that none fit
        if not len(words) and (part.repeats or part.count * part.length <= len(alphabet)):
            raise _nothing_left(words)
    signatures = tuple(
        group(words, keep_anagrams=part.keep_anagrams)
        for words, part in zip(lexicons, spec.groups, strict=True)
    )
    groups = tuple(
        Group(found.masks, part.count, found.weights)
        for found, part in zip(signatures, spec.groups, strict=True)
    )
    return Loaded(spec, lexicons, signatures, Problem(groups, len(alphabet)))


def _read(
    part: GroupSpec, alphabet: Alphabet, others: dict[tuple[Source, int], Lexicon]
) -> Lexicon:
    words = _read_source(part.source, alphabet, part.length, only=True)
    words = words.select(part.length, repeats=part.repeats, max_vowels=part.max_vowels)
    for source in part.shared_with:
        other = others[source, part.length]
        shared = words.shared_with(other)
        if len(words) and not len(shared):
            raise InputError(
                f"none of the {counted(len(words), 'word')} that are left of {words.name} stands "
                f"in {other.name}, which has {counted(len(other), 'word')}: name another list "
                "with --intersect"
            )
        words = shared
    return words


def _read_source(source: Source, alphabet: Alphabet, length: int, *, only: bool = False) -> Lexicon:
    if source.embedded:
        return reading.read_embedded(source.name, alphabet, length)
    return reading.read_file(source.name, alphabet, source.encoding, length if only else None)


def _nothing_left(words: Lexicon) -> InputError:
    gone = ", ".join(f"{n:,} {kind}" for kind, n in words.dropped.counts().items() if n)
    return InputError(
        f"no word is left of {words.name} ({counted(words.lines, 'line')}; dropped: "
        f"{gone or 'none'}): check --length, --letters and the file; --explain tells the rules"
    )
