"""Find backends of other packages by their entry points, and ask each in its own process.

A package names a subclass of Backend in the group `wordpack.backends`. This process never imports
it to find out what it is: it may be broken or slow, or end the process.
"""

import json
from contextlib import ExitStack
from dataclasses import fields
from importlib.metadata import EntryPoint, entry_points
from pkgutil import resolve_name
from time import monotonic
from typing import NamedTuple

from wordpack.backend import registry
from wordpack.backend.base import About, Backend
from wordpack.backend.row import Row
from wordpack.errors import InputError, Unavailable
from wordpack.racing import conversation as say
from wordpack.racing.conversation import Broken
from wordpack.racing.racer_process import Child
from wordpack.racing.talk import Talk
from wordpack.text.output import tell

GROUP = "wordpack.backends"

MODULE = "wordpack.racing.plugins"

LIMIT = 60.0
"""Seconds for importing a package and asking it whether it can run."""


class Found(NamedTuple):
    """A backend of another package."""

    row: Row
    runs: bool
    said: str
    """What would run, with versions; or why it cannot run."""


def found(*, probe: bool = False) -> list[Found]:
    """Return the backends of other packages; with `probe`, ask each whether it can run.

    A backend that cannot be used is left out, and a line on standard error says why.
    """
    usable = []
    for point, answer in _answers(None, probe=probe):
        if isinstance(answer, Found):
            usable.append(answer)
        else:
            tell(f"wordpack: {_unfit(point, answer)}")
    return usable


def know(name: str) -> None:
    """Add another package's backend called `name` to the registry, if a package provides one.

    Raises InputError if it cannot run: it is about to run in this process.
    """
    for point, answer in _answers(name, probe=True):
        if isinstance(answer, str):
            raise InputError(_unfit(point, answer))
        if not answer.runs:
            raise InputError(f"{name} cannot run here: {answer.said}")
        registry.add(answer.row)


def _unfit(point: EntryPoint, why: str) -> str:
    return f"the backend {point.name} of {_distribution(point)} {why}"


def _answers(name: str | None, *, probe: bool) -> list[tuple[EntryPoint, Found | str]]:
    """Return what each backend says, or why it cannot be used; with `name`, ask only that one."""
    points = [point for point in entry_points(group=GROUP) if name in {None, point.name}]
    with ExitStack() as stack:
        # start every process before waiting for the first
        asked = [
            (point, _taken(point, points) or stack.enter_context(_Asked(point))) for point in points
        ]
        return [
            (point, each if isinstance(each, str) else each.answer(probe=probe))
            for point, each in asked
        ]


def _distribution(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown package"


def _taken(point: EntryPoint, points: list[EntryPoint]) -> str:
    """Return why a name cannot be used, or an empty text."""
    if any(row.name == point.name for row in registry.ROWS):
        return "is left out: wordpack has a backend of this name"
    others = [each for each in points if each.name == point.name and each != point]
    if others:
        return f"is left out: {_distribution(others[0])} has one of this name too"
    return ""


class _Asked:
    """A process that imports one backend, describes it, and says whether it can run."""

    def __init__(self, point: EntryPoint) -> None:
        self._point = point
        self._until = monotonic() + LIMIT
        try:
            self._child: Child | None = Child(MODULE, {"where": point.value})
        except (OSError, InputError) as error:
            self._child, self._fault = None, str(error)

    def __enter__(self) -> "_Asked":
        return self

    def __exit__(self, *_: object) -> None:
        if self._child:
            self._child.close()

    def answer(self, *, probe: bool) -> Found | str:
        """Return the backend, or why it cannot be used, as a phrase to follow its name."""
        if self._child is None:
            return f"cannot be asked: {self._fault}"
        try:
            about = self._hear(self._child, say.DESCRIBING)
        except Broken as reason:
            return f"cannot be imported: {reason}"
        if about is None:
            return f"was not imported within {LIMIT:g} s"
        if not isinstance(about, say.Described):
            return f"cannot be imported: {about.reason}"
        row = Row.from_json(
            about.about
            | {"name": self._point.name, "backend": self._point.value}
            | {"algorithm": about.about["algorithm"] or self._point.name}
            | {"distribution": _distribution(self._point)}
        )
        return Found(row, *self._probed(self._child)) if probe else Found(row, True, "")

    def _probed(self, child: Child) -> tuple[bool, str]:
        try:
            said = self._hear(child, say.TRYING)
        except Broken as reason:
            return False, f"its probe ended the process: {reason}"
        if said is None:
            return False, f"it did not say within {LIMIT:g} s whether it can run"
        return (True, said.using) if isinstance(said, say.Usable) else (False, said.reason)

    def _hear(self, child: Child, state: say.State[say.Taken]) -> say.Taken | say.End | None:
        return child.hear(state, max(self._until - monotonic(), 0), lambda _share: None)


def main() -> None:
    """Import the backend that the first line names, describe it, and try it."""
    talk = Talk()
    where = json.loads(talk.orders.get())["where"]
    try:
        made = resolve_name(where)()
    except Exception as error:
        talk.say(say.Refused(f"{type(error).__name__}: {error}"))
        return
    if not isinstance(made, Backend) or not isinstance(made.about, About):
        talk.say(say.Refused(f"{where} is not a subclass of wordpack's Backend"))
        return
    # a subclass of About may have more fields
    talk.say(say.Described({each.name: getattr(made.about, each.name) for each in fields(About)}))
    try:
        talk.say(say.Usable(made.probe()))
    except Unavailable as reason:
        talk.say(say.Unavailable(str(reason)))
    except Exception as error:
        talk.say(say.Unavailable(f"its probe fails: {type(error).__name__}: {error}"))


if __name__ == "__main__":
    main()
