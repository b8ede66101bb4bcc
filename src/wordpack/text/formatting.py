"""Small pieces of sentences for people: numbers with their nouns, durations, near names."""

from collections.abc import Sequence


def counted(n: int, noun: str) -> str:
    """Return '1 packing' or '538 packings'."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


UNITS = (("s", 1.0), ("ms", 1e-3), ("\N{MICRO SIGN}s", 1e-6))


def roughly(seconds: float) -> str:
    """Return an estimate in two digits: '45 s', '3 min', '2.5 h'."""
    unit, size = ("s", 1.0) if seconds < 100 else ("min", 60.0)  # noqa: PLR2004  two digits
    if seconds >= 100 * 60:
        unit, size = "h", 3600.0
    return f"{float(f'{seconds / size:.2g}'):g} {unit}"


def duration(seconds: float) -> str:
    """Return a duration with three digits and its unit."""
    name, size = _unit(seconds)
    return f"{_three_digits(seconds / size)} {name}"


def spread(low: float, high: float, middle: float) -> str:
    """Return two durations in the unit of `duration(middle)`, without the unit."""
    _, size = _unit(middle)
    return f"{_three_digits(low / size)}…{_three_digits(high / size)}"


def _unit(seconds: float) -> tuple[str, float]:
    return next((unit for unit in UNITS if seconds >= unit[1]), UNITS[-1])


def _three_digits(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:#.3g}"  # noqa: PLR2004


def nearest(name: str, names: Sequence[str]) -> str:
    """Return ': did you mean X?' if a name is close, else ': there are A, B and C'."""
    import difflib

    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if close:
        return f": did you mean {close[0]}?"
    if len(names) <= 1:
        return f": there is {names[0]}" if names else ""
    return f": there are {', '.join(names[:-1])} and {names[-1]}"


LONE = dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")
"""Replacements for lone surrogates in text that nothing escapes."""


def visible(text: str) -> str:
    """Return untrusted text without anything that controls a terminal.

    Lone surrogates stay: they are bytes of a file name, and standard error escapes them.
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or ord(each) in LONE else "\N{REPLACEMENT CHARACTER}"
        for each in text
    )


def shown(text: str, most: int = 60) -> str:
    """Return untrusted text on one line, shortened, without terminal controls."""
    plain = visible(text).translate(LONE)
    return plain if len(plain) <= most else plain[: most - 1] + "…"
