"""Untrusted results: whatever a file contains, it is read correctly or refused in one line."""

import json
import os
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from handmade_results import COMMIT, FILE, FULL, PARAMS, document, folder, tree

Command = Callable[..., Any]


def change(path: Path, **values: object) -> None:
    """Change keys of a JSON file."""
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def broken(name: str, text: str | bytes) -> Callable[[Path], None]:
    """Return a function that replaces the content of one of the files."""

    def put(place: Path) -> None:
        raw = text if isinstance(text, bytes) else text.encode()
        (place / "m1" / name).write_bytes(raw)

    return put


def results(**values: object) -> Callable[[Path], None]:
    return lambda place: change(place / "m1" / FILE, **values)


HOSTILE: dict[str, Callable[[Path], None]] = {
    "truncated": broken(FILE, json.dumps(document("m1", FULL))[:-40]),
    "empty": broken(FILE, ""),
    "not text": broken(FILE, b"\xff\xfe\x00"),
    "a list": broken(FILE, "[]"),
    "a key twice": broken(FILE, '{"version": 2, "version": 2}'),
    "deep": broken(FILE, "[" * 100_000),
    "deep object": broken(FILE, '{"a":' * 50_000),
    "a little too deep": results(env_vars=json.loads("[" * 20 + "]" * 20)),
    "a long integer": broken(FILE, '{"version": 2, "date": ' + "9" * 5000 + "}"),
    "a long fraction": broken(FILE, '{"version": 2, "date": 0.' + "9" * 5000 + "}"),
    "too large": broken(FILE, b'"' + b"x" * (9 << 20) + b'"'),
    "another version": results(version=1),
    "no version": results(version=None),
    "of another machine": results(params={"machine": "m2"}),
    "no commit": results(commit_hash="../../x"),
    "another commit": results(commit_hash=COMMIT[::-1]),
    "a date too far": results(date=10**200),
    "missing columns": results(result_columns=["result"]),
    "columns twice": results(result_columns=["result", "params", "version", "version"]),
    "too few values": results(results={"a": [[1.0], PARAMS]}),
    "too many columns": results(results={"a": [None, PARAMS, *range(9)]}),
    "text for a number": results(results={"a": [["1", 2, 3, 4], PARAMS]}),
    "true for a date": results(date=True),
    "true for a number": results(results={"a": [[True, 2, 3, 4], PARAMS]}),
    "parameters that multiply": results(results={"a": [None, [["x"] * 1000] * 1000]}),
    "more choices than a page has lines": results(results={"a": [None, [["x"] * 400] * 2]}),
    "an environment too long for a line": results(env_name="x" * 2001),
    "a benchmark too long for a line": results(results={"x" * 2001: [[1.0], []]}),
    "a parameter too long for a line": results(results={"a": [[1.0], [["x" * 2001]]]}),
    "parameters too long for a line": results(results={"a": [[1.0], [["x" * 1001]] * 2]}),
    "more parameters than a line has": results(results={"a": [[1.0], [["x"]] * 21]}),
    "a unit too long for a line": lambda place: change(
        place / "benchmarks.json", a={"params": [], "unit": "x" * 2001}
    ),
    "parameters' names too long": lambda place: change(
        place / "benchmarks.json", a={"params": [["x"]] * 2, "param_names": ["x" * 1001] * 2}
    ),
    "parameters that are no text": results(results={"a": [None, [[1]]]}),
    "no results": results(results=7),
    "a machine's number": lambda place: change(place / "m1" / "machine.json", ram=16),
    "a machine of another name": lambda place: change(
        place / "m1" / "machine.json", machine="../x"
    ),
    "no machine": lambda place: (place / "m1" / "machine.json").unlink(),
    "a benchmark of text": lambda place: change(place / "benchmarks.json", a="b"),
    "a foreign file": broken("0123-x.json", "{}"),
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_bad_file_is_one_line_and_nothing_is_written(
    merge: Command, tmp_path: Path, kind: str, packed: bool
) -> None:
    """Status 2 as a folder or packed; a good source given with it is not merged in part."""
    sent = source = folder(tmp_path / "sent")
    HOSTILE[kind](sent)
    if packed:
        source = tmp_path / "sent.zip"
        with zipfile.ZipFile(source, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, raw in tree(sent).items():
                archive.writestr(name, raw)
    outcome = merge(folder(tmp_path / "good", "m9"), source)
    assert outcome.status == 2
    assert outcome.err.count("\n") == 1
    assert len(outcome.err) < 600
    assert not (tmp_path / "into").exists()


NAMES = [
    *("../m1/machine.json", "/etc/passwd", "m1/../../machine.json", "m1/m2/machine.json"),
    *("m1\\..\\x.json", "m1/", "m1/\x1b[2J.json", "m1/" + "x" * 300 + ".json", "..", "m1/x.txt"),
]


@pytest.mark.parametrize("name", NAMES)
def test_names_in_a_packed_file_lead_nowhere(merge: Command, tmp_path: Path, name: str) -> None:
    """No path in it is used: a name that is not a machine's file is refused and shown safely."""
    packed = tmp_path / "sent.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for good, raw in tree(folder(tmp_path / "sent")).items():
            archive.writestr(good, raw)
        archive.writestr(name, b"{}")
    before = tree(tmp_path)
    outcome = merge(packed)
    assert outcome.status == 2
    assert outcome.err.isprintable() or outcome.err.rstrip("\n").isprintable()
    assert tree(tmp_path) == before


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_packed_files_that_are_none(merge: Command, tmp_path: Path) -> None:
    """Not a zip, truncated, a duplicate file, a link, a bomb, another compression, odd names."""
    packed = tmp_path / "sent.zip"
    good = tree(folder(tmp_path / "sent"))

    def made(extra: dict[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> None:
        with zipfile.ZipFile(packed, "w", method) as archive:
            for each in (good, extra):
                for name, raw in each.items():
                    archive.writestr(name, raw, method)

    def refused() -> None:
        outcome = merge(packed)
        assert (outcome.status, outcome.err.count("\n")) == (2, 1)
        assert not (tmp_path / "into").exists()

    refused()
    packed.write_bytes(b"PK")
    refused()
    made({})
    packed.write_bytes(packed.read_bytes()[:-30])
    refused()
    made({"m1/machine.json": good["m1/machine.json"]})
    refused()
    link = zipfile.ZipInfo(f"m1/{FILE.replace('3.11', '3.12')}")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    made({link: b"/etc/passwd"})
    refused()
    made({f"m1/{FILE.replace('3.11', '3.12')}": b" " * (1 << 28)})
    refused()
    made({}, zipfile.ZIP_LZMA)
    refused()
    made({"m1/é.json": b"{}"})
    packed.write_bytes(packed.read_bytes().replace("é".encode(), b"\xff\xfe"))
    refused()
    made({})
    raw = bytearray(packed.read_bytes())
    raw[60:90] = bytes(30)
    packed.write_bytes(raw)
    refused()


def test_links_in_folders_are_not_followed(merge: Command, tmp_path: Path) -> None:
    """A link in a source is skipped; nothing is written through a link in the target."""
    other = folder(tmp_path / "other", "m7")
    sent = folder(tmp_path / "sent")
    (sent / "m7").symlink_to(other / "m7")
    (sent / "m1" / FILE.replace("3.11", "3.12")).symlink_to("/etc/passwd")
    os.mkfifo(sent / "m1" / FILE.replace("3.11", "3.13"))
    into = tmp_path / "into"
    into.mkdir()
    (into / "m1").symlink_to(other / "m7")
    before = tree(other)
    assert merge(sent).status == 0
    assert tree(other) == before
    assert {path.name for path in into.iterdir()} == {"m1", "m1-2", "benchmarks.json"}


def test_names_that_no_file_can_have(wordpack: Command, tmp_path: Path) -> None:
    """A path too long for the system gives one line in each option; a loop of links is replaced."""
    long, page = "x" * 300, tmp_path / "page.html"
    (tmp_path / "loop.html").symlink_to("loop.html")
    good = folder(tmp_path / "good")
    for arguments in (
        ("report", long, "--output", page),
        ("report", f"m={long}", "--output", page),
        ("report", good, "--output", f"{long}.html"),
        ("report", "--check", long, good),
        ("results", "merge", long, "--results", tmp_path / "into"),
        ("results", "merge", good, "--results", tmp_path / long),
        ("results", "pack", "--machine", "m1", "--output", "x", "--results", long),
        ("solve", "toy", "--intersect", long),
    ):
        outcome = wordpack(*arguments)
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1), arguments
    assert wordpack("report", good, "--output", tmp_path / "loop.html").status == 0


def test_no_error_tells_the_terminal_anything(wordpack: Command, tmp_path: Path) -> None:
    """A name from a file is quoted on one line, shortened, without control characters."""
    name = "\x1b[2J\r\u202e" + "x" * 9999
    sent = folder(tmp_path / "sent", results={name: [[1.0, 2.0], [], "1"]})
    outcome = wordpack("report", sent, "--output", tmp_path / "page.html")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert outcome.err.rstrip("\n").isprintable()
    assert len(outcome.err) < 600
    with zipfile.ZipFile(tmp_path / "sent.zip", "w") as archive:
        archive.writestr("m1/" + "y" * 200 + ".json", b"{}")
    packed = (tmp_path / "sent.zip").read_bytes()
    # the name before the content differs from the name in the directory at the end
    (tmp_path / "sent.zip").write_bytes(packed.replace(b"m1/yyy", b"m1/\x1b[2", 1))
    outcome = wordpack("report", tmp_path / "sent.zip", "--output", tmp_path / "page.html")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert outcome.err.rstrip("\n").isprintable()


def test_a_baseline_where_nothing_has_a_backend(wordpack: Command, tmp_path: Path) -> None:
    """There is no name to suggest, but it is still one line."""
    sent = folder(tmp_path / "sent", results={"track": [[1.0], []]})
    page = ("--output", tmp_path / "page.html", "--baseline", "x")
    outcome = wordpack("report", sent, *page)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "not in the results" in outcome.err


def test_a_page_of_more_lines_than_it_could_show(wordpack: Command, tmp_path: Path) -> None:
    """A few kilobytes can ask for a million lines: the limit is 100,000 over all files."""
    choices = [[f"'{place}'" for place in range(300)]] * 2
    asked = {name: [None, choices] for name in ("a", "b")}
    sent = folder(tmp_path / "sent", results=asked)
    outcome = wordpack("report", sent, "--output", tmp_path / "page.html")
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "100,000 lines" in outcome.err


def test_a_benchmark_called_version(wordpack: Command, tmp_path: Path) -> None:
    """The list of benchmarks has a number under that name, which does not describe a series."""
    sent = folder(tmp_path / "sent", results={"version": [[1.0], []]})
    page = tmp_path / "page.html"
    assert wordpack("report", sent, "--output", page).status == 0
    (line,) = json.loads(page.with_suffix(".json").read_text())["lines"]
    assert line["series"] == "version"
