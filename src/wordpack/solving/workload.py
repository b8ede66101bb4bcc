"""What there is to be raced: for each workload its instances, its problems, and what is checked.

A workload's backends are the rows of the registry that carry its name. Race, tables and stored
results know no more of an answer than what is said here.
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
        """By which it is asked for."""
        ...

    @property
    def title(self) -> str:
        """What it is, in a line."""
        ...

    @property
    def spec(self) -> Any:
        """Its problem in words, a dataclass of plain values."""
        ...

    @property
    def expected(self) -> Any:
        """What `Workload.checked` must return where it is known, a dataclass; else None."""
        ...

    @property
    def workload(self) -> str:
        """Its workload."""
        ...


@dataclass(frozen=True)
class Workload:
    """One kind of problem and answer."""

    name: str
    columns: tuple[str, ...]
    """The numbers that sum up an answer. The first says how much of it there is, so that of two
    valid answers the one with less is wrong; the first two are shown."""
    instances: Mapping[str, Challenge]
    problem: Callable[[dict[str, Any]], Any]
    """From the plain values of a spec (`dataclasses.asdict`) to the problem for backends."""
    checked: Callable[[object, Any], dict[str, int | str]]
    """The verifier: an answer's columns and its `digest`; WrongAnswer where it is wrong."""
    differ: str
    """What one of two answers is told that are valid, as long as each other, and not the same."""


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
    """Return the instance of this name, of any workload; InputError where there is none."""
    for workload in WORKLOADS.values():
        if name in workload.instances:
            return workload.instances[name]
    try:
        return instance(name)
    except InputError as missing:
        raise InputError(f"{missing}; of whole games there are {', '.join(PLAYS)}") from None


def packing(name: str) -> Instance:
    """Return the instance of packings of this name; InputError for one of another workload."""
    found = challenge(name)
    if not isinstance(found, Instance):
        raise InputError(f"{name} is played, not solved: race it instead")
    return found
