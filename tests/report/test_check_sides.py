"""What `wordpack report --check` compares: machines, commits, sources, options."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from handmade_results import COMMIT, LATER, NAN, SLOWER, STEADY, results

Command = Callable[..., Any]


def verdicts(found: Any) -> dict[str, str]:
    return {line["backend"]: line["verdict"] for line in found["lines"]}


def test_one_folder_with_two_commits(check: Command, refused: Command, tmp_path: Path) -> None:
    """NEW defaults to the newest commit, so BASE's must be named, by eight digits or more."""
    place = results(tmp_path / "r", STEADY)
    results(place, SLOWER, commit=LATER, date=1_700_000_001_000)
    for prefix in (COMMIT[:8], COMMIT.upper()):
        found = check(place, place, "--base-commit", prefix)
        assert (found["status"], verdicts(found)) == (1, {"a": "slower"})
    found = check(place, place, "--base-commit", LATER[:8], "--new-commit", COMMIT[:8])
    assert (found["status"], verdicts(found)) == (0, {"a": "faster"})
    refused(place, place, says=["compared with itself", "--base-commit", LATER[:8]])
    refused(place, place, "--base-commit", LATER, says=["compared with itself"])


def test_a_machine_with_one_commit_does_not_stop_the_others(check: Command, tmp_path: Path) -> None:
    """In one folder it would be compared with itself, so it is named and left out."""
    place = results(tmp_path / "r", STEADY)
    results(place, SLOWER, commit=LATER, date=1_700_000_001_000)
    results(place, STEADY, machine="m2")
    found = check(place, place, "--base-commit", COMMIT)
    assert [(line["machine"], line["verdict"]) for line in found["lines"]] == [("m1", "slower")]
    assert found["notes"] == ["m2 is not compared: both sides are the same commit"]


@pytest.mark.parametrize(
    ("commit", "says"),
    [
        ("0123456", "8 to 40"),
        ("HEAD", "8 to 40"),
        ("00000000", "no such commit; it has fedcba98 of 2023-11-14, 01234567 of 2023-11-14"),
        ("\x1b[2J", "8 to 40"),
    ],
)
def test_a_commit_that_is_not_there(
    refused: Command, tmp_path: Path, commit: str, says: str
) -> None:
    place = results(tmp_path / "r", STEADY)
    results(place, SLOWER, commit=LATER, date=1_700_000_001_000)
    refused(place, place, "--base-commit", commit, says=["--base-commit", says])
    refused(place, place, "--new-commit", commit, says=["--new-commit", says])


def test_a_prefix_of_several_commits(refused: Command, tmp_path: Path) -> None:
    place = results(tmp_path / "r", STEADY)
    results(place, STEADY, commit=COMMIT[:39] + "8", env_name="other")
    refused(place, place, "--base-commit", COMMIT[:8], says=["several commits begin with it"])


def test_each_machine_is_compared_at_its_own_newest_commit(check: Command, tmp_path: Path) -> None:
    """A machine that only one side has is named; the others are compared."""
    base = results(tmp_path / "base", STEADY)
    results(base, STEADY, machine="m2", commit=LATER)
    results(base, STEADY, machine="m3")
    new = results(tmp_path / "new", SLOWER)
    results(new, STEADY, machine="m1", commit=LATER, date=1_800_000_000_000)
    results(new, SLOWER, machine="m2")
    found = check(base, new)
    assert {line["machine"]: line["verdict"] for line in found["lines"]} == {
        "m1": "same", "m2": "slower",
    }  # fmt: skip
    assert found["notes"] == ["m3 is not compared: NEW has no results of it"]
    assert check(base, new, "--machine", "m1")["status"] == 0


def test_another_processor_is_another_machine(
    check: Command, refused: Command, tmp_path: Path
) -> None:
    """Nothing is compared, unless another machine is chosen; other changes are noted."""
    base = results(tmp_path / "base", STEADY, facts={"driver": "550"})
    results(base, STEADY, machine="m2")
    new = results(tmp_path / "new", STEADY, facts={"cpu": "D\x1b[2J"})
    results(new, STEADY, machine="m2", facts={"driver": "570"})
    refused(base, new, says=["m1 is a different machine in NEW", "D\N{REPLACEMENT CHARACTER}[2J"])
    found = check(base, new, "--machine", "m2")
    assert found["notes"] == ["m2: driver was unknown, is 570"]
    refused(base, new, "--machine", "m4", says=["--machine m4", "has m1, m2"])
    refused(base, results(tmp_path / "x", STEADY, machine="m5"), says=["BASE has m1, m2", "m5"])


def test_merged_machines_keep_their_names(check: Command, merge: Command, tmp_path: Path) -> None:
    """Two machines with one name stay separate after a merge; each is compared with itself."""
    one = results(tmp_path / "one", STEADY)
    two = results(tmp_path / "two", SLOWER, facts={"cpu": "D"})
    merge(one, two)
    later = results(tmp_path / "later", STEADY, commit=LATER)
    results(later, STEADY, machine="m1-2", commit=LATER, facts={"cpu": "D"})
    found = check(tmp_path / "into", later)
    assert [(line["machine"], line["verdict"]) for line in found["lines"]] == [
        ("m1", "same"), ("m1-2", "faster"),
    ]  # fmt: skip


def test_packed_results(check: Command, wordpack: Command, tmp_path: Path) -> None:
    """A packed file gives the same outcome as the folder it was made from."""
    base, packed = results(tmp_path / "base", STEADY), tmp_path / "m1.zip"
    wordpack("results", "pack", "--machine", "m1", "--results", base, "--output", packed)
    found = check(packed, results(tmp_path / "new", SLOWER, commit=LATER))
    assert verdicts(found) == {"a": "slower"}


def test_nothing_to_compare(refused: Command, tmp_path: Path) -> None:
    """Losing every line is an error: other environments or series, no time before, no results."""
    base = results(tmp_path / "base", STEADY)
    for name, given in (
        ("environment", {"env_name": "other"}),
        ("benchmark", {"benchmark": "start.Prepare.time_prepare"}),
    ):
        new = results(tmp_path / name, STEADY, **given)
        refused(base, new, says=["nothing to compare", "2 lines"])
    refused(base, tmp_path / "environment", says=["virtualenv-py3.11 in BASE, other in NEW"])
    refused(results(tmp_path / "none", NAN), base, says=["nothing to compare", "1 line "])
    refused(base, tmp_path / "nowhere", says=["nowhere"])


def test_options(check: Command, refused: Command, wordpack: Command, tmp_path: Path) -> None:
    """Threshold, p and series work; bad values are refused in one line."""
    base = results(tmp_path / "base", STEADY)
    new = results(tmp_path / "new", SLOWER)
    assert verdicts(check(base, new, "--threshold", "1.6")) == {"a": "same"}
    assert verdicts(check(base, new, "--p", "0.0005")) == {"a": "undecided"}
    assert verdicts(check(base, new, "--series", "search")) == {"a": "slower"}
    for option, values in (
        ("--threshold", ("1", "0.9", "nan", "inf", "-1")),
        ("--p", ("0", "1", "nan", "-1")),
        ("--series", ("serch", "\x1b[2J")),
    ):
        for value in values:
            refused(base, new, option, value, says=[option])
    refused(base, new, "--series", "serch", says=["did you mean search?"])
    for given in ((), (base,), (base, new, base)):
        assert wordpack("report", "--check", *given).status == 2
    assert wordpack("report", base).status == 2
