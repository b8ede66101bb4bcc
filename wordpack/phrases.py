"""Small pieces of sentences for people: numbers with their nouns, durations, near names."""

from collections.abc import Sequence


def counted(n: int, noun: str) -> str:
    """Return '1 packing' or '538 packings'."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def duration(seconds: float) -> str:
    """Return a duration with three digits and its unit."""
    if seconds >= 1:
        return _three_digits(seconds) + " s"
    if seconds >= 1e-3:  # noqa: PLR2004  a millisecond
        return _three_digits(seconds * 1e3) + " ms"
    return _three_digits(seconds * 1e6) + " \N{MICRO SIGN}s"


def _three_digits(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:#.3g}"  # noqa: PLR2004


def nearest(name: str, names: Sequence[str]) -> str:
    """Return ': did you mean X?' where a name is near, else ': there are A, B and C'."""
    import difflib

    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if close:
        return f": did you mean {close[0]}?"
    return f": there are {', '.join(names[:-1])} and {names[-1]}"
