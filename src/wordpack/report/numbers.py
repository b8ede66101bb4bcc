"""Format figures for people: three digits and a unit, whatever the series measures."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal

CLOCK = (("s", 1.0), ("ms", 1e-3), ("\N{MICRO SIGN}s", 1e-6))

BINARY = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))

FEW = 100
"""From here on figures are shown as whole numbers."""

HUGE, TINY = 1e9, 1e-3
"""Figures from HUGE on and below TINY are shown with an exponent of ten."""

INSTANT = 1e-9
"""Smaller times are shown in seconds, not µs: no clock gives them."""

RARE = 0.01
"""A smaller ratio is clearer as a fraction."""

INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
"""Control characters, marks that change the direction of text, lone surrogates, separators."""


def figure(value: float | None, unit: str) -> str:
    """Return a value with three digits and its unit; an empty text for None."""
    if value is None:
        return ""
    if unit == "seconds":
        usual = CLOCK if abs(value) >= INSTANT else CLOCK[:1]
        name, size = next((each for each in usual if abs(value) >= each[1]), usual[-1])
        return f"{_digits(value / size)} {name}"
    if unit == "bytes":
        name, binary = next((each for each in BINARY if abs(value) >= each[1]), ("B", 1))
        return f"{_digits(value / binary)} {name}"
    if unit == "joules":
        return f"{_digits(value)} J"
    whole = value == int(value) and abs(value) < HUGE
    return f"{int(value):,} {unit}".strip() if whole else f"{_digits(value)} {unit}".strip()


def ratio(value: float) -> str:
    """Format a speed-up: 1.25, 680, or 1/4,321."""
    if value < RARE:
        return f"1/{_digits(1 / value)}" if value > 1 / 1e15 else "0"
    return _digits(value)


def _digits(value: float) -> str:
    """Format with three digits; halves are rounded away from zero, as in JavaScript."""
    exact, size = Decimal(value), abs(value)
    if not value:
        return "0"
    if FEW <= size < HUGE:
        return f"{exact.to_integral_value(ROUND_HALF_UP):,}"
    three = Context(prec=3, rounding=ROUND_HALF_UP).plus(exact)
    if TINY <= size < FEW:
        return f"{three.quantize(Decimal(1).scaleb(three.adjusted() - 2)):f}"
    mantissa, exponent = f"{three:.2e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def moment(milliseconds: int) -> str:
    """Return a date and minute in UTC; an empty text if it is outside the calendar."""
    try:
        date = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return ""
    return date.strftime("%Y-%m-%d %H:%M").rjust(16, "0")


def plain(text: str) -> str:
    """Return text with every invisible character replaced by U+FFFD.

    Names are untrusted: one that changes the direction of writing could look like another name.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(letter: str) -> str:
    if letter.isspace():
        return " "
    return "\ufffd" if unicodedata.category(letter) in INVISIBLE else letter
