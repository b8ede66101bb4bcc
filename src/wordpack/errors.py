"""Errors that a user sees as one line; any other exception that escapes is a bug."""


class InputError(Exception):
    """Bad input; the message says what is wrong, where, and what to do (exit status 2)."""


class WrongAnswer(Exception):  # noqa: N818  it names what happened, not a fault of the program
    """An answer that fails the verifier or differs from a stored count (exit status 1)."""


class Unavailable(Exception):  # noqa: N818  a state of this machine, not an error of the program
    """The backend cannot run here; the message is a full sentence with the reason."""
