"""Word lists, alphabets, families and the options of `solve`, against the rules in plain Python."""

import io
import sys
from collections import Counter
from random import Random
from types import SimpleNamespace

from fuzz_outcomes import Differs, agree, command
from fuzz_seeds import (
    AFTER,
    BITS,
    ENCODINGS,
    FAMILIES,
    FLAGS,
    LATIN,
    LETTERS,
    OPTIONS,
    VALUES,
    mutated,
    often,
    plain_family,
    plain_text,
    plain_words,
)
from plain_letters import plain_alphabet

from wordpack.errors import InputError
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.lexicon import Lexicon
from wordpack.lexicon.reading import read_file
from wordpack.lexicon.signature import group
from wordpack.solving.instances import instance


def try_text(random: Random) -> bool:
    """Read a mutated list, all of it and one length; compare words, signatures and the account."""
    encoding, letters = random.choice(ENCODINGS), random.choice(LETTERS)
    text = mutated(random, BITS)
    try:
        raw = text.encode(encoding if often(random, 0.9) else "utf-8", "ignore")
    except (LookupError, UnicodeError, ValueError):
        raw = text.encode()
    if often(random, 0.1) and raw:
        at = random.randrange(len(raw))
        raw = raw[:at] + random.randbytes(random.randint(0, 3)) + raw[at + 1 :]
    length, repeats = random.choice([1, 2, 3, 5, 70]), often(random, 0.5)
    due = plain_text(raw, encoding)
    for only in (None, length):
        sys.stdin = SimpleNamespace(buffer=io.BytesIO(raw))  # type: ignore[assignment]
        try:
            lexicon = read_file("-", Alphabet(letters), encoding, only)
        except InputError:
            agree("refused", "refused" if due is None else "read", f"{raw!r} as {encoding}")
            continue
        if due is None:
            raise Differs(f"{raw!r} as {encoding} was read")
        compare(
            raw,
            lexicon.select(length, repeats=repeats),
            plain_words(due, letters),
            repeats=repeats,
        )
    return due is not None


def compare(
    raw: bytes, found: Lexicon, due: tuple[list[str], Counter[str]], *, repeats: bool
) -> None:
    """Compare a lexicon of one length with the plain words of every length."""
    words, dropped = due
    length = int(found.lengths[0]) if len(found) else None
    right = [word for word in words if len(word) == length and (repeats or len({*word}) == length)]
    agree(list(found), right, f"words of {raw!r}")
    place = {letter: 1 << bit for bit, letter in enumerate(found.alphabet.letters)}
    masks = [sum(place[letter] for letter in {*word}) for word in right]
    agree(found.masks.tolist(), masks, f"signatures of {raw!r}")
    for kind in ("blank", "duplicate", "alphabet"):
        agree(getattr(found.dropped, kind), dropped[kind], f"{kind} of {raw!r}")
    agree(found.lines, len(words) + dropped.total(), f"lines of {raw!r}")
    signatures, firsts = group(found), dict.fromkeys(masks)
    agree(signatures.masks.tolist(), list(firsts), f"groups of {raw!r}")
    agree(
        signatures.weights.tolist(), [masks.count(mask) for mask in firsts], f"weights of {raw!r}"
    )
    ranks = sorted(range(len(right)), key=lambda n: [place[letter] for letter in right[n]])
    agree(found.order.tolist(), ranks, f"order of {raw!r}")


def try_alphabet(random: Random) -> bool:
    """Make an alphabet of mutated letters, and take it apart again."""
    bits = [*LATIN, *LETTERS, *BITS] if often(random, 0.5) else [*LATIN[:20], "æ"]
    letters = mutated(random, bits)
    due = plain_alphabet(letters)
    try:
        found = Alphabet(letters)
    except InputError:
        agree(None, due, f"alphabet {letters!r}")
        return False
    agree(found.letters, due, f"alphabet {letters!r}")
    agree(found.letters_of(found.mask_of(found.letters)), due, f"letters of {letters!r}")
    return True


def try_family(random: Random) -> bool:
    """Name an instance or a family."""
    name = mutated(random, [*FAMILIES, *"0123456789x@"])
    if often(random, 0.3):
        name = random.choice(FAMILIES)
    elif often(random, 0.5):
        name = f"{random.choice(VALUES)}x{random.choice(VALUES)}{random.choice(AFTER)}"
    try:
        found = instance(name)
    except InputError:
        agree("refused", "accepted" if plain_family(name) else "refused", f"instance {name!r}")
        return False
    agree((True, found.name), (plain_family(name), name), f"instance {name!r}")
    return True


def try_options(random: Random) -> bool:
    """Run `wordpack solve` with any options on five words."""
    arguments = ["solve"]
    if often(random, 0.3):
        arguments += [random.choice(["toy", "5x5@toy", "nope"])]
    if often(random, 0.7):
        arguments += ["--words", "five"]
    for name in random.choices([*OPTIONS, *FLAGS], k=random.randint(0, 4)):
        arguments += [name, random.choice(OPTIONS[name])] if name in OPTIONS else [name]
    sys.stdin = SimpleNamespace(buffer=io.BytesIO(b"fjord\n"))  # type: ignore[assignment]
    return command(arguments)[0] == 0
