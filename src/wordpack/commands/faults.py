"""Turn an error into one line and an exit status, even if a standard stream is closed."""

import io
import os
import re
import sys
from pathlib import Path

import click

from wordpack.errors import InputError, Unavailable, WrongAnswer
from wordpack.text.formatting import visible
from wordpack.text.output import tell

FAULTS: dict[type[Exception], tuple[int, str]] = {
    click.ClickException: (2, "{}"),
    InputError: (2, "{}"),
    Unavailable: (2, "it cannot run here: {}"),
    WrongAnswer: (1, "wrong answer: {}"),
    MemoryError: (2, "out of memory{}: try --count-only, or a smaller problem"),
}
"""The exit status and the wording of each error that is shown as one line."""


OPTIONS = {"guesses": "guess", "samples": "sample"}
"""Parameters whose option has another name."""


def line(fault: Exception) -> tuple[str, int]:
    """Return the message for an error, and the exit status."""
    message = fault.format_message() if isinstance(fault, click.ClickException) else str(fault)
    if isinstance(fault, MemoryError):
        message = f" ({message})" if message else ""
    status, form = next(FAULTS[kind] for kind in FAULTS if isinstance(fault, kind))
    return form.format(message), status


def with_options(message: str) -> str:
    """Return a message with each parameter in backquotes replaced by its option."""
    return re.sub(r"`([a-z]+(?:_[a-z]+)*)`", _option, message)


def _option(parameter: re.Match[str]) -> str:
    name = OPTIONS.get(parameter[1], parameter[1])
    return f"--{name.replace('_', '-')}"


def open_streams() -> None:
    """Replace closed standard streams, and make output UTF-8 in any locale."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed before we started
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  stays open
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def say(message: str, status: int) -> int:
    """Print a message as one line on standard error; return the exit status."""
    text = with_options(" ".join(message.split()))
    tell(f"wordpack: {visible(text)}")
    return status
