"""The rules of word lists and families in plain Python; nothing of wordpack is used.

The names that exist are handed in.
"""

from collections import Counter
from collections.abc import Container

from plain_letters import plain_alphabet, plain_lines, plain_spelt, plain_trimmed

MOST_WORDS, MOST_DIGITS = 1000, 30


def is_family(name: str, instances: Container[str], lists: Container[str]) -> bool:
    """Return whether `name` is an instance or a family KxL[@LIST]."""
    shape, at, list_name = name.partition("@")
    count, _, length = shape.partition("x")
    for number in (count, length):
        if not (number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS):
            return name in instances
        if not 1 <= int(number) <= MOST_WORDS:
            return name in instances
    return list_name in lists if at else True


def decoded(raw: bytes, encoding: str) -> str | None:
    """Return the text of a list, None if it must be refused."""
    try:
        text = raw.decode(encoding)
    except (LookupError, UnicodeError, ValueError):
        return None
    return None if "\0" in text else text


def words(text: str, letters: str) -> tuple[list[str], Counter[str]]:
    """Apply rules 2 to 4 up to the alphabet, one line at a time."""
    seen: set[str] = set()
    kept, dropped = [], Counter[str]()
    for line in plain_lines(text):
        word = plain_spelt(line, letters)
        if not plain_trimmed(word):
            dropped["blank"] += 1
        elif word in seen:
            dropped["duplicate"] += 1
        elif not set(word) <= set(plain_alphabet(letters) or ""):
            dropped["alphabet"] += 1
        else:
            kept.append(word)
        seen.add(word)
    return kept, dropped
