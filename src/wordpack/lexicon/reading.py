"""Read and clean a word list in whole-array operations."""

import sys
import zlib
from codecs import BOM_UTF8
from dataclasses import replace
from functools import cache, partial
from itertools import compress, islice
from operator import lt
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from wordpack.errors import InputError, Unavailable
from wordpack.lexicon import lists
from wordpack.lexicon.alphabet import NONE, Alphabet
from wordpack.lexicon.letters import LATIN, WHITE
from wordpack.lexicon.lexicon import Lexicon
from wordpack.lexicon.lines import lines_of
from wordpack.lexicon.rules import Account, Dropped, Foreign

STDIN = "-"

LARGEST = 128 << 20
"""Most bytes of a file; accounting for all its lines takes some twenty times the memory."""

BLOCK = 16 << 20
"""Bytes read at a time."""

ASCII = 127
"""The last character of ASCII."""


def read_text(text: str, name: str, alphabet: Alphabet, *, distinct: bool = False) -> Lexicon:
    """Return the words of `text` under rules 2 to 5, of every length.

    `distinct` promises that no word is repeated, as in our own lists (a test checks them).
    """
    lines, trimmed = lines_of(text, alphabet)
    account = Account(len(lines.ends), trimmed=trimmed)
    lexicon = Lexicon(
        name,
        alphabet,
        lines.text,
        alphabet.positions(lines.codes),
        lines.starts,
        lines.ends,
        lambda: account,
    )
    outside = np.zeros(len(lexicon), dtype=bool)
    strange = np.flatnonzero((lexicon.positions == NONE) & (lines.codes != ord("\n")))
    outside[np.searchsorted(lines.ends, strange)] = True
    blank = lines.starts == lines.ends
    for line in np.flatnonzero(outside):
        blank[line] = not lines.text[lines.starts[line] : lines.ends[line]].strip(WHITE)
    outside = outside[~blank]
    lexicon = lexicon.drop("blank", blank)
    if not distinct:
        words = lines.text.split("\n")[: len(blank)]
        again = _repeated(list(compress(words, (~blank).tolist())) if blank.any() else words)
        outside = outside[~again]
        lexicon = lexicon.drop("duplicate", again)
    found = lexicon.drop("alphabet", outside)
    return replace(found, foreign=partial(_foreign, lexicon, outside))


def _foreign(lines: Lexicon, outside: npt.NDArray[np.bool_], length: int) -> Foreign:
    """Return how many of `lines` with `length` letters the alphabet costs."""
    wanted = lines.lengths == length
    lost = np.flatnonzero(wanted & outside)
    example = lines.spelling(int(lost[0])) if len(lost) else ""
    return Foreign(int(np.count_nonzero(wanted)), len(lost), example)


def _repeated(words: list[str]) -> npt.NDArray[np.bool_]:
    again = np.zeros(len(words), dtype=bool)
    ascending = all(map(lt, words, islice(words, 1, None)))
    if not ascending and len(set(words)) < len(words):
        seen: set[str] = set()
        for place, word in enumerate(words):
            again[place] = word in seen
            seen.add(word)
    return again


def _decode(raw: bytes, name: str, encoding: str = "utf-8") -> str:
    """Return `raw` as text; InputError gives the offset of the first bad byte."""
    try:
        text = raw.decode(encoding)
    except UnicodeError as error:
        where = f" at byte offset {error.start}" if isinstance(error, UnicodeDecodeError) else ""
        raise InputError(
            f"{name} is not {encoding.upper()}{where}: name its encoding with `encoding`, "
            "for example `encoding` latin-1"
        ) from None
    except (LookupError, ValueError):
        raise InputError(
            f"`encoding` {encoding}: Python knows no such text encoding; try latin-1 or utf-16"
        ) from None
    nul = text.find("\0")
    if nul >= 0:
        raise InputError(
            f"{name} is not text: it has a NUL at character {nul}; name a plain word list, "
            "or its encoding with `encoding`, for example `encoding` utf-16"
        )
    return text


def read_file(
    path: str, alphabet: Alphabet, encoding: str = "utf-8", length: int | None = None
) -> Lexicon:
    """Return the words of the file at `path`, or of standard input if `path` is "-".

    `length` keeps only words of that many letters. The other lines of an ASCII text are then read
    only when the account is asked for. `select` applies the remaining rules.
    """
    name = "standard input" if path == STDIN else path or repr(path)
    try:
        if path == STDIN:
            raw = _at_most(sys.stdin.buffer, name)
        else:
            with Path(path).open("rb") as stream:
                raw = _at_most(stream, name)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot read {name}: {reason}; name a readable word list") from None
    if length is not None and encoding == "utf-8":
        found = _read_length(raw, name, alphabet, length)
        if found is not None:
            return found
    lexicon = read_text(_decode(raw, name, encoding), name, alphabet)
    return lexicon if length is None else lexicon.select(length, repeats=True)


def _at_most(stream: BinaryIO, name: str) -> bytes:
    """Return all bytes of `stream`; InputError if there are more than LARGEST."""
    blocks: list[bytes] = []
    left = LARGEST + 1
    while left and (block := stream.read(min(left, BLOCK))):
        blocks.append(block)
        left -= len(block)
    if not left:
        raise InputError(
            f"{name} has more than {LARGEST >> 20} MiB, too much for a word list: keep only "
            "words of the length that you need, as grep -xE '.{5}' does"
        )
    return b"".join(blocks)


def _read_length(raw: bytes, name: str, alphabet: Alphabet, length: int) -> Lexicon | None:
    """Return the words of `length` letters of an ASCII text; None for any other text.

    Also None if a line has to be trimmed, if ASCII lower-casing does not fit the alphabet, or if
    nothing can be compiled.
    """
    body = raw.removeprefix(BOM_UTF8)
    codes = np.frombuffer(body, dtype=np.uint8)
    if codes.max(initial=0) > ASCII or not alphabet.lowers_ascii:
        return None
    from wordpack.lexicon.scan import words_of_length

    try:
        words, masks, controls = words_of_length(codes, length, alphabet.bytewise)
    except Unavailable:
        return None
    if controls and (b"\0" in body or _has_edges(body)):
        return None
    codes = np.frombuffer(words.tobytes().lower(), dtype=np.uint8)

    @cache
    def whole() -> Lexicon:
        return read_text(body.decode("ascii"), name, alphabet)

    @cache
    def account() -> Account:
        return whole().select(length, repeats=True).account()

    def foreign(length: int) -> Foreign:
        return whole().foreign(length)

    ends = np.arange(1, len(words) + 1) * length
    text, positions = codes.tobytes().decode("ascii"), alphabet.positions(codes)
    found = Lexicon(name, alphabet, text, positions, ends - length, ends, account, foreign)
    vars(found)["masks"] = masks
    # compare masks first: equal words have equal masks
    one, two = found.order[:-1], found.order[1:]
    near = np.flatnonzero(masks[one] == masks[two])
    spelt = codes.view(f"S{length}")
    again = two[near][spelt[one[near]] == spelt[two[near]]]
    if not len(again):
        return found
    first = np.ones(len(found), dtype=bool)
    first[again] = False
    return found.keep(first, account)


def _has_edges(body: bytes) -> bool:
    """Return whether a line of an ASCII text has white space at an end, or a CR may end one."""
    if body.count(b"\r") != body.count(b"\r\n"):
        return True
    blanks = [each.encode() for each in WHITE if each.isascii() and each not in "\r\n"]
    met = tuple(blank for blank in blanks if blank in body)
    return body.startswith(met) or any(
        body.endswith(blank)
        or b"\n" + blank in body
        or blank + b"\n" in body
        or blank + b"\r" in body
        for blank in met
    )


def read_embedded(name: str, alphabet: Alphabet, length: int | None = None) -> Lexicon:
    """Return the words of the embedded list `name`, a key of `wordpack.lexicon.lists.CATALOGUE`.

    From a list stored by length, only the file for `length` is read; the other words still count
    as dropped. `select` applies the rules.
    """
    folder = Path(lists.__file__).parent
    by_length = sorted((folder / name).glob("*.txt.gz"))
    if not by_length:
        return _read_packed([folder / f"{name}.txt.gz"], name, alphabet)
    if length is None or not set(LATIN) <= set(alphabet.letters):
        return _read_packed(by_length, name, alphabet)
    wanted = [path for path in by_length if path.name == f"{length:02}.txt.gz"]
    part = _read_packed(wanted, name, alphabet)
    total = lists.CATALOGUE[name].words
    account = Account(total, Dropped(length=total - part.lines))
    return replace(part, account=lambda: account)


def _read_packed(paths: list[Path], name: str, alphabet: Alphabet) -> Lexicon:
    text = b"".join(zlib.decompress(path.read_bytes(), wbits=31) for path in paths).decode("ascii")
    if len(paths) > 1:
        text = "".join(sorted(text.splitlines(keepends=True)))
    return read_text(text, name, alphabet, distinct=True)
