"""Races of whole games: the workload comes from its table only, and cheaters have no time."""

import json
import os
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from conftest import Command

from tree import TESTS
from wordpack import schemas
from wordpack.backend.registry import ROWS, Row
from wordpack.errors import InputError
from wordpack.games.instances import ExpectedGames, PlayInstance, PlaySpec
from wordpack.racing.entry import Entry, Lineup, settle
from wordpack.racing.race import Race
from wordpack.solving.workload import WORKLOADS, challenge

pytestmark = pytest.mark.slow

TOY = PlayInstance("toys", "fifty words against each other", PlaySpec("toy"))


@pytest.fixture(autouse=True)
def _racers_find_the_fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)


def run(*names: str, instance: PlayInstance = TOY) -> dict[str, Entry]:
    rows = tuple(Row(name, f"fakes.{name}:Fake", name, "a fake", workload="play") for name in names)
    race = Race(Lineup(instance, rows, repeat=1))
    race.run()
    settle(race.lineup, race.entries)
    return {entry.row.name: entry for entry in race.entries}


def test_every_workload_has_its_instances_and_backends() -> None:
    """Instances and rows name exactly the workloads of the table."""
    assert {row.workload for row in ROWS} == set(WORKLOADS)
    for name, workload in WORKLOADS.items():
        assert {each.workload for each in workload.instances.values()} == {name}
        for instance in workload.instances:
            assert challenge(instance).name == instance
    with pytest.raises(InputError, match=r"no instance is called play-al.*play-all"):
        challenge("play-al")


def test_list_has_every_play_with_its_counts_and_source(wordpack: Command) -> None:
    """It has instances, but they are raced, not solved."""
    page = wordpack("list").out
    for name, known in WORKLOADS["play"].instances.items():
        assert f"  {name} " in page
        assert f"{known.expected.games:,} games, {known.expected.guesses:,} guesses" in page
        assert known.title in page
        assert known.source in page
        refused = wordpack("solve", name)
        assert refused.status == 2
        assert f"{name} is played, not solved: race it instead" in refused.err


def test_right_games_are_valid_and_with_others_agreed() -> None:
    """No answer is known for these games: two ways to play them verify each other."""
    alone = run("player")["player"]
    assert (alone.status, alone.verified) == ("ok", "valid")
    assert alone.found["games"] == 50 * 50
    rows = tuple(row for row in ROWS if row.name in ("hint_arrays", "game_tree"))
    race = Race(Lineup(TOY, rows, repeat=1))
    race.run()
    settle(race.lineup, race.entries)
    assert [entry.verified for entry in race.entries] == ["agreed"] * 2
    assert {entry.digest for entry in race.entries} == {alone.digest}


def test_a_guess_left_out_is_seen_by_the_digest() -> None:
    """If the games are known; otherwise if another backend's games differ, both are wrong."""
    right = run("player")["player"]
    assert right.digest is not None
    expected = ExpectedGames(*right.found.values(), right.digest)
    known = replace(TOY, expected=expected)
    found = run("cheater", "player", instance=known)
    assert (found["player"].status, found["player"].verified) == ("ok", "expected")
    assert found["cheater"].status == "wrong"
    assert f"instead of {expected.guesses:,}" in found["cheater"].reason
    assert found["cheater"].median is None
    found = run("cheater", "player")
    assert {entry.status for entry in found.values()} == {"wrong"}
    assert "another number of guesses" in found["player"].reason


def test_games_of_another_play_are_no_answer() -> None:
    entry = run("bystander")["bystander"]
    assert (entry.status, entry.reason) == ("wrong", "it did not play the games it was given")


def test_the_command_races_games(wordpack: Command, tmp_path: Path) -> None:
    """Table and JSON have the workload's columns; backends for packings are not in this race."""
    file = tmp_path / "race.json"
    names = ("--backend", "game_tree", "--backend", "hint_arrays")
    outcome = wordpack("race", "play-all", *names, "--repeat", "1", "--json", file)
    assert outcome.status == 0
    assert "games" in outcome.out
    assert "2,315" in outcome.out
    assert "8,645" in outcome.out
    found = json.loads(file.read_text())
    schema = json.loads((Path(schemas.__file__).parent / "race.json").read_text())
    jsonschema.validate(found, schema)
    assert {each["backend"]: each["verified"] for each in found["backends"]} == {
        "game_tree": "expected",
        "hint_arrays": "expected",
    }
    assert found["backends"][0]["guesses"] == found["expected"]["guesses"] == 8645
    other = wordpack("race", "play-all", "--backend", "bitset_rows")
    assert other.status == 2
    assert "matches no backend" in other.err
