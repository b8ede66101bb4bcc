"""Read and clean a word list in whole-array operations, and say what was dropped and why."""

import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wordpack import lists
from wordpack.alphabet import NONE, Alphabet, normalise
from wordpack.errors import InputError
from wordpack.spec import LATIN

RULES = """\
How a word list is read
  1. The text is UTF-8, with or without a byte order mark, unless --encoding names another.
     What cannot be decoded is an error that names the byte offset; no word is lost in silence.
  2. A word is a line. Lines end with LF or CRLF; the last may lack its end.
  3. Words are lower-cased by Unicode rules, then NFC-normalised.
  4. Each line is kept, or dropped and counted under the first of these that is true of it:
       blank            nothing but white space
       duplicate        the same word stood on an earlier line
       alphabet         a character outside the alphabet; it is never repaired: benz's is not benzs
       length           not as many letters as asked for
       repeated_letter  a letter twice, unless --repeats
       vowels           more different letters of aeiouy than --max-vowels
       not_shared       not a word of the list that --intersect names
  5. Order is kept."""

VOWELS = "aeiouy"

STDIN = "-"


@dataclass(frozen=True)
class Dropped:
    """How many lines were dropped, each counted under the first rule that drops it."""

    blank: int = 0
    duplicate: int = 0
    alphabet: int = 0
    length: int = 0
    repeated_letter: int = 0
    vowels: int = 0
    not_shared: int = 0

    def counts(self) -> dict[str, int]:
        """Return the count of each kind, in the order in which the rules are applied."""
        return {kind.name: getattr(self, kind.name) for kind in fields(self)}

    def __add__(self, other: "Dropped") -> "Dropped":
        theirs = other.counts()
        return Dropped(**{kind: count + theirs[kind] for kind, count in self.counts().items()})


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words kept of a list, in its order, as spans of one normalised text."""

    name: str
    alphabet: Alphabet
    text: str = field(repr=False)
    positions: npt.NDArray[np.uint8] = field(repr=False)
    """Bit position of each character of `text`."""
    starts: npt.NDArray[np.int64] = field(repr=False)
    ends: npt.NDArray[np.int64] = field(repr=False)
    lines: int
    dropped: Dropped = Dropped()
    examples: dict[str, str] = field(default_factory=dict, repr=False)
    """The first line dropped of each kind."""

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[str]:
        text = self.text
        return (text[a:b] for a, b in zip(self.starts.tolist(), self.ends.tolist(), strict=True))

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Letters of each word, int64."""
        return self.ends - self.starts

    @cached_property
    def masks(self) -> npt.NDArray[np.uint64]:
        """The signature of each word, uint64."""
        if not len(self):
            return np.zeros(0, dtype=np.uint64)
        firsts = np.cumsum(self.lengths) - self.lengths
        where = np.repeat(self.starts - firsts, self.lengths) + np.arange(self.lengths.sum())
        bits = np.uint64(1) << self.positions[where].astype(np.uint64)
        return np.bitwise_or.reduceat(bits, firsts)

    def select(
        self,
        length: int | None = None,
        *,
        repeats: bool = False,
        max_vowels: int | None = None,
    ) -> "Lexicon":
        """Return the words of `length` letters that pass the rules on repeats and vowels.

        `max_vowels` counts different letters of aeiouy; it is an InputError where the alphabet
        has none of them.
        """
        kept = self
        if length is not None:
            kept = kept._drop("length", kept.lengths != length)
        if not repeats:
            kept = kept._drop("repeated_letter", np.bitwise_count(kept.masks) < kept.lengths)
        if max_vowels is not None:
            vowels = self.alphabet.mask_of(VOWELS)
            if not vowels:
                raise InputError(
                    f"--max-vowels counts the letters {VOWELS}, and the alphabet "
                    f"{self.alphabet.letters} has none of them: leave the option out"
                )
            kept = kept._drop(
                "vowels", np.bitwise_count(kept.masks & np.uint64(vowels)) > max_vowels
            )
        return kept

    def shared_with(self, other: "Lexicon") -> "Lexicon":
        """Return the words that stand in `other` too, letter for letter."""
        theirs = set(other)
        return self._drop("not_shared", np.array([word not in theirs for word in self], bool))

    def _drop(self, kind: str, bad: npt.NDArray[np.bool_]) -> "Lexicon":
        count = int(np.count_nonzero(bad))
        if not count:
            return self
        first = int(np.argmax(bad))
        example = self.text[self.starts[first] : self.ends[first]]
        before = getattr(self.dropped, kind)
        return replace(
            self,
            starts=self.starts[~bad],
            ends=self.ends[~bad],
            dropped=replace(self.dropped, **{kind: before + count}),
            examples={kind: example} | self.examples,
        )


def read_text(text: str, name: str, alphabet: Alphabet, *, distinct: bool = False) -> Lexicon:
    """Return the words of `text` under rules 2 to 5, of every length.

    `distinct` says that no word stands twice, as our own lists promise (a test checks them).
    """
    text = normalise(text.removeprefix("\ufeff"))
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if text.isascii():
        codes: npt.NDArray[np.unsignedinteger] = np.frombuffer(text.encode(), dtype=np.uint8)
    else:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    newline = codes == ord("\n")
    ends = np.flatnonzero(newline)
    if text and not text.endswith("\n"):
        ends = np.append(ends, len(text))
    starts = np.concatenate(([0], ends[:-1] + 1)) if len(ends) else ends
    positions = alphabet.positions(codes)
    lexicon = Lexicon(name, alphabet, text, positions, starts, ends, lines=len(ends))

    foreign = np.flatnonzero((positions == NONE) & ~newline)
    outside = np.zeros(len(ends), dtype=bool)
    outside[np.searchsorted(ends, foreign)] = True
    blank = starts == ends
    for line in np.flatnonzero(outside):
        blank[line] = text[starts[line] : ends[line]].isspace()
    outside = outside[~blank]
    lexicon = lexicon._drop("blank", blank)
    if not distinct:
        again = _repeated(lexicon)
        outside = outside[~again]
        lexicon = lexicon._drop("duplicate", again)
    return lexicon._drop("alphabet", outside)


def _repeated(lexicon: Lexicon) -> npt.NDArray[np.bool_]:
    words = list(lexicon)
    again = np.zeros(len(words), dtype=bool)
    if len(set(words)) < len(words):
        seen: set[str] = set()
        for place, word in enumerate(words):
            again[place] = word in seen
            seen.add(word)
    return again


def decode(raw: bytes, name: str, encoding: str = "utf-8") -> str:
    """Return `raw` as text; InputError names the byte offset of what cannot be decoded."""
    try:
        text = raw.decode(encoding)
    except LookupError:
        raise InputError(
            f"--encoding {encoding}: Python knows no such text encoding; try latin-1 or utf-16"
        ) from None
    except UnicodeError as error:
        where = f" at byte offset {error.start}" if isinstance(error, UnicodeDecodeError) else ""
        raise InputError(
            f"{name} is not {encoding.upper()}{where}: name its encoding with --encoding, "
            "for example --encoding latin-1"
        ) from None
    nul = text.find("\0")
    if nul >= 0:
        raise InputError(
            f"{name} is not text: a NUL stands at character {nul}; name a plain word list, "
            "or its encoding with --encoding, for example --encoding utf-16"
        )
    return text


def read_file(path: str, alphabet: Alphabet, encoding: str = "utf-8") -> Lexicon:
    """Return the words of the file at `path`, or of standard input where `path` is "-"."""
    name = "standard input" if path == STDIN else path or repr(path)
    try:
        raw = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot read {name}: {reason}; name a readable word list") from None
    return read_text(decode(raw, name, encoding), name, alphabet)


def read_embedded(name: str, alphabet: Alphabet, length: int | None = None) -> Lexicon:
    """Return the words of the embedded list `name`, a key of `wordpack.lists.CATALOGUE`.

    A list kept by length is read only as far as words of `length` letters need; the others are
    counted as dropped all the same. `select` applies the rules.
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
    return replace(part, lines=total, dropped=Dropped(length=total - part.lines))


def _read_packed(paths: list[Path], name: str, alphabet: Alphabet) -> Lexicon:
    text = b"".join(zlib.decompress(path.read_bytes(), wbits=31) for path in paths).decode("ascii")
    if len(paths) > 1:
        text = "".join(sorted(text.splitlines(keepends=True)))
    return read_text(text, name, alphabet, distinct=True)
