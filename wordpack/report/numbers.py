"""Figures as people read them: three digits and a unit, whatever the series measures."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta

from wordpack.phrases import duration

BINARY = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))

FEW = 100
"""From here on three digits are a whole number."""

RARE = 0.01
"""Below, a ratio is clearer as a fraction."""

INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
"""Control characters, marks that turn the direction of text, halves of characters."""


def figure(value: float | None, unit: str) -> str:
    """Return a value with three digits and its unit; nothing for None."""
    if value is None:
        return ""
    if unit == "seconds":
        return duration(value).replace(". ", " ")
    if unit == "bytes":
        name, size = next((each for each in BINARY if value >= each[1]), ("B", 1))
        return f"{_digits(value / size)} {name}"
    if unit == "joules":
        return f"{_digits(value)} J"
    return f"{value:.4g} {unit}".strip()


def ratio(value: float) -> str:
    """Return how many times faster: 1.25, 680, or 1/4,321."""
    if value < RARE:
        return f"1/{1 / value:,.0f}" if value > 1 / 1e15 else "0"
    return _digits(value)


def _digits(value: float) -> str:
    return f"{value:,.0f}" if value >= FEW else f"{value:#.3g}".rstrip(".")


def moment(milliseconds: int) -> str:
    """Return a date and minute in UTC; nothing for what no calendar has."""
    try:
        date = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return ""
    return date.strftime("%Y-%m-%d %H:%M").rjust(16, "0")


def plain(text: str) -> str:
    """Return text that shows all that it has: what is invisible in it becomes U+FFFD.

    Names come from strangers; one that turns the direction of writing could look like another.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(letter: str) -> str:
    if letter.isspace():
        return " "
    return "\ufffd" if unicodedata.category(letter) in INVISIBLE else letter
