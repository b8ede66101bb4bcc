"""Load a Spec: read its words, and make their signatures and the Problem."""

from dataclasses import dataclass

from wordpack.errors import InputError
from wordpack.lexicon import reading
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.lexicon import Lexicon
from wordpack.lexicon.rules import Dropped
from wordpack.lexicon.signature import Signatures, group
from wordpack.packing.problem import Group, Problem
from wordpack.solving.spec import GroupSpec, Source, Spec
from wordpack.text.formatting import counted


@dataclass(frozen=True, eq=False)
class Loaded:
    """The words of a problem and the Problem made of them."""

    spec: Spec
    lexicons: tuple[Lexicon, ...]
    signatures: tuple[Signatures, ...]
    problem: Problem

    @property
    def dropped(self) -> Dropped:
        """The dropped lines of all lists together."""
        return sum((each.dropped for each in self.lexicons), Dropped())


def load(spec: Spec) -> Loaded:
    """Read the lists of `spec` and build its Problem.

    If the rules keep no word of a list, there is no packing, which is a valid answer. Raises
    InputError for a file without any readable word.
    """
    alphabet = Alphabet(spec.letters)
    # read a shared list only once: it may be a pipe
    named = {(other, part.length) for part in spec.groups for other in part.shared_with}
    others = {each: _read_source(each[0], alphabet, each[1]) for each in named}
    lexicons = tuple(_read(part, alphabet, others) for part in spec.groups)
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
        words = words.shared_with(others[source, part.length])
    return words


def _read_source(source: Source, alphabet: Alphabet, length: int, *, only: bool = False) -> Lexicon:
    if source.embedded:
        return reading.read_embedded(source.name, alphabet, length)
    words = read_own(source, alphabet, length if only else None)
    if (refusal := unreadable(words, length)) is not None:
        raise refusal
    return words


def read_own(source: Source, alphabet: Alphabet, length: int | None = None) -> Lexicon:
    """Return the words of a file or of a program, all or those of `length` letters."""
    if source.words is None:
        return reading.read_file(source.name, alphabet, source.encoding, length)
    words = reading.read_text("\n".join(source.words), source.name, alphabet)
    return words if length is None else words.select(length, repeats=True)


def unreadable(words: Lexicon, length: int | None = None) -> InputError | None:
    """Return the error for a file without a word of its alphabet; None if it has one.

    `words` were read under rules 2 to 5, and may be only those of one length. A word dropped only
    for its length counts as readable. With `length`, the error names a line of that length.
    """
    if len(words):
        return None
    gone = words.dropped
    if words.lines > gone.blank + gone.duplicate + gone.alphabet:
        return None
    if not words.lines:
        return InputError(f"{words.name} is empty: name another file")
    if words.lines == gone.blank:
        return InputError(f"{words.name} has only blank lines: name another file")
    kinds = [f"{n:,} {kind}" for kind, n in gone.counts().items() if n]
    counts = ", ".join([counted(words.lines, "line"), *kinds])
    advice = length and words.lost_to_alphabet(length)
    return InputError(
        f"no line of {words.name} is a word of the letters {words.alphabet.spelled} ({counts}): "
        f"{advice or 'name its alphabet with `letters`, or name another file'}"
    )
