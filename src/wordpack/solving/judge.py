"""The one judge of answers: wrong, or verified and how strongly.

All code that shows or stores a time asks this module first. An answer is judged by its workload's
numbers (for packings: packings and solutions) and its digest, which is None if rows were not
listed.
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
"""How strongly an answer is verified, strongest first."""

PROVEN: tuple[Strength, ...] = ("expected", "agreed")
"""The strengths that show an answer to be complete; only such answers are ranked."""

Numbers = Mapping[str, Any]
"""The numbers of an answer by name, and its `digest`; None if unknown."""


class Difference(NamedTuple):
    """The first number of an answer that is not as expected."""

    what: str
    found: int | str
    due: int | str

    def __str__(self) -> str:
        return f"{self.what}: expected {self.due}, got {self.found}"


class Second(NamedTuple):
    """The result of a second look at the same problem."""

    numbers: Numbers
    strength: Strength
    """The strength if it found the same: 'agreed' for another algorithm, else 'valid'."""
    by: str
    """The backend that took the second look."""

    def contradiction(self, name: str, counts: Counts) -> str:
        """Return the error message if the backend `name` counted something else."""
        again = self.numbers
        return (
            f"{name} counts {counts.packings} packings and {counts.solutions} solutions, "
            f"{self.by} {again['packings']} and {again['solutions']}: one of them is wrong"
        )


class Verdict(NamedTuple):
    """The judgement of an answer."""

    strength: Strength | None
    """None if nothing could be compared, or if the answer is wrong."""
    differs: Difference | None = None
    """Why the answer is wrong."""
    second: Second | None = None
    """The second look that it was compared with, if no numbers are stored."""


def judge(
    found: Numbers,
    expected: Any = None,
    confirm: Callable[[], Second | None] | None = None,
    *,
    valid: bool = False,
) -> Verdict:
    """Judge an answer by its numbers.

    `expected` is the dataclass of numbers stored with the instance. Without one, `confirm` takes a
    second look, or returns None if that is impossible. `valid` says whether the verifier has seen
    the rows.
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
    """Return the first number known to both that differs; the digest is compared last."""
    for what in [*(name for name in found if name != "digest"), "digest"]:
        one, other = found.get(what), due.get(what)
        if one is not None and other is not None and one != other:
            return Difference(what, one, other)
    return None


def numbers(answer: Answer) -> dict[str, Any]:
    """Return the numbers of an answer; raise WrongAnswer if the verifier finds a wrong row."""
    digest = None
    if isinstance(answer, Packings):
        verify(answer)
        digest = answer.digest()
    counts = answer.counts()
    return {"packings": counts.packings, "solutions": counts.solutions, "digest": digest}
