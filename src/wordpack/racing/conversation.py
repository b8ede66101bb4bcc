"""The protocol between a race and its racers: kinds of messages, and the states that accept them.

A message is one line of JSON with its `kind` and that kind's fields. All are checked on reading.
Each state of the conversation names the kinds that it accepts; every state accepts an End.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Annotated, Any, Generic, NamedTuple, TypeVar, get_args, get_type_hints

from wordpack.text.formatting import shown, visible


class Broken(Exception):  # noqa: N818  what happened to a conversation, not an error of this process
    """A conversation cannot continue; the message tells a person why."""


class _Check(NamedTuple):
    """What a field must be, in words and as a test."""

    what: str
    holds: Callable[[Any], bool]


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict)


def _is_share(value: Any) -> bool:
    return isinstance(value, float) and 0 <= value <= 1


def _are_numbers(value: Any) -> bool:
    return isinstance(value, dict) and all(type(n) is int and n >= 0 for n in value.values())


Text = Annotated[str, _Check("text", lambda value: isinstance(value, str))]
Seconds = Annotated[float, _Check("seconds", lambda value: isinstance(value, float) and value >= 0)]
Share = Annotated[float, _Check("a share from 0 to 1", _is_share)]
Truth = Annotated[bool, _Check("true or false", lambda value: isinstance(value, bool))]
Numbers = Annotated[dict[str, int], _Check("whole numbers by name", _are_numbers)]
Values = Annotated[dict[str, Any], _Check("values by name", _is_mapping)]
Facts = Annotated[
    dict[str, Any] | None,
    _Check("values by name, or null", lambda value: value is None or _is_mapping(value)),
]


@dataclass(frozen=True)
class Timed:
    """A timed region begins."""


@dataclass(frozen=True)
class Prepared:
    """The backend is ready to run."""

    seconds: Seconds
    device: Text
    using: Text
    facts: Facts


@dataclass(frozen=True)
class Progress:
    """The share of a run that is done."""

    share: Share
    of_time: Truth
    """Whether `share` is a share of the run's time, not of what the search counts."""


@dataclass(frozen=True)
class Ran:
    """A run has ended."""

    seconds: Seconds


@dataclass(frozen=True)
class Answered:
    """The answer of the last run is valid."""

    found: Numbers
    digest: Text
    readings: Values


@dataclass(frozen=True)
class Wrong:
    """The answer of the last run is not valid."""

    reason: Text


@dataclass(frozen=True)
class Described:
    """What another package's backend says about itself."""

    about: Values


@dataclass(frozen=True)
class Usable:
    """A library can be used."""

    using: Text


@dataclass(frozen=True)
class Unavailable:
    """The process ends: the backend or library cannot run on this machine."""

    reason: Text


@dataclass(frozen=True)
class Refused:
    """The process ends: the backend does not accept the problem."""

    reason: Text


End = Unavailable | Refused
Message = Timed | Prepared | Progress | Ran | Answered | Wrong | Described | Usable | End

KINDS: dict[str, type[Message]] = {kind.__name__.lower(): kind for kind in get_args(Message)}
"""Every kind by its name."""

FIELDS: dict[type[Message], dict[str, _Check]] = {
    kind: {
        name: get_args(hint)[1] for name, hint in get_type_hints(kind, include_extras=True).items()
    }
    for kind in KINDS.values()
}
"""The fields of each kind, each with its check."""

Taken = TypeVar("Taken", bound=Message)


@dataclass(frozen=True)
class State(Generic[Taken]):
    """What a process is doing, and the kinds it may send meanwhile, apart from an End."""

    name: str
    takes: tuple[type[Taken], ...]
    progress: bool = False
    """Whether it may report its progress, any number of times."""


# a racer goes through STARTING to VERIFYING, then repeats from ORDERED for each further run
STARTING = State("starting", (Timed,))
PREPARING = State("preparing", (Prepared,))
ORDERED = State("beginning a run", (Timed,))
RUNNING = State("running", (Ran,), progress=True)
VERIFYING: State[Answered | Wrong] = State("verifying", (Answered, Wrong))
TRYING = State("trying a library", (Usable,))
DESCRIBING = State("describing a backend", (Described,))


def line(message: Message) -> bytes:
    """Return the line that says `message`."""
    kind = {"kind": type(message).__name__.lower()}
    return json.dumps(kind | asdict(message)).encode() + b"\n"


def read(said: bytes) -> Message:
    """Parse a line without its newline; raise Broken if it is not a message."""
    try:
        values = json.loads(said, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict) or "kind" not in values:
        raise Broken(f"it sent a line that is not a message: {_short(said)}")
    name = values.pop("kind")
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise Broken(f"it sent a message of an unknown kind: {_short(said)}")
    if set(FIELDS[kind]) != set(values):
        raise Broken(f"its message {name!r} has the wrong fields: {_short(said)}")
    for field, check in FIELDS[kind].items():
        if not check.holds(values[field]):
            raise Broken(
                f"its message {name!r} is malformed: {field!r} should be {check.what}: "
                f"{_short(said)}"
            )
        if isinstance(values[field], str):
            # every text ends up in one line of a table
            values[field] = visible(" ".join(values[field].split()))
    return kind(**values)


def heard(said: bytes, state: State[Taken]) -> Taken | End | Progress:
    """Parse a line as a message that `state` accepts; raise Broken for any other."""
    message = read(said)
    if isinstance(message, End):
        return message
    for kind in state.takes:
        if isinstance(message, kind):
            return message
    if state.progress and isinstance(message, Progress):
        return message
    raise Broken(f"it said {type(message).__name__.lower()!r} while {state.name}")


def _finite(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError(text)
    return value


def _short(said: bytes) -> str:
    return shown(said.decode(errors="replace"))
