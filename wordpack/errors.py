"""The errors that a user meets as one line; anything else that escapes is a bug of ours."""

from collections.abc import Sequence


class InputError(Exception):
    """Bad input: the message says what is wrong, where, and what to do (exit status 2)."""


class WrongAnswer(Exception):  # noqa: N818  it names what happened, not a fault of the program
    """An answer that the verifier or a stored count refuses (exit status 1)."""


def nearest(name: str, names: Sequence[str]) -> str:
    """Return ': did you mean X?' where a name is near, else ': there are A, B and C'."""
    import difflib

    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if close:
        return f": did you mean {close[0]}?"
    return f": there are {', '.join(names[:-1])} and {names[-1]}"
