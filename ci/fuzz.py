"""Feed mutated word lists, alphabets, families and options to wordpack; compare with plain rules.

    python ci/fuzz.py [--inputs 1000000] [--seed 1] [--kind text]

Each input is made from the seeds below and a random number of mutations, the same for a seed. What
is read is compared with a slow reader written from the rules: words, their order, signatures and
what was dropped; what is refused must be refused by the rules too, as InputError or as one line.
An input that failed becomes a seed below.

Exit status: 0 nothing failed, and how many inputs of each kind were accepted; 1 an input, shown
with the seed that makes it, raised something else, differed, took over LIMIT seconds, or memory
has grown by more than ROOM after the first tenth.
"""

import argparse
import io
import os
import resource
import signal
import sys
import tempfile
import threading
import traceback
import warnings
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from time import monotonic, sleep
from types import SimpleNamespace

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
    plain_alphabet,
    plain_family,
    plain_text,
    plain_words,
)

from wordpack.alphabet import Alphabet
from wordpack.cli import INTERRUPTED, main
from wordpack.errors import InputError
from wordpack.instances import instance
from wordpack.lexicon import Lexicon
from wordpack.reading import read_file
from wordpack.signature import group

LIMIT = 20.0
"""Seconds that one input may take, on a busy machine that may have to compile first."""

ROOM = 64 << 20
"""Bytes by which peak memory may grow after the first tenth of the inputs."""

SHARES = {"text": 50, "alphabet": 25, "family": 23, "options": 2}
"""Inputs of each kind in a hundred."""


class Differs(Exception):  # noqa: N818  what was found, not an error of this script
    """What wordpack found is not what the rules say."""


def agree(found: object, due: object, what: str) -> None:
    """Raise Differs where `found` is not what is `due`."""
    if found != due:
        raise Differs(f"{what}: {found!r} where the rules say {due!r}")


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
            raw, lexicon.select(length, repeats=repeats), plain_words(due, letters), repeats=repeats
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
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = main(arguments)
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    said = err.getvalue()
    got = (status, out.getvalue(), said.startswith("wordpack: "), said.count("\n"))
    agree(status == 0 or got == REFUSED, True, f"{arguments} ended with {got}, {said!r}")
    return status == 0


REFUSED = (2, "", True, 1)
"""Exit status, standard output, and standard error: one line that says who speaks."""

KINDS = {"text": try_text, "alphabet": try_alphabet, "family": try_family, "options": try_options}


class Watch:
    """Ends the process where one input takes too long, whatever it is doing."""

    def __init__(self) -> None:
        self.now, self.since = "", monotonic()
        threading.Thread(target=self._look, daemon=True).start()

    def begin(self, what: str) -> None:
        """Start the clock for another input."""
        self.now, self.since = what, monotonic()

    def _look(self) -> None:
        while True:
            sleep(1)
            if monotonic() - self.since > LIMIT:
                os.write(2, f"{self.now} has taken {LIMIT:g} s\n".encode())
                os._exit(1)


def peak() -> int:
    """Return the most memory that this process has had, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def fuzz(inputs: int, seed: int, kinds: dict[str, int]) -> int:
    """Try so many inputs; print the numbers and return the exit status."""
    counts, watch, before = {kind: Counter[bool]() for kind in kinds}, Watch(), 0
    try:
        for number in range(inputs):
            own = f"{seed}:{number}"
            random = Random(own)  # noqa: S311  no secret
            kind = random.choices(list(kinds), list(kinds.values()))[0]
            watch.begin(f"{kind} of seed {own}")
            try:
                counts[kind][KINDS[kind](random)] += 1
            except Exception:  # any other exception is what we look for
                print(f"{kind} of seed {own}\n{traceback.format_exc()}")  # noqa: T201  its purpose
                return 1
            if number == inputs // 10:
                before = peak()
    except KeyboardInterrupt:
        print(f"interrupted after {number:,} inputs")  # noqa: T201
    grown = peak() - (before or peak())
    for kind, found in counts.items():
        print(f"{kind:<9}{found[True]:>10,} accepted {found[False]:>10,} refused")  # noqa: T201
    print(f"peak memory {peak() >> 20} MiB, {grown >> 20} of them after the first tenth")  # noqa: T201
    return 1 if grown > ROOM else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=SHARES)
    asked = parser.parse_args()
    # also where a shell that started us in the background has it ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # of escapes that unicode_escape does not know
    warnings.simplefilter("ignore", DeprecationWarning)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("five").write_text("fjord\ngucks\nnymph\nvibex\nwaltz\n")
        Path("twice").write_text("fjord\nFJORD\nwaltz\nhello\n")
        Path("empty").write_text("")
        status = fuzz(asked.inputs, asked.seed, {asked.kind: 1} if asked.kind else SHARES)
        os.chdir("/")
    sys.exit(status)
