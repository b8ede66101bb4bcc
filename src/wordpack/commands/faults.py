"""How an error becomes one line and an exit status, whatever the standard streams are."""

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
"""What a user meets as one line: its exit status, and its words around the message."""


OPTIONS = {"guesses": "guess", "samples": "sample"}
"""Parameters that are options of another name."""


def line(fault: Exception) -> tuple[str, int]:
    """Return what is said of a fault, and the exit status."""
    message = fault.format_message() if isinstance(fault, click.ClickException) else str(fault)
    if isinstance(fault, MemoryError):
        message = f" ({message})" if message else ""
    status, form = next(FAULTS[kind] for kind in FAULTS if isinstance(fault, kind))
    return form.format(message), status


def with_options(message: str) -> str:
    """Return a message with options of the command line in place of parameters: `count_only`."""
    return re.sub(r"`([a-z]+(?:_[a-z]+)*)`", _option, message)


def _option(parameter: re.Match[str]) -> str:
    name = OPTIONS.get(parameter[1], parameter[1])
    return f"--{name.replace('_', '-')}"


def open_streams() -> None:
    """Give every standard stream somewhere to go, and UTF-8 whatever the locale."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed before we started
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  for good
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def say(message: str, status: int) -> int:
    """Tell a message in one line; return the exit status."""
    text = with_options(" ".join(message.split()))
    tell(f"wordpack: {visible(text)}")
    return status
