"""Workloads, the kinds of problems to race: their instances, problems and verifiers.

A workload's backends are the registry's rows with its name. Races, tables and stored results know
an answer only through its workload.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from wordpack.errors import InputError, WrongAnswer
from wordpack.games import loading
from wordpack.games.instances import PLAYS, PlaySpec
from wordpack.packing.answer import Packings
from wordpack.packing.problem import Problem
from wordpack.solving.instances import INSTANCES, Instance, instance
from wordpack.solving.judge import numbers
from wordpack.solving.loading import load
from wordpack.solving.spec import Spec


class Challenge(Protocol):
    """An instance of any workload."""

    @property
    def name(self) -> str:
        """Its name on the command line."""
        ...

    @property
    def title(self) -> str:
        """A description in one line."""
        ...

    @property
    def spec(self) -> Any:
        """The description of its problem, a dataclass of plain values."""
        ...

    @property
    def expected(self) -> Any:
        """The known answer, a dataclass of what `Workload.checked` must return, or None."""
        ...

    @property
    def workload(self) -> str:
        """The name of its workload."""
        ...


@dataclass(frozen=True)
class Workload:
    """One kind of problem and answer."""

    name: str
    columns: tuple[str, ...]
    """The numbers that sum up an answer. The first is its size: of two valid answers, the smaller
    one is wrong. The first two are shown."""
    instances: Mapping[str, Challenge]
    problem: Callable[[dict[str, Any]], Any]
    """Make the problem for backends from the plain values of a spec (`dataclasses.asdict`)."""
    checked: Callable[[object, Any], dict[str, int | str]]
    """Verify an answer: return its columns and `digest`, or raise WrongAnswer."""
    differ: str
    """The reason given if two valid answers have the same size but differ."""


def _packing_problem(values: dict[str, Any]) -> Problem:
    return load(Spec.from_json(values)).problem


def _checked_packings(answer: object, problem: Problem) -> dict[str, int | str]:
    if not isinstance(answer, Packings) or answer.problem is not problem:
        raise WrongAnswer("it did not list the packings of the problem it was given")
    return numbers(answer)


WORKLOADS: dict[str, Workload] = {
    workload.name: workload
    for workload in (
        Workload(
            "packing",
            ("packings", "solutions"),
            INSTANCES,
            _packing_problem,
            _checked_packings,
            "another backend found valid packings that it did not find",
        ),
        Workload(
            "play",
            ("games", "guesses", "missed"),
            PLAYS,
            lambda values: loading.load(PlaySpec(**values)),
            loading.checked,
            "another backend played some game with another number of guesses",
        ),
    )
}


def challenge(name: str) -> Challenge:
    """Return the instance called `name`, of any workload; raise InputError if there is none."""
    for workload in WORKLOADS.values():
        if name in workload.instances:
            return workload.instances[name]
    try:
        return instance(name)
    except InputError as missing:
        raise InputError(f"{missing}; for whole games give {', '.join(PLAYS)}") from None


def packing(name: str) -> Instance:
    """Return the packing instance `name`; raise InputError if it has another workload."""
    found = challenge(name)
    if not isinstance(found, Instance):
        raise InputError(f"{name} is played, not solved: race it instead")
    return found
