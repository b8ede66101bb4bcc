"""The protocol of race and racer: each state against each kind, cut, malformed and silent."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import reciter
from tree import TESTS
from wordpack.backend.registry import Row
from wordpack.racing import conversation, race
from wordpack.racing.conversation import Broken, Message, State
from wordpack.racing.entry import Entry, Lineup
from wordpack.racing.race import Race
from wordpack.solving.instances import INSTANCES

pytestmark = pytest.mark.slow

TOY = INSTANCES["toy"]
DIGEST = TOY.expected.digest  # type: ignore[union-attr]

MESSAGES: dict[str, dict[str, Any]] = {
    "timed": {},
    "prepared": {"seconds": 0.25, "device": "a stage", "using": "a script", "facts": None},
    "progress": {"share": 0.5, "of_time": True},
    "ran": {"seconds": 0.5},
    "answered": {"found": {"packings": 5, "solutions": 10}, "digest": DIGEST, "readings": {}},
    "wrong": {"reason": "a packing is missing"},
    "described": {"about": {"summary": "a script"}},
    "usable": {"using": "a script"},
    "unavailable": {"reason": "The device is lost."},
    "refused": {"reason": "it needs more memory"},
}

PLAY = ["timed", "prepared", "timed", "ran", "answered", "timed", "ran", "answered"]
"""Everything that a racer says if it is asked for one run after its first call."""

DOING = [
    *("starting", "preparing", "beginning a run", "running", "verifying"),
    *("beginning a run", "running", "verifying"),
]
"""What the racer is doing while the race waits for each of these messages."""

TAKEN = {
    "starting": {"timed"},
    "preparing": {"prepared"},
    "beginning a run": {"timed"},
    "running": {"progress", "ran"},
    "verifying": {"answered", "wrong"},
}
"""What it may say in each state, besides unavailable and refused."""

ROWS = {"unavailable": ("unavailable", "The device is lost."),
        "refused": ("refused", "it needs more memory"),
        "wrong": ("wrong", "a packing is missing")}  # fmt: skip
"""Status and reason for each message that ends a racer in an orderly way."""


def said(kind: str) -> str:
    return json.dumps({"kind": kind} | MESSAGES[kind])


BROKEN: dict[str, tuple[list[list[Any]], str]] = {
    "unknown": ([["say", '{"kind": "hello"}']], "it sent a message of an unknown kind"),
    "no kind": ([["say", '{"event": "timed"}']], "it sent a line that is not a message"),
    "not json": ([["say", "not json"]], "it sent a line that is not a message: not json"),
    "cut": (
        [["write", '{"kind": "tim'], ["exit", 0]],
        "exit status 0 in the middle of a message",
    ),
    "silent": ([["close", None]], "it closed its output without exiting"),
    "gone": ([["exit", 0]], "exit status 0"),
    "complaining": ([["complain", "ValueError: no"], ["exit", 3]], "exit status 3: ValueError: no"),
    "killed": ([["kill", int(signal.SIGKILL)]], "killed by SIGKILL"),
    "real-time": ([["kill", 40]], "killed by signal 40"),
}
"""Steps that break the conversation at any point, and the reason that the row shows."""


def script(place: int, *instead: list[Any], then: int | None = None) -> list[list[Any]]:
    """Return the play up to `place`, then the steps of `instead`, then the play from `then` on."""
    steps: list[list[Any]] = []
    for at, kind in enumerate(PLAY):
        if at in (2, 5):
            steps.append(["order", None])
        if at == place:
            steps += instead
        if at < place or (then is not None and at >= then):
            steps.append(["say", said(kind)])
    return steps


def scripts() -> dict[str, list[list[Any]]]:
    """Return a script for each place and each possible message or fault, and two honest ones."""
    found = {"honest": script(len(PLAY))}
    for place, kind in enumerate(PLAY):
        for other in MESSAGES:
            found[f"{place} {other}"] = script(
                place, ["say", said(other)], then=place + (other == kind)
            )
        for fault, (steps, _) in BROKEN.items():
            if fault != "silent" or place == 3:  # it takes seconds each time
                found[f"{place} {fault}"] = script(place, *steps)
    return found | {"honest too": script(len(PLAY))}


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Entry]]:
    """Race all scripts at once; yield their entries by name."""
    path = tmp_path_factory.mktemp("scripts") / "scripts.json"
    path.write_text(json.dumps(scripts()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)
        patch.setenv(reciter.SCRIPTS, str(path))
        patch.setattr(race, "RACER", "fakes.reciter")
        rows = tuple(Row(name, "none", name, "a script") for name in scripts())
        run = Race(Lineup(TOY, rows, repeat=1, budget=300.0))
        run.run()
        yield {entry.row.name: entry for entry in run.entries}


@pytest.mark.parametrize("name", ["honest", "honest too"])
def test_the_others_race_on(entries: dict[str, Entry], name: str) -> None:
    """Among some hundred faulty racers, the honest first and last one have all their times."""
    entry = entries[name]
    assert (entry.status, entry.reason, entry.device) == ("ok", "", "a stage")
    assert (entry.prepare, entry.first, entry.samples) == (0.25, 0.5, [0.5])


@pytest.mark.parametrize("kind", MESSAGES)
@pytest.mark.parametrize("place", range(len(PLAY)))
def test_each_state_against_each_kind(entries: dict[str, Entry], place: int, kind: str) -> None:
    """An accepted message continues or ends the play; for any other the reason names both."""
    entry, doing = entries[f"{place} {kind}"], DOING[place]
    if kind in ("unavailable", "refused") or (kind == "wrong" and kind in TAKEN[doing]):
        assert (entry.status, entry.reason) == ROWS[kind]
    elif kind in TAKEN[doing]:
        assert (entry.status, entry.reason) == ("ok", "")
        return
    else:
        expected = ("crashed", f"it said {kind!r} while {doing}")
        assert (entry.status, entry.reason) == expected
    assert (entry.prepare, entry.first, entry.samples, entry.verified) == (None, None, [], None)


@pytest.mark.parametrize("name", [name for name in scripts() if name.partition(" ")[2] in BROKEN])
def test_a_conversation_that_breaks_off_is_a_row(entries: dict[str, Entry], name: str) -> None:
    """An unknown, cut, garbled or missing message, or a racer that dies between any two."""
    entry = entries[name]
    assert entry.status == "crashed"
    assert entry.reason.startswith(BROKEN[name.partition(" ")[2]][1])
    assert "\n" not in entry.reason
    assert entry.times == []


def test_one_that_dies_after_its_last_answer_keeps_its_times(entries: dict[str, Entry]) -> None:
    """The race asks nothing more of it: the honest scripts end there."""
    assert entries["honest"].times == [0.5]


BAD = {
    "seconds": [-0.5, 1, "0.5", None, True],
    "share": [-0.1, 1.5, 1, None],
    "of_time": [None, 1, "true"],
    "device": [3, None, ["gpu"]],
    "using": [3, None],
    "facts": [3, "none", []],
    "about": [None, "a search", []],
    "found": [{"packings": -1}, {"packings": 0.5}, {"packings": True}, [5], None],
    "digest": [3, None],
    "readings": [None, []],
    "reason": [None, 3, {}],
}


@pytest.mark.parametrize(
    ("kind", "field", "bad"),
    [(kind, field, bad) for kind, own in MESSAGES.items() for field in own for bad in BAD[field]],
)
def test_a_malformed_field_is_named(kind: str, field: str, bad: object) -> None:
    values = {"kind": kind} | MESSAGES[kind] | {field: bad}
    with pytest.raises(Broken, match=f"its message '{kind}' is malformed: '{field}' should be"):
        conversation.read(json.dumps(values).encode())


@pytest.mark.parametrize("kind", MESSAGES)
def test_a_missing_and_a_strange_field_are_refused(kind: str) -> None:
    values = {"kind": kind} | MESSAGES[kind]
    with pytest.raises(Broken, match="has the wrong fields"):
        conversation.read(json.dumps(values | {"more": 1}).encode())
    for field in MESSAGES[kind]:
        less = {name: value for name, value in values.items() if name != field}
        with pytest.raises(Broken, match="has the wrong fields"):
            conversation.read(json.dumps(less).encode())


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_no_number_without_a_value_gets_into_results(number: str) -> None:
    """Results are strict JSON: a NaN in them would end the whole race."""
    with pytest.raises(Broken, match="not a message"):
        conversation.read(f'{{"kind": "ran", "seconds": {number}}}'.encode())


@pytest.mark.parametrize("kind", MESSAGES)
def test_a_message_is_read_as_it_was_said(kind: str) -> None:
    message = conversation.KINDS[kind](**MESSAGES[kind])
    assert conversation.read(conversation.line(message).rstrip(b"\n")) == message


def test_a_reason_is_one_line_that_no_terminal_obeys() -> None:
    message = conversation.read(conversation.line(conversation.Refused("a\n b\x1b[31m")))
    assert message == conversation.Refused("a b\N{REPLACEMENT CHARACTER}[31m")


@given(st.binary() | st.text().map(str.encode) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(
        ["kind", "seconds", "share", "reason", "timed"]), inner),
).map(lambda value: json.dumps(value).encode()))  # fmt: skip
def test_anything_at_all_is_a_message_or_broken(line: bytes) -> None:
    """No line can end a race, whatever it contains."""
    with suppress(Broken):
        assert isinstance(conversation.read(line), Message)


def test_deep_nesting_is_broken() -> None:
    with pytest.raises(Broken, match="not a message"):
        conversation.read(b"[" * 100_000)


def test_every_kind_and_state_is_tried_here() -> None:
    """A new kind or state needs an entry in the tables above."""
    assert set(conversation.KINDS) == set(MESSAGES)
    every = {each.name for each in vars(conversation).values() if isinstance(each, State)}
    states = every - {"trying a library", "describing a backend"}
    assert states == set(DOING) == set(TAKEN)
