"""Why a series of the asv suite has no value, as a number and a sentence.

asv stores a skipped value as NaN, drops the message, and has no place for text in its files. So the
series `Why` stores a number for each backend and instance. This module has the sentences.
"""

from enum import IntEnum


class Reason(IntEnum):
    """Why a search is not measured. Stored results use these numbers: never change one."""

    sentence: str

    def __new__(cls, number: int, sentence: str) -> "Reason":
        """Return the reason of this number."""
        made = int.__new__(cls, number)
        made._value_ = number
        made.sentence = sentence
        return made

    RUNS = 0, "It runs here; a value missing from one series is in another."
    UNAVAILABLE = 1, "It cannot run on this machine: a device, a library or a driver is missing."
    SHAPE = 2, "It refuses the problem's shape: its algorithm can never solve it."
    COST = 3, "It refuses the problem's cost: it would take too long."
    NOT_REPEATED = 4, "It takes too long to repeat: only the series of long searches has it."
    TOO_LONG = 5, "It is left out: it takes too long."
    UNKNOWN = 6, "This commit does not know the backend or the instance."
