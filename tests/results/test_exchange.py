"""Exchanging results: pack and merge never lose a row."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from handmade_results import FILE, FULL, NAN, PARAMS, document, folder, row, rows, same, tree

Command = Callable[..., Any]


def test_what_is_packed_arrives(wordpack: Command, merge: Command, tmp_path: Path) -> None:
    """One file has all results of a machine, is reproducible, and merges without losing a value."""
    sent, packed = folder(tmp_path / "sent"), tmp_path / "m1.zip"
    arguments = ("--machine", "m1", "--results", sent)
    assert wordpack("results", "pack", *arguments, "--output", packed).status == 0
    content = packed.read_bytes()
    assert wordpack("results", "pack", *arguments, "--output", packed).status == 0
    assert packed.read_bytes() == content
    assert merge(packed).status == 0
    into = tmp_path / "into"
    assert set(tree(into)) == set(tree(sent))
    for name, raw in tree(into).items():
        assert same(json.loads(raw), json.loads((sent / name).read_bytes()))


def test_merging_twice_changes_nothing(merge: Command, tmp_path: Path) -> None:
    """Neither the bytes nor the timestamps of any file change."""
    sent = folder(tmp_path / "sent")
    (sent / "m2").mkdir()
    (sent / "m2" / "machine.json").write_text('{"machine": "m2", "cpu": "D", "version": 1}')
    merge(sent)
    into = tmp_path / "into"
    before = tree(into), [path.stat().st_mtime_ns for path in sorted(into.rglob("*"))]
    assert merge(sent, sent).status == 0
    assert (tree(into), [path.stat().st_mtime_ns for path in sorted(into.rglob("*"))]) == before


def test_no_row_is_lost(merge: Command, tmp_path: Path) -> None:
    """Existing values stay; missing or n/a values are filled, with their statistics."""
    folder(
        tmp_path / "into",
        results={"search.time": row(1.0, None, NAN, NAN), "old.time": row(1.0, 1.0, 1.0, 1.0)},
        benchmarks=("search.time", "old.time"),
    )
    sent = folder(
        tmp_path / "sent",
        results={"search.time": row(9.0, 2.0, 3.0, None), "new.time": row(5.0, 5.0, 5.0, 5.0)},
        benchmarks=("search.time", "new.time"),
    )
    assert merge(sent).status == 0
    found = rows(tmp_path / "into")
    assert set(found) == {"search.time", "old.time", "new.time"}
    assert same(found["search.time"], row(1.0, 2.0, 3.0, NAN))
    assert same(found["old.time"], row(1.0, 1.0, 1.0, 1.0))
    listed = json.loads((tmp_path / "into" / "benchmarks.json").read_text())
    assert set(listed) == {"search.time", "old.time", "new.time", "version"}


def test_a_failure_there_is_filled(merge: Command, tmp_path: Path) -> None:
    """If every value failed, asv stores one null and leaves out trailing columns."""
    folder(tmp_path / "into", results={"search.time": [None, PARAMS, "1", 7]})
    assert merge(folder(tmp_path / "sent")).status == 0
    found = rows(tmp_path / "into")["search.time"]
    assert same(found[0], [1.0, 2.0, None, None])
    merge(folder(tmp_path / "failed", results={"search.time": [None, PARAMS, "1", 7]}))
    assert same(rows(tmp_path / "into")["search.time"], found)


@pytest.mark.parametrize("change", [{"version": "2"}, {}])
def test_another_benchmark_of_the_same_name(
    merge: Command, tmp_path: Path, change: dict[str, str]
) -> None:
    """Nothing is filled if version or parameters differ: the values would not compare."""
    theirs = row(9.0, 9.0, 9.0, 9.0, **change)
    if not change:
        theirs[1] = [["'a'", "'c'"], ["'x'", "'y'"]]
    folder(tmp_path / "into")
    before = tree(tmp_path / "into")
    assert merge(folder(tmp_path / "sent", results={"search.time": theirs})).status == 0
    assert tree(tmp_path / "into") == before


def test_two_machines_of_one_name(merge: Command, tmp_path: Path) -> None:
    """A different processor gets its own name, the same each time and in all its files."""
    one, two = folder(tmp_path / "one"), folder(tmp_path / "two", cpu="D")
    three = folder(tmp_path / "three", cpu="E")
    merge(one)
    outcome = merge(two)
    assert "m1 is called m1-2 here" in outcome.out
    merge(three, two, one)
    into = tmp_path / "into"
    assert {path.name for path in into.iterdir()} == {"m1", "m1-2", "m1-3", "benchmarks.json"}
    for name, cpu in (("m1", "C"), ("m1-2", "D"), ("m1-3", "E")):
        entry = json.loads((into / name / "machine.json").read_text())
        assert (entry["machine"], entry["cpu"]) == (name, cpu)
        assert json.loads((into / name / FILE).read_text())["params"]["machine"] == name


def test_names_that_meet(merge: Command, tmp_path: Path) -> None:
    """A new name is never given twice, and differs by more than case, which a Mac ignores."""
    folder(tmp_path / "into", cpu="Y")
    sent = folder(tmp_path / "sent", cpu="X")
    folder(sent, "m1-2", cpu="Y")
    folder(sent, "M1", cpu="Y")
    for _ in range(2):
        assert merge(sent).status == 0
    into = tmp_path / "into"
    names = sorted(path.name.lower() for path in into.iterdir() if path.is_dir())
    assert len(set(names)) == len(names) == 4
    cpus = sorted(json.loads(each.read_text())["cpu"] for each in into.glob("*/machine.json"))
    assert cpus == ["X", "Y", "Y", "Y"]


def test_a_machines_own_folder_is_a_source(merge: Command, tmp_path: Path) -> None:
    assert merge(folder(tmp_path / "sent") / "m1").status == 0
    assert same(rows(tmp_path / "into"), FULL)


def test_what_cannot_be_packed(wordpack: Command, tmp_path: Path) -> None:
    """A missing machine, a folder without results, a path that cannot be written."""
    sent, output = folder(tmp_path / "sent"), tmp_path / "x.zip"
    for machine, place, where in (
        ("m2", sent, output),
        ("m1", tmp_path / "none", output),
        ("m1", sent, tmp_path / "none" / "x.zip"),
    ):
        given = ("--machine", machine, "--results", place, "--output", where)
        outcome = wordpack("results", "pack", *given)
        assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert not output.exists()


def test_asv_reads_what_was_merged(merge: Command, tmp_path: Path) -> None:
    """Under the machine's name in that folder."""
    from asv.results import Results

    merge(folder(tmp_path / "one"))
    merge(folder(tmp_path / "two", cpu="D"))
    found = Results.load(str(tmp_path / "into" / "m1-2" / FILE), machine_name="m1-2")
    values = found.get_result_value("search.time", PARAMS)
    assert same(values, [1.0, 2.0, NAN, None])


def test_columns_of_one_value_are_not_taken_for_lists(merge: Command, tmp_path: Path) -> None:
    """A started_at with one value per result, which asv never writes, is not used for filling."""
    mine, theirs = row(1.0, 2.0, 3.0, None), row(1.0, 2.0, 3.0, 4.0)
    mine[3], theirs[3] = [7], [1, 2, 3, 4]
    folder(tmp_path / "into", results={"search.time": mine})
    assert merge(folder(tmp_path / "sent", results={"search.time": theirs})).status == 0
    found = rows(tmp_path / "into")["search.time"]
    assert (found[0], found[3]) == ([1.0, 2.0, 3.0, 4.0], [7])


def test_links_among_the_results_are_not_written_through(merge: Command, tmp_path: Path) -> None:
    """A linked file is not read, so its rows would be lost: nothing is merged."""
    into = folder(tmp_path / "into", results={"old.time": row(1.0, 1.0, 1.0, 1.0)})
    real = tmp_path / "real.json"
    (into / "m1" / FILE).rename(real)
    (into / "m1" / FILE).symlink_to(real)
    before = real.read_bytes()
    outcome = merge(folder(tmp_path / "sent"))
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "is a link" in outcome.err
    assert real.read_bytes() == before


def test_what_could_not_be_read_again_is_not_merged(merge: Command, tmp_path: Path) -> None:
    """Escaping makes a file larger: one that is too large would break every later merge."""
    into = folder(tmp_path / "into", "m0")
    before = tree(into)
    large = document("m1", FULL) | {"env_vars": {"x": "é" * 3_000_000}}
    sent = folder(tmp_path / "sent")
    (sent / "m1" / FILE).write_text(json.dumps(large, ensure_ascii=False), encoding="utf-8")
    outcome = merge(sent)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "read again" in outcome.err
    assert tree(into) == before
    assert merge(folder(tmp_path / "good", "m2")).status == 0
