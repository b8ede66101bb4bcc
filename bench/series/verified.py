"""Prepare searches once per process, and check every answer.

asv calls `setup` before every timed call and `teardown` after it, outside the timing. It shows a
NotImplementedError in `setup` as n/a with its message, and any other error as a failure. This
tells what cannot run here from what goes wrong: only the functions below report the former, by a
`Skip`. `why.py` stores its code, because asv drops the message.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from series.table import LONG, SECONDS, SHORT, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from wordpack.measured import (  # noqa: F401  other series import these types from here
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
    """Why a search is n/a: a code to store, and a message for the person who runs asv."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@contextmanager
def no_skip() -> Iterator[None]:
    """Turn the package's NotImplementedError into a failure: asv would take it for n/a."""
    try:
        yield
    except NotImplementedError as error:
        raise RuntimeError(f"the package raised NotImplementedError: {error}") from error


def package() -> ModuleType:
    """Return the names of wordpack that the suite uses; n/a at a commit that lacks them."""
    try:
        from wordpack import measured
    except ImportError as missing:
        raise Skip(UNKNOWN, f"this commit cannot be measured by this suite: {missing}") from None
    # no name is imported here, because a series measures the memory of what it uses
    if not {"Reason", "judge", "numbers"} <= set(dir(measured)):
        raise Skip(UNKNOWN, "this commit cannot be measured by this suite: it has no judge")
    return measured


@cache
def instance(name: str) -> Instance:
    """Return a named instance or family; n/a at a commit without it."""
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
    """Prepare a search of an instance; n/a, with the reason, if the backend cannot run it."""
    return preparing_problem(backend, loaded(name).problem, name, **given)


def preparing_problem(backend: str, problem: Any, name: str, **given: Any) -> Search:
    """Prepare a search of any workload's problem, which messages call `name`."""
    module, options = accepting(backend, problem, name, **given)
    with no_skip():
        return module.prepare(problem, options)


def accepting(backend: str, problem: Any, name: str, **given: Any) -> tuple[Backend, Options]:
    """Return the backend and its options; n/a if it cannot run or accept the problem here."""
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
    """Return a search that is prepared once per process."""
    return preparing(backend, name, count_only=count_only)


def short(backend: str, name: str) -> None:
    """Skip, as n/a, what takes too long to be repeated."""
    seconds = SECONDS.get((backend, name), 0)
    if seconds > SHORT:
        code = package().Reason.NOT_REPEATED if seconds <= LONG else package().Reason.TOO_LONG
        raise Skip(code, f"left out: it takes some {seconds:g} s, over {SHORT}")


def long(backend: str, name: str) -> None:
    """Skip, as n/a, short searches, and those too long to run even once."""
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
    """Raise WrongAnswer unless the judge finds that `answer` is the instance's expected one.

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
    """Return a backend's checked packings of an instance, searched once per process."""
    answer = prepared(backend, name).run()
    check(answer, name)
    if not isinstance(answer, package().Packings):
        raise wrong(f"{backend} did not list the packings of {name}")
    return answer


def found(name: str) -> Packings:
    """Return the checked packings of an instance."""
    return answers(VERIFIER, name)


class Answered:
    """A benchmark that checks every answer outside the timing; a wrong answer makes it fail."""

    answer: Answer | None = None
    search: Any = None
    """A Search; None before setup and after teardown."""

    def teardown(self, _backend: str, name: str) -> None:
        """Check the previous call's answer, and drop it."""
        # asv makes the next call even if a later setup cannot prepare it; without a search that
        # call fails
        answer, self.answer, self.search = self.answer, None, None
        check(answer, name)
