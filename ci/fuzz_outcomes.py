"""What an input may end in: what the rules say, or a refusal in one line."""

import io
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout

from wordpack.commands.main import INTERRUPTED, main

REFUSED = (2, "", True, 1)
"""Exit status, standard output, and standard error: one line that says who speaks."""

LONGEST = 3000
"""Characters of that line at most, whatever is in files."""


class Differs(Exception):  # noqa: N818  what was found, not an error of this script
    """What wordpack found is not what the rules say."""


def agree(found: object, due: object, what: str) -> None:
    """Raise Differs where `found` is not what is `due`."""
    if found != due:
        raise Differs(f"{what}: {found!r} where the rules say {due!r}")


def command(arguments: Sequence[str], good: Sequence[int] = (0,)) -> tuple[int, str]:
    """Run wordpack; return status and output. Any status but the good ones must be a refusal."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = main(arguments)
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    said = err.getvalue()
    got = (status, out.getvalue(), said.startswith("wordpack: "), said.count("\n"))
    agree(status in good or got == REFUSED, True, f"{arguments} ended with {got}, {said!r}")
    agree(harmless(said), True, f"{arguments} told the terminal {said!r}")
    if status not in good and sum(map(len, arguments)) < LONGEST:
        agree(len(said) <= LONGEST, True, f"{arguments} said {len(said)} characters")
    return status, out.getvalue()


def harmless(text: str) -> bool:
    """Return whether a terminal shows all of it; halves of characters are escaped for it."""
    return all(each.isprintable() or each == "\n" or "\ud800" <= each <= "\udfff" for each in text)
