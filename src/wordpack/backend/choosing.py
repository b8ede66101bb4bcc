"""Choose a backend for a problem by refusals and estimated seconds, each computed once.

Computing them may import a backend, try its library or make a plan, so it is done only on demand.
Callers filter the candidates: `solve` takes the first or the quickest, a sweep takes two
algorithms, and a count takes a second one to confirm it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from wordpack.backend.base import Backend
from wordpack.backend.fallback import note
from wordpack.backend.registry import of_workload, row
from wordpack.errors import InputError, Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wordpack.backend.base import Options, Refusal
    from wordpack.backend.fallback import Unusable
    from wordpack.backend.row import Row
    from wordpack.packing.problem import Problem

LONG = 1e11
"""From this many partial packings (in list order), a plan is made to see if a device pays off."""


@dataclass
class Candidate:
    """A backend that 'auto' may choose for a problem."""

    row: Row
    problem: Any
    options: Options
    unusable: Unusable
    """Libraries known to be unusable; more are added when a backend is taken."""
    lost: str = ""
    """Why the backend cannot run here, once `why_not` has found out."""

    @cached_property
    def why_not(self) -> str | None:
        """Why it refuses the problem; None if it accepts."""
        for option in self.row.ignored(self.options):
            return f"does not support `{option}`"
        if self.row.needs in self.unusable:
            return self.unusable[self.row.needs]
        try:
            backend = self.row.load()
            backend.probe()
        except Unavailable as reason:
            self.lost = str(reason)
            return self.lost
        refusal: Refusal | None = backend.accepts(self.problem, self.options)
        return f"{refusal.reason} ({refusal.kind})" if refusal else None

    @property
    def estimates(self) -> bool:
        """Whether the backend makes estimates."""
        return type(self.row.load()).seconds is not Backend.seconds

    @cached_property
    def seconds(self) -> float | None:
        """The backend's estimate, None without one; raises Unavailable if it cannot run."""
        try:
            return self.row.load().seconds(self.problem, self.options)
        except Unavailable as reason:
            note(self.row, reason, self.unusable)
            raise


class Choice(NamedTuple):
    """The chosen backend, and the estimated seconds by name if they decided the choice."""

    row: Row
    seconds: dict[str, float]


def candidates(
    problem: Any,
    options: Options,
    unusable: Unusable | None = None,
    *,
    workload: str = "packing",
    honoured: bool = False,
) -> list[Candidate]:
    """Return the backends of a workload, in the table's order.

    With `honoured`, each is asked without the options that it ignores; otherwise it refuses them.
    """
    unusable = {} if unusable is None else unusable
    return [
        Candidate(each, problem, each.honoured(options) if honoured else options, unusable)
        for each in of_workload(workload)
    ]


def choose(
    name: str, problem: Problem, options: Options, unusable: Unusable | None = None
) -> Choice:
    """Return the backend to solve `problem`: the named one, or for 'auto' the first that can.

    For counting, or if a device may pay off, 'auto' takes the lowest estimate of the backends that
    make estimates. Raises InputError if the backend cannot run here, if its algorithm cannot take
    the problem, or if it would ignore an option. A refusal by cost holds for 'auto' only.
    """
    if name != "auto":
        return Choice(named(name, "packing", problem, options), {})
    every = candidates(problem, options, unusable)
    asked: list[Candidate] = []
    able: list[Candidate] = []

    def takes(candidate: Candidate) -> bool:
        asked.append(candidate)
        return candidate.why_not is None

    for each in every:
        if not each.row.start_up and takes(each):
            able.append(each)
            if not options.count_only:
                break
    long = problem.estimated_nodes >= LONG
    seconds = _seconds(able) if long or options.count_only else {}
    if long and (seconds or not able):
        least = min(seconds.values(), default=inf)
        devices = [each for each in every if 0.0 < each.row.start_up < least and takes(each)]
        able += devices
        seconds |= _seconds(devices)
    if not able:
        raise InputError(
            "no backend accepts this problem automatically; pick one with `backend` NAME; "
            + _refusals(asked)
        )
    quickest = row(min(seconds, key=lambda each: seconds[each])) if seconds else able[0].row
    return Choice(_taken(quickest, asked), seconds)


def first(
    workload: str,
    problem: Any,
    options: Options,
    unusable: Unusable | None = None,
    *,
    devices: bool = False,
) -> Row:
    """Return the first backend that accepts a workload's problem automatically.

    It runs on the CPU; with `devices`, on a device if one can take it.
    """
    every = candidates(problem, options, unusable, workload=workload)
    asked: list[Candidate] = []
    for each in sorted(every, key=lambda each: not each.row.start_up):
        if devices or not each.row.start_up:
            asked.append(each)
            if each.why_not is None:
                return _taken(each.row, asked)
    raise InputError(f"no backend accepts this automatically; {_refusals(asked)}")


def confirming(
    chosen: Row, problem: Problem, options: Options, unusable: Unusable | None = None
) -> Row | None:
    """Return a backend of another algorithm to count `problem` again; None if there is none.

    Backends that only count come first, since their time does not grow with the answer.
    """
    every = candidates(problem, options, unusable, honoured=True)
    for each in sorted(every, key=lambda each: not each.row.counts_only):
        # every algorithm of a device also runs on the CPU
        other = each.row.algorithm != chosen.algorithm and not each.row.start_up
        if other and each.why_not is None:
            return each.row
    return None


def named(name: str, workload: str, problem: Any, options: Options, *, here: bool = True) -> Row:
    """Return the backend called `name`; raise InputError if it cannot take the problem.

    With `here`, it must also be able to run in this process.
    """
    chosen = row(name)
    if chosen.workload != workload:
        others = ", ".join(each.name for each in of_workload(workload))
        raise InputError(f"{name} is for another kind of problem: choose one of {others}")
    chosen.check(options)
    if here:
        try:
            chosen.load().probe()
        except Unavailable as reason:
            raise InputError(f"{name} cannot run here: {reason}") from None
    return taking(chosen, problem, options)


def taking(chosen: Row, problem: Any, options: Options, *, unasked: bool = False) -> Row:
    """Return `chosen`; raise InputError if it cannot take a problem, or `unasked` would not."""
    refusal = chosen.load().accepts(problem, options)
    if refusal and (unasked or refusal.kind == "shape"):
        counts = "; pass `count_only`" if chosen.counts_only and not options.count_only else ""
        raise InputError(f"{chosen.name} cannot take this problem: {refusal.reason}{counts}")
    return chosen


def _seconds(able: Iterable[Candidate]) -> dict[str, float]:
    """Return the estimated seconds of the candidates that make estimates, by name."""
    said = {each.row.name: each.seconds for each in able}
    return {name: seconds for name, seconds in said.items() if seconds is not None}


def _refusals(asked: Sequence[Candidate]) -> str:
    return "; ".join(f"{each.row.name}: {each.why_not}" for each in asked)


def _taken(chosen: Row, asked: Sequence[Candidate]) -> Row:
    """Return `chosen`; mark libraries as unusable that other candidates failed with."""
    for each in asked:
        if each.lost and each.row.needs and each.row.needs != chosen.needs:
            each.unusable.setdefault(each.row.needs, each.lost)
    return chosen
