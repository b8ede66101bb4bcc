"""How a command may end: with a right answer, or with a refusal in one line."""

import io
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout

from wordpack.testing.agreement import agree

LONGEST = 3000
"""The most characters of a refusal, whatever the files hold."""


def command(arguments: Sequence[str], good: Sequence[int] = (0,)) -> tuple[int, str]:
    """Run wordpack; return status and output. Any status but the good ones must be a refusal."""
    from wordpack.commands.main import main

    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = main(arguments)
    said = err.getvalue()
    got = (status, out.getvalue(), said.startswith("wordpack: "), said.count("\n"))
    refused = got == (2, "", True, 1)
    agree(status in good or refused, True, f"{arguments} ended with {got}, {said!r}")
    agree(harmless(said), True, f"{arguments} told the terminal {said!r}")
    if refused and sum(map(len, arguments)) < LONGEST:
        agree(len(said) <= LONGEST, True, f"{arguments} said {len(said)} characters")
    return status, out.getvalue()


def harmless(text: str) -> bool:
    """Return whether a terminal can show all of the text; surrogates are escaped for it."""
    return all(each.isprintable() or each == "\n" or "\ud800" <= each <= "\udfff" for each in text)
