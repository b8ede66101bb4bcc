"""The rules by which lines become words, and the account of dropped lines."""

from dataclasses import dataclass, field, fields, replace

RULES = """\
How a word list is read
  1. The text is UTF-8, with or without a byte order mark, unless --encoding names another.
     Text that cannot be decoded is an error that names the byte offset; no word is lost silently.
  2. Each line is a word. Lines end with LF or CRLF, or with CR in a file without LF before its
     end; the last line may lack its end. White space and zero-width characters at both ends of
     a line are trimmed.
  3. Words are NFC-normalised and read letter by letter. Any form of a letter of the alphabet
     (small, capital or title case) becomes its small form. No word gets longer or shorter.
     An alphabet that has \u0131 or İ is Turkic: its pairs are \u0131 I and i İ.
  4. Each line is kept, or dropped and counted under the first rule that applies:
       blank            nothing is left after trimming
       duplicate        the same word is on an earlier line
       alphabet         a character outside the alphabet; it is never repaired: benz's is not benzs
       length           not the requested number of letters
       repeated_letter  has a letter twice, unless --repeats
       vowels           has more different letters of aeiouy than --max-vowels
       not_shared       not in the list that --intersect names
  5. The order of the words is kept."""

VOWELS = "aeiouy"


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


@dataclass(frozen=True)
class Account:
    """Where the lines of a list went."""

    lines: int
    dropped: Dropped = Dropped()
    examples: dict[str, str] = field(default_factory=dict)
    """The first line dropped of each kind."""
    trimmed: int = 0
    """Lines with a word that were trimmed."""

    def less(self, kind: str, count: int, example: str) -> "Account":
        """Return the account with `count` more lines dropped, the first of them `example`."""
        before = getattr(self.dropped, kind)
        dropped = replace(self.dropped, **{kind: before + count})
        return replace(self, dropped=dropped, examples={kind: example} | self.examples)


@dataclass(frozen=True)
class Foreign:
    """How many lines of one length the alphabet costs."""

    lines: int
    """Different lines of that length."""
    outside: int
    """How many of them have a character outside the alphabet."""
    example: str
    """The first line outside the alphabet."""

    def said(self, name: str, length: int, letters: str) -> str:
        """Return a message if more than half of the lines are lost, else ''."""
        if 2 * self.outside <= self.lines:
            return ""
        many = f"{self.outside:,} of the {self.lines:,}" if self.outside < self.lines else "all"
        return (
            f"{many} different lines of {length} letters in {name} have a character outside the "
            f"alphabet {letters}, such as {self.example!r}: name all letters with `letters`"
        )
