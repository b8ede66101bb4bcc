"""`wordpack report --check BASE NEW`: what fails, what passes, and how it is shown."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from handmade_results import (
    COMMIT,
    LATER,
    NAN,
    SLOWER,
    STEADY,
    entry,
    race,
    results,
    tree,
)

Command = Callable[..., Any]


def verdicts(found: Any) -> dict[str, str]:
    return {line["backend"]: line["verdict"] for line in found["lines"]}


def test_two_folders(check: Command, tmp_path: Path) -> None:
    """A regression gives exit status 1, with both medians, their ratio, p, and the files."""
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
    """Faster, new and missing lines are not failures."""
    base = results(tmp_path / "base", SLOWER, STEADY, NAN, STEADY)
    found = check(base, results(tmp_path / "new", STEADY, STEADY, STEADY))
    assert found["status"] == 0
    assert verdicts(found) == {"a": "faster", "b": "same", "c": "new", "d": "gone"}


def test_what_fails_now_is_lost(check: Command, tmp_path: Path) -> None:
    """Null, infinity or NaN now fails if there was a time before, and only then."""
    base = results(tmp_path / "base", STEADY, STEADY, None, STEADY)
    new = results(tmp_path / "new", None, float("inf"), None, NAN)
    found = check(base, new)
    assert verdicts(found) == {"a": "lost", "b": "lost", "c": "n/a", "d": "lost"}
    assert found["status"] == 1


def test_what_cannot_be_decided_is_shown(check: Command, wordpack: Command, tmp_path: Path) -> None:
    """One run on each side proves nothing: exit status 0, a row, and a count in the last line."""
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
    """An unchanged line is only counted; noise beyond the threshold has its own count."""
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


def seconds(*samples: float) -> dict[str, Any]:
    return {"prepare": 0.5, "first": 1.0, "samples": list(samples)}


def test_race_files(check: Command, refused: Command, tmp_path: Path) -> None:
    """They are compared under their given name; one preparation or first call is undecided."""
    base = race(tmp_path / "old.json", entry(seconds=seconds(*STEADY)))
    new = race(tmp_path / "new.json", entry(seconds=seconds(*SLOWER)))
    found = check(f"i7={base}", f"i7={new}")
    assert {line["series"]: line["verdict"] for line in found["lines"]} == {
        "search": "slower", "cold prepare": "undecided", "cold first call": "undecided",
    }  # fmt: skip
    assert check(f"i7={base}", f"i7={new}", "--series", "cold prepare")["status"] == 0
    refused(base, new, says=["BASE has old, NEW has new", "i7-2010=race.json"])
    refused(f"i7={base}", f"i7={base}", says=["compared with itself at a race of 2026-11-30"])
    refused(f"i7={base}", f"i7={new}", "--base-commit", COMMIT, says=["no such commit"])


def test_a_wrong_answer_in_a_race_fails(check: Command, tmp_path: Path) -> None:
    """It fails whatever it was before; an answer that may be incomplete is undecided."""
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


def test_another_version_of_a_benchmark_is_undecided(check: Command, tmp_path: Path) -> None:
    """Both folders use the same series name, but times of two versions do not compare."""
    base = results(tmp_path / "base", STEADY)
    found = check(base, results(tmp_path / "new", SLOWER, version="2"))
    assert verdicts(found) == {"a": "undecided"}


HOSTILE = [NAN, None, float("inf"), -float("inf"), -1.0, 0.0, 1.7e308, [NAN], [0.0] * 7, []]


@pytest.mark.parametrize("cell", HOSTILE)
def test_values_from_anybody(check: Command, tmp_path: Path, cell: Any) -> None:
    """NaN, infinities and the largest numbers on either side give a verdict and strict JSON."""
    cell = 1.0 if cell == [] else cell
    base = results(tmp_path / "base", cell, STEADY)
    new = results(tmp_path / "new", STEADY, STEADY)
    for one, two in ((base, new), (new, base)):
        assert verdicts(check(one, two))["b"] == "same"


def test_texts_from_anybody_obey_no_terminal(wordpack: Command, tmp_path: Path) -> None:
    """Names of benchmarks, environments and parameters are escaped and shortened."""
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
