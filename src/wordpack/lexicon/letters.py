"""Which characters are one letter: case forms and combining marks, letter by letter.

A letter is a base character with the combining marks that follow it, normalised (NFC) by itself.
Its forms are the results of lower(), upper() and title() that are again one letter. Forms of forms
are not taken, so that the dotless and the dotted i do not become the same letter through I.
"""

import re
import unicodedata

SAME = ("σςΣ", "ßẞ")
"""Letters with forms that case conversion alone does not give, the small form first."""

TURKIC = {"ı": "ıI", "i": "iİ"}  # noqa: RUF001  they are the two letters meant
"""Forms of the dotless and the dotted i in a Turkic alphabet."""

LATIN = "abcdefghijklmnopqrstuvwxyz"

ZERO_WIDTH = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""Zero-width space, non-joiner, joiner, both marks of direction, word joiner, byte order mark."""

WHITE = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000" + ZERO_WIDTH
)
"""Characters trimmed at both ends of a line: Unicode white space and zero-width characters."""

JAMO = re.compile("[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]")
SYLLABLES = re.compile("[\uac00-\ud7a3]+")


def clusters(text: str) -> list[str]:
    """Return the base characters of `text`, each with the combining marks that follow it."""
    found: list[str] = []
    for each in text:
        if found and unicodedata.combining(each):
            found[-1] += each
        else:
            found.append(each)
    return found


def composed(text: str) -> str:
    """Return `text` in normalisation form C."""
    return unicodedata.normalize("NFC", text)


def apart(text: str) -> str:
    """Return `text` with its Hangul syllables split into conjoining jamo."""
    return SYLLABLES.sub(lambda found: unicodedata.normalize("NFD", found[0]), text)


def is_turkic(text: str) -> bool:
    """Return whether an alphabet has a dotless small or a dotted capital I."""
    return "ı" in text or "İ" in composed(text)  # noqa: RUF001  it is the letter meant


def forms(letter: str, *, turkic: bool) -> tuple[str, ...]:
    """Return the forms of a small `letter`, itself first; a form may need several code points."""
    if turkic and letter in TURKIC:
        return tuple(TURKIC[letter])
    for same in SAME:
        if letter in same:
            return tuple(same)
    cases = (letter, letter.lower(), letter.upper(), letter.title())
    found = dict.fromkeys(composed(case) for case in cases)
    return tuple(form for form in found if len(clusters(form)) == 1)


def small(cluster: str, *, turkic: bool) -> str:
    """Return the small form of the letter that `cluster` spells, in whatever case."""
    letter = composed(cluster)
    for same in (*TURKIC.values(), *SAME) if turkic else SAME:
        if letter in same:
            return same[0]
    lowered = composed(letter.lower())
    # the capital theta symbol has a small form whose capital is another letter
    return lowered if letter in forms(lowered, turkic=turkic) else letter


def is_plain(letter: str, found: tuple[str, ...]) -> bool:
    """Return whether a letter has no forms but the expected ones, such as a and A."""
    if len(found) == 1:
        return True
    return set(found) == {letter, letter.upper()} and found[1].lower() == letter
