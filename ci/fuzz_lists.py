"""Word lists, alphabets, families and the options of `solve`, against the rules in plain Python."""

import io
import sys
from types import SimpleNamespace

import plain_words
from generators.words import WordList
from outcomes import command
from plain_letters import plain_alphabet
from wordpack.errors import InputError
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.lexicon import Lexicon
from wordpack.lexicon.lists import CATALOGUE
from wordpack.lexicon.reading import read_file
from wordpack.lexicon.signature import group
from wordpack.solving.instances import INSTANCES, instance
from wordpack.testing.agreement import Differs, agree


def try_text(given: WordList) -> bool:
    """Read a whole list and one length of it; compare words, signatures and counts."""
    text = plain_words.decoded(given.raw, given.encoding)
    for only in (None, given.length):
        stdin(given.raw)
        try:
            lexicon = read_file("-", Alphabet(given.letters), given.encoding, only)
        except InputError:
            agree("refused", "refused" if text is None else "read", f"{given}")
            continue
        if text is None:
            raise Differs(f"{given} was read")
        compare(given, lexicon.select(given.length, repeats=given.repeats), text)
    return text is not None


def compare(given: WordList, found: Lexicon, text: str) -> None:
    """Compare a lexicon of one length with plain Python's reading of the whole list."""
    words, dropped = plain_words.words(text, given.letters)
    length = int(found.lengths[0]) if len(found) else None
    right = [word for word in words if len(word) == length]
    right = [word for word in right if given.repeats or len({*word}) == length]
    agree(list(found), right, f"words of {given}")
    place = {letter: 1 << bit for bit, letter in enumerate(found.alphabet.letters)}
    masks = [sum(place[letter] for letter in {*word}) for word in right]
    agree(found.masks.tolist(), masks, f"signatures of {given}")
    for kind in ("blank", "duplicate", "alphabet"):
        agree(getattr(found.dropped, kind), dropped[kind], f"{kind} of {given}")
    agree(found.lines, len(words) + dropped.total(), f"lines of {given}")
    signatures, firsts = group(found), dict.fromkeys(masks)
    agree(signatures.masks.tolist(), list(firsts), f"groups of {given}")
    weights = [masks.count(mask) for mask in firsts]
    agree(signatures.weights.tolist(), weights, f"weights of {given}")
    ranks = sorted(range(len(right)), key=lambda n: [place[letter] for letter in right[n]])
    agree(found.order.tolist(), ranks, f"order of {given}")


def try_alphabet(letters: str) -> bool:
    """Make an alphabet, and turn its mask back into its letters."""
    right = plain_alphabet(letters)
    try:
        found = Alphabet(letters)
    except InputError:
        agree(None, right, f"alphabet {letters!r}")
        return False
    agree(found.letters, right, f"alphabet {letters!r}")
    agree(found.letters_of(found.mask_of(found.letters)), right, f"letters of {letters!r}")
    return True


def try_family(name: str) -> bool:
    """Look up an instance or a family by name."""
    right = plain_words.is_family(name, INSTANCES, CATALOGUE)
    try:
        found = instance(name)
    except InputError:
        agree("refused", "accepted" if right else "refused", f"instance {name!r}")
        return False
    agree((True, found.name), (right, name), f"instance {name!r}")
    return True


def try_command(arguments: list[str]) -> bool:
    """Run wordpack with one word on standard input."""
    stdin(b"fjord\n")
    return command(arguments)[0] == 0


def stdin(raw: bytes) -> None:
    """Put these bytes on standard input."""
    sys.stdin = SimpleNamespace(buffer=io.BytesIO(raw))  # type: ignore[assignment]
