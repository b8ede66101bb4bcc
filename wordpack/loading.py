"""From a Spec to its words, their signatures, and the Problem made of them."""

from dataclasses import dataclass

from wordpack import lexicon
from wordpack.alphabet import Alphabet
from wordpack.errors import InputError
from wordpack.lexicon import Dropped, Lexicon
from wordpack.phrases import counted
from wordpack.problem import Group, Problem
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
    lexicons = tuple(_read(part, alphabet) for part in spec.groups)
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


def _read(part: GroupSpec, alphabet: Alphabet) -> Lexicon:
    words = _read_source(part.source, alphabet, part.length)
    words = words.select(part.length, repeats=part.repeats, max_vowels=part.max_vowels)
    if part.shared_with:
        words = words.shared_with(_read_source(part.shared_with, alphabet, part.length))
    return words


def _read_source(source: Source, alphabet: Alphabet, length: int) -> Lexicon:
    if source.embedded:
        return lexicon.read_embedded(source.name, alphabet, length)
    return lexicon.read_file(source.name, alphabet, source.encoding)


def _nothing_left(words: Lexicon) -> InputError:
    gone = ", ".join(f"{n:,} {kind}" for kind, n in words.dropped.counts().items() if n)
    return InputError(
        f"no word is left of {words.name} ({counted(words.lines, 'line')}; dropped: "
        f"{gone or 'none'}): check --length, --letters and the file; --explain tells the rules"
    )
