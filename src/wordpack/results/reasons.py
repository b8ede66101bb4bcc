"""Why a series of the asv suite has no value, as a table of sentences by code.

asv stores a skipped value as NaN and drops the message, and its files have no place for text. So
the series `Why` stores a number for each backend and instance, whose sentence is here.
"""

REASONS = (
    "It runs here; what a series lacks of it, another series has.",
    "It cannot run on this machine: a device, a library or a driver is missing.",
    "It refuses the problem's shape: its algorithm can never take it.",
    "It refuses the problem's cost: it would take too long.",
    "It takes too long to be repeated: only the series of long searches has it.",
    "It is left out: it takes too long.",
    "This commit does not know the backend or the instance.",
)
"""By code, from 0. Results of any commit may hold any code: add at the end, and change none."""

NOT_REPEATED = 4
"""The code of what only the series of long searches has."""
