"""Backends of other packages: named by entry points, asked about in processes of their own.

A package names a subclass of Backend in the group `wordpack.backends`. It is never imported here
to find out what it is: it may be broken, slow, or end the process.
"""

import json
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import asdict
from importlib.metadata import EntryPoint, entry_points
from pkgutil import resolve_name
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
"""Seconds that a package may take to be imported, or to say whether it can run."""


class Found(NamedTuple):
    """A backend of another package."""

    row: Row
    runs: bool
    said: str
    """What would run, with versions, or why it cannot."""


def found(names: Collection[str] | None = None, *, probe: bool = False) -> list[Found]:
    """Return the backends of other packages, or those of these names; ask whether they can run.

    A backend that cannot be used is left out, and a line on standard error says why. Only with
    `probe` is a backend asked whether it can run.
    """
    points = [point for point in entry_points(group=GROUP) if names is None or point.name in names]
    faults = {point: _taken(point, points) for point in points}
    with ExitStack() as stack:
        children = {
            point: stack.enter_context(_Asked(point)) for point in points if not faults[point]
        }
        answers = []
        for point, child in children.items():
            try:
                answers.append(child.answer(probe=probe))
            except InputError as fault:
                faults[point] = str(fault)
    for point, why in faults.items():
        if why:
            tell(f"wordpack: the backend {point.name} of {_distribution(point)} {why}")
    return answers


def know(name: str) -> None:
    """Let the registry have the backend called `name`, not one of ours, if a package names it.

    InputError if it cannot run: it will run in this process.
    """
    for each in found([name], probe=True):
        if not each.runs:
            raise InputError(f"{name} cannot run here: {each.said}")
        registry.add(each.row)


def _distribution(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown package"


def _taken(point: EntryPoint, points: list[EntryPoint]) -> str:
    """Return why a name cannot be used; nothing if it can."""
    if any(row.name == point.name for row in registry.ROWS):
        return "is left out: wordpack has a backend of this name"
    others = [each for each in points if each.name == point.name and each != point]
    if others:
        return f"is left out: {_distribution(others[0])} has one of this name too"
    return ""


class _Asked:
    """A process that imports one backend, and says what it is and whether it can run."""

    def __init__(self, point: EntryPoint) -> None:
        self._point = point
        try:
            self._child: Child | None = Child(MODULE, {"where": f"{point.module}:{point.attr}"})
        except (OSError, InputError) as error:
            self._child, self._fault = None, str(error)

    def __enter__(self) -> "_Asked":
        return self

    def __exit__(self, *_: object) -> None:
        if self._child:
            self._child.close()

    def answer(self, *, probe: bool) -> Found:
        """Return what it is; InputError says, after its name, why it cannot be used."""
        if self._child is None:
            raise InputError(f"cannot be asked: {self._fault}")
        try:
            about = self._child.hear(say.DESCRIBING, LIMIT, lambda _share: None)
        except Broken as reason:
            raise InputError(f"cannot be imported: {reason}") from None
        if about is None:
            raise InputError(f"is not imported within {LIMIT:g} s")
        if not isinstance(about, say.Described):
            raise InputError(f"cannot be imported: {about.reason}")
        row = Row.from_json(
            about.about
            | {"name": self._point.name, "backend": f"{self._point.module}:{self._point.attr}"}
            | {"algorithm": about.about["algorithm"] or self._point.name}
            | {"distribution": _distribution(self._point)}
        )
        return Found(row, *self._probed()) if probe else Found(row, True, "")

    def _probed(self) -> tuple[bool, str]:
        assert self._child is not None  # noqa: S101  it has described itself
        try:
            said = self._child.hear(say.TRYING, LIMIT, lambda _share: None)
        except Broken as reason:
            return False, f"its probe ended the process: {reason}"
        if said is None:
            return False, f"its probe took more than {LIMIT:g} s"
        return (True, said.using) if isinstance(said, say.Usable) else (False, said.reason)


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
        talk.say(say.Refused(f"{where} is no subclass of wordpack's Backend"))
        return
    talk.say(say.Described(asdict(made.about)))
    try:
        talk.say(say.Usable(made.probe()))
    except Unavailable as reason:
        talk.say(say.Unavailable(str(reason)))
    except Exception as error:
        talk.say(say.Unavailable(f"its probe fails: {type(error).__name__}: {error}"))


if __name__ == "__main__":
    main()
