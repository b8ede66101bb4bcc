"""`wordpack report --check BASE NEW`: what fails a gate, what passes it, what is no comparison."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from handmade_results import COMMIT, NAN, document, entry, race, tree
from wordpack import schemas

Command = Callable[..., Any]
Cell = Sequence[float] | float | None

SCHEMA = json.loads((Path(schemas.__file__).parent / "check.json").read_text())
SEARCH = "search.Search.time_run"
LATER = "fedcba9876543210fedcba9876543210fedcba98"
FAR = [[f"'{name}'" for name in "abcd"], ["'parker'"]]

STEADY = [1.0 + 0.01 * place for place in range(7)]
SLOWER = [1.5 * sample for sample in STEADY]
"""Separated from the steady samples: p is 2/3432, the ratio of medians 1.5."""


def stored(cells: Sequence[Cell], version: str = "1") -> list[Any]:
    """Return a row of a benchmark, each cell its samples, or a value without any."""
    values = [sorted(each)[len(each) // 2] if isinstance(each, list) else each for each in cells]
    samples = [each if isinstance(each, list) else None for each in cells]
    return [values, [FAR[0][: len(cells)], FAR[1]], version, 7, 0.5, [None] * len(cells), samples]


def results(
    place: Path,
    *cells: Cell,
    machine: str = "m1",
    commit: str = COMMIT,
    date: int = 1_700_000_000_000,
    facts: dict[str, str] | None = None,
    benchmark: str = SEARCH,
    **given: Any,
) -> Path:
    """Add a commit's results of one benchmark of a machine to a folder."""
    own = place / machine
    own.mkdir(parents=True, exist_ok=True)
    known = {"machine": machine, "cpu": "C"} | (facts or {})
    (own / "machine.json").write_text(json.dumps(known | {"version": 1}))
    rows = {benchmark: stored(cells, given.pop("version", "1"))}
    whole = document(machine, rows) | {"commit_hash": commit, "date": date} | given
    (own / f"{commit[:8]}-{whole['env_name']}.json").write_text(json.dumps(whole))
    return place


@pytest.fixture
def check(wordpack: Command) -> Command:
    """Compare two sources, the tests' own way: exit status, JSON, its lines by backend."""

    def run(base: Path | str, new: Path | str, *options: str) -> Any:
        arguments = ("report", "--check", base, new, *options)
        outcome = wordpack(*arguments, "--format", "json")
        assert outcome.err == ""
        found = json.loads(outcome.out)
        jsonschema.validate(found, SCHEMA)
        assert outcome.status == found["status"]
        assert sum(found["totals"].values()) == len(found["lines"])
        assert wordpack(*arguments).status == outcome.status
        return found

    return run


@pytest.fixture
def refused(wordpack: Command) -> Command:
    """Expect exit status 2 and one line that says all of these."""

    def run(base: object, new: object, *options: str, says: Sequence[str]) -> None:
        outcome = wordpack("report", "--check", base, new, *options)
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        for words in says:
            assert words in outcome.err

    return run


def verdicts(found: Any) -> dict[str, str]:
    return {line["backend"]: line["verdict"] for line in found["lines"]}


def test_two_folders(check: Command, tmp_path: Path) -> None:
    """A regression is exit status 1, with both medians, their ratio, p, and the files."""
    base = results(tmp_path / "base", STEADY, STEADY, SLOWER)
    new = results(tmp_path / "new", SLOWER, STEADY, STEADY, commit=LATER)
    found = check(base, new)
    assert found["status"] == 1
    assert verdicts(found) == {"a": "slower", "b": "same", "c": "faster"}
    slower = found["lines"][0]
    assert (slower["before"]["value"], slower["after"]["value"]) == (STEADY[3], SLOWER[3])
    assert slower["ratio"] == pytest.approx(1.5)
    assert slower["p"] == pytest.approx(2 / 3432)
    assert slower["after"]["file"].startswith(str(new))
    assert found["new"]["machines"] == {
        "m1": {"commit": LATER, "date": "2023-11-14T22:13:20+00:00"}
    }
    assert found["by_chance_at_most"] == pytest.approx(3 * 0.002)


def test_without_a_regression_it_passes(check: Command, tmp_path: Path) -> None:
    """Faster, new and gone are no failures."""
    base = results(tmp_path / "base", SLOWER, STEADY, NAN, STEADY)
    found = check(base, results(tmp_path / "new", STEADY, STEADY, STEADY, NAN))
    assert found["status"] == 0
    assert verdicts(found) == {"a": "faster", "b": "same", "c": "new", "d": "gone"}


def test_what_fails_now_is_lost(check: Command, tmp_path: Path) -> None:
    """Null and infinity now, where there was a time; not where there was none."""
    base = results(tmp_path / "base", STEADY, STEADY, None, STEADY)
    new = results(tmp_path / "new", None, float("inf"), None, STEADY)
    found = check(base, new)
    assert verdicts(found) == {"a": "lost", "b": "lost", "c": "n/a", "d": "same"}
    assert found["status"] == 1


def test_what_cannot_be_decided_is_shown(check: Command, wordpack: Command, tmp_path: Path) -> None:
    """A single run each proves nothing: exit status 0, a row, and its number in the last line."""
    base = results(tmp_path / "base", [1.0], STEADY)
    new = results(tmp_path / "new", [9.0], STEADY)
    found = check(base, new)
    assert verdicts(found) == {"a": "undecided", "b": "same"}
    lines = wordpack("report", "--check", base, new).out.splitlines()
    assert any("undecided" in line and "9.00 s" in line for line in lines)
    assert lines[-1] == "2 lines: 1 undecided, 1 same"


def test_the_table_has_what_changed_and_the_last_line_all_numbers(
    wordpack: Command, tmp_path: Path
) -> None:
    """A line that is the same is counted alone; noise beyond the threshold has its number too."""
    noisy = [1.0, 1.5] * 5 + [1.0]
    base = results(tmp_path / "base", SLOWER, STEADY, noisy, NAN)
    new = results(tmp_path / "new", STEADY, SLOWER, [*noisy, 1.5, 1.5], NAN)
    outcome = wordpack("report", "--check", base, new)
    assert outcome.status == 1
    rows = [line for line in outcome.out.splitlines() if line.startswith("search ")]
    assert [row.split()[1] for row in rows] == ["b", "a"]
    assert rows[0].split()[3:8] == ["1.03", "s", "1.54", "s", "1.5"]
    assert outcome.out.splitlines()[-1] == (
        "4 lines: 1 slower, 1 faster, 1 same, 1 n/a (1 same within the noise, beyond the threshold)"
    )


def test_one_folder_with_two_commits(check: Command, refused: Command, tmp_path: Path) -> None:
    """The newest is NEW's by default, so BASE's must be named, by eight digits or more."""
    place = results(tmp_path / "r", STEADY)
    results(place, SLOWER, commit=LATER, date=1_700_000_001_000)
    for prefix in (COMMIT[:8], COMMIT.upper()):
        found = check(place, place, "--base-commit", prefix)
        assert (found["status"], verdicts(found)) == (1, {"a": "slower"})
    found = check(place, place, "--base-commit", LATER[:8], "--new-commit", COMMIT[:8])
    assert (found["status"], verdicts(found)) == (0, {"a": "faster"})
    refused(place, place, says=["compared with itself", "--base-commit", LATER[:8]])
    refused(place, place, "--base-commit", LATER, says=["compared with itself"])


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
    refused(place, place, "--base-commit", COMMIT[:8], says=["several commits begin so"])


def test_each_machine_is_compared_at_its_own_newest_commit(check: Command, tmp_path: Path) -> None:
    """A machine that only one side has is named, and the others are compared."""
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
    assert found["notes"] == ["m3 is not compared: NEW has nothing of it there"]
    assert check(base, new, "--machine", "m1")["status"] == 0


def test_another_processor_is_another_machine(
    check: Command, refused: Command, tmp_path: Path
) -> None:
    """Nothing at all is compared, unless another machine is chosen; other changes are noted."""
    base = results(tmp_path / "base", STEADY, facts={"driver": "550"})
    results(base, STEADY, machine="m2")
    new = results(tmp_path / "new", STEADY, facts={"cpu": "D\x1b[2J"})
    results(new, STEADY, machine="m2", facts={"driver": "570"})
    refused(base, new, says=["m1 is another machine in NEW", "D\N{REPLACEMENT CHARACTER}[2J"])
    found = check(base, new, "--machine", "m2")
    assert found["notes"] == ["m2: driver was unknown, is 570"]
    refused(base, new, "--machine", "m4", says=["--machine m4", "has m1, m2"])
    refused(base, results(tmp_path / "x", STEADY, machine="m5"), says=["BASE has m1, m2", "m5"])


def test_merged_machines_keep_their_names(check: Command, merge: Command, tmp_path: Path) -> None:
    """Two of one name are two after a merge, and each is compared with itself."""
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
    """A packed file is as good as the folder it was made of."""
    base, packed = results(tmp_path / "base", STEADY), tmp_path / "m1.zip"
    wordpack("results", "pack", "--machine", "m1", "--results", base, "--output", packed)
    found = check(packed, results(tmp_path / "new", SLOWER, commit=LATER))
    assert verdicts(found) == {"a": "slower"}


def seconds(*samples: float) -> dict[str, Any]:
    return {"prepare": 0.5, "first": 1.0, "samples": list(samples)}


def test_race_files(check: Command, refused: Command, tmp_path: Path) -> None:
    """By the name that they are given; a single preparation and first call decide nothing."""
    base = race(tmp_path / "old.json", entry(seconds=seconds(*STEADY)))
    new = race(tmp_path / "new.json", entry(seconds=seconds(*SLOWER)))
    found = check(f"i7={base}", f"i7={new}")
    assert {line["series"]: line["verdict"] for line in found["lines"]} == {
        "search": "slower", "prepare": "undecided", "first call": "undecided",
    }  # fmt: skip
    assert check(f"i7={base}", f"i7={new}", "--series", "prepare")["status"] == 0
    refused(base, new, says=["BASE has old, NEW has new", "i7-2010=race.json"])
    refused(f"i7={base}", f"i7={base}", says=["compared with itself at a race of 2026-11-30"])
    refused(f"i7={base}", f"i7={new}", "--base-commit", COMMIT, says=["no such commit"])


def test_a_wrong_answer_in_a_race_fails(check: Command, tmp_path: Path) -> None:
    """Whatever it was before; an answer that may not be whole is undecided."""
    good, other = entry(seconds=seconds(*STEADY)), {"backend": "rarest_letter"}
    base = race(tmp_path / "old.json", good, good | other)
    new = race(tmp_path / "new.json", good | {"packings": 7}, good | other | {"verified": "valid"})
    found = check(f"i7={base}", f"i7={new}", "--series", "search")
    assert verdicts(found) == {"bitset_rows": "lost", "rarest_letter": "undecided"}
    third = race(tmp_path / "third.json", good | {"backend": "dancing_links"})
    found = check(f"i7={third}", f"i7={new}", "--series", "search")
    assert verdicts(found) == {
        "bitset_rows": "lost", "rarest_letter": "new", "dancing_links": "gone",
    }  # fmt: skip


def test_nothing_to_compare(refused: Command, tmp_path: Path) -> None:
    """All gone is no pass: another environment, other series, no time on one side, no results."""
    base = results(tmp_path / "base", STEADY)
    for name, given in (
        ("environment", {"env_name": "other"}),
        ("benchmark", {"benchmark": "start.Prepare.time_prepare"}),
    ):
        new = results(tmp_path / name, STEADY, **given)
        refused(base, new, says=["nothing to compare", "2 lines"])
    refused(base, tmp_path / "environment", says=["virtualenv-py3.11 in BASE, other in NEW"])
    refused(base, results(tmp_path / "none", NAN), says=["nothing to compare", "1 lines"])
    refused(base, tmp_path / "nowhere", says=["nowhere"])


def test_another_version_of_a_benchmark_is_undecided(check: Command, tmp_path: Path) -> None:
    """Each folder calls its own version the series: their times do not compare all the same."""
    base = results(tmp_path / "base", STEADY)
    found = check(base, results(tmp_path / "new", SLOWER, version="2"))
    assert verdicts(found) == {"a": "undecided"}


def test_options(check: Command, refused: Command, wordpack: Command, tmp_path: Path) -> None:
    """Threshold, p and series do what they say; nonsense is one line."""
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


HOSTILE = [NAN, None, float("inf"), -float("inf"), -1.0, 0.0, 1.7e308, [NAN], [0.0] * 7, []]


@pytest.mark.parametrize("cell", HOSTILE)
def test_values_from_anybody(check: Command, tmp_path: Path, cell: Any) -> None:
    """NaN, infinities and the largest numbers on either side: a verdict, and strict JSON."""
    cell = 1.0 if cell == [] else cell
    base = results(tmp_path / "base", cell, STEADY)
    new = results(tmp_path / "new", STEADY, STEADY)
    for one, two in ((base, new), (new, base)):
        assert verdicts(check(one, two))["b"] == "same"


def test_texts_from_anybody_obey_no_terminal(wordpack: Command, tmp_path: Path) -> None:
    """Names of benchmarks, environments and parameters are shown, harmless and cut."""
    bad = "x\x1b[2J\r\n[bold]" + "y" * 500
    for name, cell in (("base", STEADY), ("new", SLOWER)):
        place = results(tmp_path / name, cell, benchmark=bad)
        (file,) = (place / "m1").glob("0*.json")
        changed = json.loads(file.read_text()) | {"env_name": bad}
        changed["results"][bad][1] = [[bad], [bad]]
        file.write_text(json.dumps(changed))
    outcome = wordpack("report", "--check", tmp_path / "base", tmp_path / "new")
    assert outcome.status == 1
    assert all(line.isprintable() and len(line) <= 100 for line in outcome.out.splitlines()[:-3])
    assert "[bold]" in outcome.out


def test_nothing_is_written(check: Command, tmp_path: Path) -> None:
    base, new = results(tmp_path / "base", STEADY), results(tmp_path / "new", SLOWER)
    before = tree(tmp_path)
    check(base, new)
    assert tree(tmp_path) == before
