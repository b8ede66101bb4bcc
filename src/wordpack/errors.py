"""The errors that a user meets as one line; anything else that escapes is a bug of ours."""


class InputError(Exception):
    """Bad input: the message says what is wrong, where, and what to do (exit status 2)."""


class WrongAnswer(Exception):  # noqa: N818  it names what happened, not a fault of the program
    """An answer that the verifier or a stored count refuses (exit status 1)."""


class Unavailable(Exception):  # noqa: N818  a state of this machine, not an error of the program
    """The backend cannot run here; the message is a full sentence with the reason."""
