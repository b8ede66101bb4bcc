"""Searches prepared once in a process, and the check that each answer goes through.

asv calls `setup` before every timed call and `teardown` after it, outside of the clock; a
NotImplementedError in `setup` is shown as n/a with its message, any other error as a failure. So
what cannot run here is told apart from what goes wrong: only the functions below say the former,
by a `Skip`, whose code `why.py` stores since asv drops the message.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from series.table import LONG, SECONDS, SHORT, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from wordpack.measured import (  # noqa: F401  the other series take these types from here
        Answer,
        Backend,
        Counts,
        Games,
        Instance,
        Loaded,
        Options,
        Packings,
        Play,
        Problem,
        Ranks,
        Search,
    )

VERIFIER = "bitset_rows"
"""The backend whose packings, once verified, are ordered, hashed and turned to words."""


class Skip(NotImplementedError):  # noqa: N818  n/a is no error
    """Why a search is n/a: a code for what is stored, and a message for who runs asv."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@contextmanager
def no_skip() -> Iterator[None]:
    """Let a NotImplementedError of the package be a failure: asv would take it for n/a."""
    try:
        yield
    except NotImplementedError as error:
        raise RuntimeError(f"the package raised NotImplementedError: {error}") from error


def package() -> ModuleType:
    """Return the names of wordpack that the suite uses; n/a at a commit from before they stayed."""
    try:
        from wordpack import measured
    except ImportError as missing:
        raise Skip(UNKNOWN, f"this commit cannot be measured by this suite: {missing}") from None
    # none is imported here, since a series measures the memory of what it uses
    if not {"Reason", "judge", "numbers"} <= set(dir(measured)):
        raise Skip(UNKNOWN, "this commit cannot be measured by this suite: it has no judge")
    return measured


@cache
def instance(name: str) -> Instance:
    """Return a named instance or family; n/a at a commit that has none of this name."""
    names = package()
    try:
        return names.instance(name)
    except names.InputError as missing:
        raise Skip(UNKNOWN, str(missing)) from None


@cache
def loaded(name: str) -> Loaded:
    """Return the words and the problem of an instance."""
    spec = instance(name).spec
    with no_skip():
        return package().load(spec)


def preparing(backend: str, name: str, **given: Any) -> Search:
    """Prepare a search of an instance; n/a, with the reason, where the backend cannot run it."""
    return preparing_problem(backend, loaded(name).problem, name, **given)


def preparing_problem(backend: str, problem: Any, name: str, **given: Any) -> Search:
    """Prepare a search of any workload's problem, which messages call `name`."""
    module, options = accepting(backend, problem, name, **given)
    with no_skip():
        return module.prepare(problem, options)


def accepting(backend: str, problem: Any, name: str, **given: Any) -> tuple[Backend, Options]:
    """Return a backend that takes the problem here, and its options; n/a where it does not."""
    names = package()
    options = names.Options(**given)
    try:
        row = names.row(backend)
    except names.InputError as missing:
        raise Skip(UNKNOWN, str(missing)) from None
    with no_skip():
        module = row.load()
        try:
            module.probe()
        except names.Unavailable as reason:
            skip = Skip(package().Reason.UNAVAILABLE, f"{backend} cannot run here: {reason}")
        else:
            refusal = module.accepts(problem, options)
            if refusal is None:
                return module, options
            code = package().Reason.SHAPE if refusal.kind == "shape" else package().Reason.COST
            skip = Skip(code, f"{backend} refuses {name}: {refusal.reason} ({refusal.kind})")
    raise skip


@cache
def prepared(backend: str, name: str, *, count_only: bool = False) -> Search:
    """Return a search that is prepared once in a process."""
    return preparing(backend, name, count_only=count_only)


def short(backend: str, name: str) -> None:
    """Leave out, as n/a, what takes too long to be repeated."""
    seconds = SECONDS.get((backend, name), 0)
    if seconds > SHORT:
        code = package().Reason.NOT_REPEATED if seconds <= LONG else package().Reason.TOO_LONG
        raise Skip(code, f"left out: it takes some {seconds:g} s, over {SHORT}")


def long(backend: str, name: str) -> None:
    """Leave out, as n/a, what is in the series of short searches, or too long even for once."""
    seconds = SECONDS.get((backend, name), 0)
    if seconds <= SHORT:
        raise Skip(package().Reason.RUNS, "left out: it is in the series of short searches")
    if seconds > LONG:
        raise Skip(package().Reason.TOO_LONG, f"left out: it takes some {seconds:g} s, over {LONG}")


def wrong(message: str) -> Exception:
    """Return the package's error for a wrong answer, to be raised."""
    error: Exception = package().WrongAnswer(message)
    return error


def check(answer: Answer | None, name: str) -> None:
    """Raise WrongAnswer unless the judge finds `answer` to be the one expected of an instance.

    None is no answer: nothing was timed.
    """
    if answer is None:
        return
    names = package()
    expected = instance(name).expected
    if expected is None:
        raise wrong(f"nothing is known of {name} that an answer could be compared with")
    found = names.numbers(answer)
    if expected.digest is not None and found["digest"] is None:
        raise wrong(f"the packings of {name} were to be listed, and were counted")
    verdict = names.judge(found, expected)
    if verdict.differs:
        raise wrong(f"of the answer for {name}, {verdict.differs}")


@cache
def answers(backend: str, name: str) -> Packings:
    """Return what a backend lists of an instance, checked, searched once in a process."""
    answer = prepared(backend, name).run()
    check(answer, name)
    if not isinstance(answer, package().Packings):
        raise wrong(f"{backend} did not list the packings of {name}")
    return answer


def found(name: str) -> Packings:
    """Return the packings of an instance, checked."""
    return answers(VERIFIER, name)


class Answered:
    """A benchmark whose every answer is checked after the clock; a wrong one makes it fail."""

    answer: Answer | None = None
    search: Any = None
    """A Search; None before setup and after teardown."""

    def teardown(self, _backend: str, name: str) -> None:
        """Check the answer of the call before, and forget it."""
        # asv goes on with the next call where a later setup is not able to prepare it: without a
        # search that call fails
        answer, self.answer, self.search = self.answer, None, None
        check(answer, name)
