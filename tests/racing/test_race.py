"""A race with backends that lie, crash, hang or refuse: each gets a row with a reason."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tree import TESTS
from wordpack.backend import registry
from wordpack.backend.registry import Row
from wordpack.racing import race as racing
from wordpack.racing import racer_process
from wordpack.racing.entry import Entry, Lineup, settle
from wordpack.racing.race import Race
from wordpack.solving.instances import INSTANCES, Instance

TOY = INSTANCES["toy"]
UNKNOWN = Instance("unknown", "toy without its known answer", TOY.spec)
Runner = Callable[..., Race]


def rows(*names: str) -> tuple[Row, ...]:
    """Return rows of modules in tests/fakes; 'honest:2' is a second row of the same module."""
    return tuple(
        Row(name, f"fakes.{name.partition(':')[0]}:Fake", name, "a fake") for name in names
    )


@pytest.fixture(autouse=True)
def lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the racers find the fakes; a hanging fake keeps this file locked."""
    monkeypatch.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)
    monkeypatch.syspath_prepend(TESTS)
    monkeypatch.setenv("FAKES_LOCK", str(tmp_path / "lock"))
    return tmp_path / "lock"


def run(*names: str, instance: Instance = TOY, **plan: object) -> dict[str, Entry]:
    """Race fakes and return their entries by name."""
    race = Race(Lineup(instance, rows(*names), **({"repeat": 2} | plan)))  # type: ignore[arg-type]
    race.run()
    settle(race.lineup, race.entries)
    return {entry.row.name: entry for entry in race.entries}


def none_is_left(lock: Path) -> bool:
    """Whether the fake began to hang, and it and its children have ended since."""
    from fakes.hanging import ended

    return ended(lock)


def without_time(entry: Entry) -> bool:
    return entry.first is None and not entry.samples and not entry.times and entry.median is None


def test_an_honest_backend_has_its_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a first call, the requested runs, the expected counts and digest, and no reason."""
    monkeypatch.setattr(racing, "SLOW", 0.0)  # an explicit number of runs overrides it
    entry = run("honest", repeat=3)["honest"]
    assert (entry.status, entry.reason, entry.verified) == ("ok", "", "expected")
    assert entry.found == {"packings": 5, "solutions": 10}
    assert entry.digest == TOY.expected.digest  # type: ignore[union-attr]
    assert (entry.device, entry.using) == ("a test", "nothing but patience")
    assert len(entry.samples) == 3
    assert entry.first is not None
    assert entry.prepare is not None
    assert min(entry.samples) <= entry.median <= max(entry.samples)  # type: ignore[operator]


WRONG = {
    "liar": "it found 4 packings instead of 5",
    "duplicate": "1 packings are repeated",
    "overlapping": "uses a letter twice",
    "stranger": "did not list the packings of the problem it was given",
    "counter": "did not list the packings",
    "flaky": "it found 4 packings instead of 5",
}
CRASHED = {
    "thrower": "exit status 1: ValueError: no room [for it] in [/dev/shm]",
    "leaver": "exit status 3",
    "segfault": "killed by SIGSEGV",
}
LATE = {
    "unavailable_prepare": ("unavailable", "The device is lost in prepare: reset it."),
    "unavailable_run": ("unavailable", "The device is lost in a run: reset it."),
    "unavailable_later": ("unavailable", "The device is lost in a run: reset it."),
    "refused_run": ("refused", "these words need 9 GiB: free some"),
}


@pytest.fixture(scope="module")
def faulty() -> Iterator[dict[str, Entry]]:
    """Race all fakes that fail without hanging, with an honest one among them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)
        others = ("printer", "unavailable", "shapeless", "costly", "honest")
        yield run(*WRONG, *CRASHED, *LATE, *others, "missing", repeat=1)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_has_a_reason_and_no_time(faulty: dict[str, Entry], name: str) -> None:
    entry = faulty[name]
    assert entry.status == "wrong"
    assert WRONG[name] in entry.reason
    assert without_time(entry)
    assert entry.verified is None


def test_a_preparation_without_an_answer_has_no_time(faulty: dict[str, Entry]) -> None:
    """No time of any kind is kept unless the answer was verified in that run (rule 5)."""
    kept = [name for name in (*WRONG, *CRASHED) if faulty[name].prepare is not None]
    assert kept == []


@pytest.mark.parametrize("name", CRASHED)
def test_a_crash_has_a_reason_and_no_time(faulty: dict[str, Entry], name: str) -> None:
    """The reason tells an exception, an exit and a signal apart; it has the last stderr line."""
    entry = faulty[name]
    assert entry.status == "crashed"
    assert entry.reason.startswith(CRASHED[name])
    assert without_time(entry)


@pytest.mark.parametrize(
    ("name", "status", "reason"),
    [
        ("unavailable", "unavailable", "The library is missing: pip install 'wordpack[gpu]'."),
        ("shapeless", "refused", "it is for triangles only (shape)"),
        ("costly", "refused", "it would take until the weekend (cost)"),
        ("missing", "crashed", "No module named 'fakes.missing'"),
    ],
)
def test_what_does_not_run_says_why(
    faulty: dict[str, Entry], name: str, status: str, reason: str
) -> None:
    entry = faulty[name]
    assert entry.status == status
    assert reason in entry.reason
    assert without_time(entry)


@pytest.mark.parametrize("name", LATE)
def test_what_fails_late_is_a_row(faulty: dict[str, Entry], name: str) -> None:
    """In prepare, the first run or a later run: the row has the reason and no time."""
    entry = faulty[name]
    assert (entry.status, entry.reason) == LATE[name]
    assert without_time(entry)


def test_a_compiler_that_is_switched_off_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """A backend that needs numba finds out in prepare; the other backend has its times."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    race = Race(
        Lineup(TOY, (registry.row("bitset_rows"), registry.row("filtered_lists")), repeat=1)
    )
    race.run()
    compiled, plain = race.entries
    assert (compiled.status, plain.status) == ("unavailable", "ok")
    assert "NUMBA_DISABLE_JIT is set" in compiled.reason


def test_a_process_that_cannot_be_started_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    with monkeypatch.context() as patch:
        patch.setattr(racer_process.subprocess, "Popen", refuse)
        entry = run("honest")["honest"]
    reason = "its process could not be started (Resource temporarily unavailable)"
    assert (entry.status, entry.reason) == ("crashed", reason)


@pytest.mark.parametrize("name", ["honest", "printer"])
def test_the_others_are_not_disturbed(faulty: dict[str, Entry], name: str) -> None:
    """Neither failing backends nor a backend's own output disturb them."""
    assert (faulty[name].status, faulty[name].verified) == ("ok", "expected")
    assert len(faulty[name].samples) == 1


def test_a_cost_is_overridden_by_name_and_a_shape_is_not() -> None:
    found = run("costly", "shapeless", by_name=frozenset({"costly", "shapeless"}))
    assert (found["costly"].status, found["costly"].verified) == ("ok", "expected")
    assert found["shapeless"].status == "refused"


@pytest.mark.parametrize(
    ("name", "task"), [("hanging_run", ""), ("hanging_prepare", " to prepare")]
)
def test_the_budget_ends_what_hangs(lock: Path, name: str, task: str) -> None:
    """Its row says so, it and its children have ended, and the next backend has its turn."""
    found = run(name, "honest", budget=1.0)
    assert found[name].status == "out_of_budget"
    assert found[name].reason == f"more than 1 s{task}"
    assert without_time(found[name])
    assert found["honest"].status == "ok"
    assert none_is_left(lock)


def test_the_budget_is_over_prepare_and_all_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each timed region may use what earlier regions left of the budget."""
    limits: list[float] = []
    plain = racing.Child.hear

    def heard(self: racing.Child, state: Any, limit: float, tick: Callable[..., None]) -> Any:
        limits.append(limit)
        return plain(self, state, limit, tick)

    monkeypatch.setattr(racing.Child, "hear", heard)
    entry = run("honest", budget=60.0)["honest"]
    timed = [limit for limit in limits if limit != racing.UNTIMED]
    assert entry.prepare is not None
    assert entry.first is not None
    spent = [0.0, entry.prepare, entry.first, entry.samples[0]]
    assert timed == pytest.approx([60.0 - sum(spent[: n + 1]) for n in range(4)])
    assert len(set(timed)) == 4


def test_what_hangs_outside_of_its_clock_is_a_crash(
    lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(racing, "UNTIMED", 2.0)
    entry = run("hanging_probe")["hanging_probe"]
    assert (entry.status, entry.reason) == ("crashed", "it hung before its clock was started")
    assert none_is_left(lock)


def test_runs_before_the_budget_ended_count(lock: Path) -> None:
    """If the third run hangs, the first call and the sample after it stay."""
    entry = run("tiring", budget=2.0, repeat=5)["tiring"]
    assert (entry.status, entry.verified, len(entry.samples)) == ("ok", "expected", 1)
    assert entry.first is not None
    assert none_is_left(lock)


def test_a_slow_backend_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first call is its only time, unless a number of runs was requested."""
    monkeypatch.setattr(racing, "SLOW", 0.0)
    entry = run("honest", repeat=None)["honest"]
    assert (entry.status, entry.samples) == ("ok", [])
    assert entry.times == [entry.first]
    assert entry.median == entry.first


def test_backends_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """First calls come in the table's order; in later turns no backend always follows the same."""
    order: list[str] = []
    plain = Race._run

    def recorded(self: Race, entry: Entry) -> None:
        order.append(entry.row.name[-1])
        plain(self, entry)

    monkeypatch.setattr(Race, "_run", recorded)
    run("honest:a", "honest:b", "honest:c", repeat=12)
    turns = ["".join(order[first : first + 3]) for first in range(0, len(order), 3)]
    assert turns[0] == "abc"
    assert all(sorted(turn) == ["a", "b", "c"] for turn in turns)
    assert {pair in "".join(turns[1:]) for pair in ("ab", "ba", "ac", "ca", "bc", "cb")} == {True}


def strengths(*names: str) -> list[tuple[str, str | None]]:
    found = run(*names, instance=UNKNOWN, repeat=1)
    return [(entry.status, entry.verified) for entry in found.values()]


def test_two_that_agree_are_agreed_and_one_alone_is_valid() -> None:
    assert strengths("honest:1", "honest:2") == [("ok", "agreed"), ("ok", "agreed")]
    assert strengths("honest", "thrower") == [("ok", "valid"), ("crashed", None)]


def test_an_answer_that_another_exceeds_is_wrong() -> None:
    """If no answer is known, one backend's valid packings prove that the other's are incomplete."""
    found = run("liar", "honest", instance=UNKNOWN)
    assert (found["liar"].status, found["honest"].verified) == ("wrong", "valid")
    assert found["liar"].reason == "it found 4 packings; 5 valid ones exist"
    assert without_time(found["liar"])
    assert found["honest"].samples


def test_two_that_lack_different_packings_are_both_wrong() -> None:
    assert strengths("liar", "other_liar") == [("wrong", None), ("wrong", None)]


def test_one_whose_runs_differ_is_wrong() -> None:
    """Even without a known answer: the second run lacks a packing of the first."""
    entry = run("flaky", instance=UNKNOWN)["flaky"]
    assert (entry.status, entry.reason) == ("wrong", "its runs found different packings")
    assert without_time(entry)


def test_an_interrupt_keeps_what_was_measured(lock: Path) -> None:
    """Ctrl-C during a first call: earlier backends keep their times, later ones never began."""

    def interrupt() -> None:
        if lock.exists() and lock.read_text() == "hanging":
            raise KeyboardInterrupt

    race = Race(Lineup(TOY, rows("honest", "hanging_run", "honest:2"), repeat=2), interrupt)
    with pytest.raises(KeyboardInterrupt):
        race.run()
    settle(race.lineup, race.entries)
    assert [entry.status for entry in race.entries] == ["ok", "interrupted", "interrupted"]
    assert (race.entries[0].verified, race.entries[0].samples) == ("expected", [])
    assert race.entries[0].first is not None
    assert none_is_left(lock)
