"""What an answer is worth: wrong, or known to be whole, and how strongly.

Everything that shows or stores a time asks here first. An answer is judged by its numbers: those
of a workload (for packings: packings and solutions) and its digest, None if rows were not listed.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Literal, NamedTuple

from wordpack.packing.answer import Answer, Counts, Packings, verify

Strength = Literal["expected", "agreed", "valid"]

STRENGTHS: dict[Strength, str] = {
    "expected": "The numbers are those stored with the instance, and so is the digest if rows were "
    "listed. Listed rows are valid and different, so the right number of them is all of them.",
    "agreed": "Nothing is stored, and a backend of another algorithm found the same.",
    "valid": "Every row is right, and nothing shows that none is missing.",
}
"""What is known of an answer, the strongest first."""

PROVEN: tuple[Strength, ...] = ("expected", "agreed")
"""Those that show an answer to be whole: only such an answer is ranked."""

Numbers = Mapping[str, Any]
"""Numbers of an answer by name, and its `digest`; None is not known."""


class Difference(NamedTuple):
    """The first number of an answer that is not as expected."""

    what: str
    found: int | str
    due: int | str

    def __str__(self) -> str:
        return f"{self.what}: expected {self.due}, got {self.found}"


class Second(NamedTuple):
    """What a second look at the same problem found."""

    numbers: Numbers
    strength: Strength
    """What it shows if it found the same: 'agreed' for another algorithm, else 'valid'."""
    by: str
    """The backend."""

    def contradiction(self, name: str, counts: Counts) -> str:
        """Return what is said if the backend `name` counted something else."""
        again = self.numbers
        return (
            f"{name} counts {counts.packings} packings and {counts.solutions} solutions, "
            f"{self.by} {again['packings']} and {again['solutions']}: one of them is wrong"
        )


class Verdict(NamedTuple):
    """What an answer is worth."""

    strength: Strength | None
    """None if nothing could be compared, or if it is wrong."""
    differs: Difference | None = None
    """Why it is wrong."""
    second: Second | None = None
    """What it was compared with, if nothing is stored."""


def judge(
    found: Numbers,
    expected: Any = None,
    confirm: Callable[[], Second | None] | None = None,
    *,
    valid: bool = False,
) -> Verdict:
    """Return what an answer is worth, by its numbers.

    `expected` is what is stored with the instance, a dataclass of numbers. If nothing is, `confirm`
    has a second look, or returns None if none is possible; `valid` says whether the verifier has
    seen the rows.
    """
    if expected is not None:
        differs = difference(found, asdict(expected))
        return Verdict(None if differs else "expected", differs)
    second = confirm() if confirm else None
    if second is None:
        return Verdict("valid" if valid else None)
    differs = difference(found, second.numbers)
    return Verdict(None if differs else second.strength, differs, second)


def difference(found: Numbers, due: Numbers) -> Difference | None:
    """Return the first number that both know and that differs, the digest last."""
    for what in [*(name for name in found if name != "digest"), "digest"]:
        one, other = found.get(what), due.get(what)
        if one is not None and other is not None and one != other:
            return Difference(what, one, other)
    return None


def numbers(answer: Answer) -> dict[str, Any]:
    """Return the numbers of an answer; WrongAnswer if the verifier finds a row that is wrong."""
    digest = None
    if isinstance(answer, Packings):
        verify(answer)
        digest = answer.digest()
    counts = answer.counts()
    return {"packings": counts.packings, "solutions": counts.solutions, "digest": digest}
