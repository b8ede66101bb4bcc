"""After kill -9 at a random moment, each command leaves whole files, old or new, never half.

A process runs the command over and over, each time with other results, and is killed after a
random part of a second. Set WORDPACK_KILLS for more kills than the default dozen.
"""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from shell import run

from handmade_results import FILE, FULL, document, entry, folder, race, row, tree
from wordpack.system import leftovers

pytestmark = pytest.mark.slow

Command = Callable[..., Any]

KILLS = int(os.environ.get("WORDPACK_KILLS", "12"))

OVER_AND_OVER = """
import io, itertools, os, shutil, sys
from contextlib import redirect_stdout
from wordpack.commands.main import main

def run(number):
    with redirect_stdout(io.StringIO()):
        assert main([each.replace("NUMBER", str(number)) for each in sys.argv[2:]]) == 0
    if sys.argv[1]:
        # at once, as a kill in the middle of it would be no fault of the command's
        gone = sys.argv[1] + ".gone"
        shutil.rmtree(gone, ignore_errors=True)
        os.rename(sys.argv[1], gone)

run(0)
print("ready", flush=True)
for line in sys.stdin:
    process = os.fork()
    if process == 0:
        for number in itertools.count(int(line)):
            run(number)
    print(process, flush=True)
    os.waitpid(process, 0)
    print("gone", flush=True)
"""
"""Runs a command once; then for each line in a process that runs it until it is killed."""

Kill = Callable[[int], None]


@contextmanager
def killer(*command: str, home: Path, removed: str = "") -> Iterator[Kill]:
    """Return a function that runs a command over and over from a number on, and kills it.

    A folder is removed after each run.
    """
    random = Random(8)  # noqa: S311  no secret
    with subprocess.Popen(
        [sys.executable, "-c", OVER_AND_OVER, removed, *command],
        env=os.environ | {"HOME": str(home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        to, said = process.stdin, process.stdout
        assert said.readline() == "ready\n"

        def kill(number: int) -> None:
            to.write(f"{number}\n")
            to.flush()
            pid = int(said.readline())
            time.sleep(random.uniform(0, 0.3))
            os.kill(pid, signal.SIGKILL)
            assert said.readline() == "gone\n"

        yield kill
        to.close()


def unfinished(place: Path) -> list[Path]:
    """Return the unfinished files, made old enough for the next run to remove them."""
    left = list(place.rglob(".*.part"))
    for path in left:
        old = time.time() - 10 * leftovers.FRESH
        os.utime(path, (old, old))
    return left


def test_a_report_is_of_one_run_or_its_figures_are_newer_than_its_page(tmp_path: Path) -> None:
    """Each of the three files is whole, and the page changes last."""
    results = Path(race(tmp_path / "race.json", entry()))
    page, table, figures = (tmp_path / f"report.{kind}" for kind in ("html", "csv", "json"))
    command = ("report", f"nNUMBER={results}", "--output", str(page))
    number = 0
    with killer(*command, home=tmp_path) as kill:
        for _ in range(KILLS):
            kill(number + 1)
            text = page.read_text()
            assert text.endswith("</html>")
            *_, last = csv.DictReader(table.read_text().splitlines())
            texts = last["machine"], json.loads(figures.read_text())["command"], text
            # the first such name on the page is in the command that made it
            csv_, json_, html = (int(re.findall(r"\bn(\d+)\b", each)[0]) for each in texts)
            assert csv_ >= json_ >= html >= csv_ - 1
            number = csv_
            unfinished(tmp_path)
    assert run(f"wordpack report m1={results} --output {page}").returncode == 0
    assert set(tmp_path.iterdir()) == {results, page, table, figures}


def test_packing_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    """The next run removes the files left next to it."""
    sent, packed = folder(tmp_path / "sent"), tmp_path / "m1.zip"
    command = ["results", "pack", "--machine", "m1", "--results", str(sent), "--output"]
    with killer(*command, str(packed), home=tmp_path) as kill:
        for number in range(KILLS):
            kill(number)
            with zipfile.ZipFile(packed) as content:
                assert content.testzip() is None
                assert len(content.namelist()) == 3
            unfinished(tmp_path)
    assert run(f"wordpack {' '.join(command)} {packed}").returncode == 0
    assert set(tmp_path.iterdir()) == {sent, packed}


def test_merging_once_more_completes_what_was_killed(wordpack: Command, tmp_path: Path) -> None:
    """After a kill there are only whole files of the source; merging again adds the rest."""
    sent, into = folder(tmp_path / "sent"), tmp_path / "into"
    for number in range(20):
        commit = f"{number:08x}" + "0" * 32
        name = FILE.replace(FILE.partition("-")[0], commit[:8])
        content = document("m1", {"search.time": row(*[float(number)] * 4)})
        (sent / "m1" / name).write_text(json.dumps(content | {"commit_hash": commit}))
    command = ("results", "merge", str(sent), "--results", str(into))
    assert wordpack(*command).status == 0
    due, partial = tree(into), 0
    shutil.rmtree(into)
    with killer(*command, home=tmp_path, removed=str(into)) as kill:
        for number in range(KILLS):
            kill(number)
            partial += len(tree(into)) < len(due)
            whole = {name: raw for name, raw in tree(into).items() if not name.endswith(".part")}
            assert whole.items() <= due.items()
            assert wordpack(*command).status == 0
            left = {str(path.relative_to(into)) for path in unfinished(into)}
            assert tree(into).keys() - left == due.keys()
            shutil.rmtree(into)
    assert partial


def test_the_machines_file_keeps_its_other_machines(tmp_path: Path) -> None:
    """They are kept whenever the command that adds a machine is killed."""
    file = tmp_path / ".asv-machine.json"
    other = {"machine": "other", "cpu": "C"}
    file.write_text(json.dumps({"other": other, "version": 1}))
    with killer("machine", "--name", "nNUMBER", home=tmp_path) as kill:
        for number in range(KILLS):
            kill(number + 1)
            found = json.loads(file.read_text())
            assert found["other"] == other
            assert "n0" in found
            unfinished(tmp_path)
    assert run("wordpack machine --name last", HOME=str(tmp_path)).returncode == 0
    assert not list(tmp_path.glob(".*.part"))


@pytest.mark.parametrize("name", [f"m1/{FILE}", "m1/machine.json", "benchmarks.json"])
def test_a_file_that_asv_was_writing_is_named(wordpack: Command, tmp_path: Path, name: str) -> None:
    """One line names a file that asv, which writes in place, left unfinished; nothing changes."""
    results = folder(tmp_path / "results")
    whole = (results / name).read_bytes()
    for cut in range(0, len(whole), max(len(whole) // KILLS, 1)):
        (results / name).write_bytes(whole[:cut])
        before = tree(results)
        status, out, err = wordpack("report", results, "--output", tmp_path / "report.html")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert name in err
        assert "remove the file" in err
        assert tree(results) == before
        assert not (tmp_path / "report.html").exists()
    (results / name).write_bytes(whole)
    assert wordpack("report", results, "--output", tmp_path / "report.html").status == 0


def test_a_machines_empty_folder_is_its_own(wordpack: Command, tmp_path: Path) -> None:
    """A merge leaves such a folder if it is killed, or cannot write into it."""
    sent, into = folder(tmp_path / "sent"), tmp_path / "into"
    (into / "m1").mkdir(parents=True)
    (into / "m1" / ".machine.json.1.part").write_text("{")
    outcome = wordpack("results", "merge", sent, "--results", into)
    assert (outcome.status, "called" in outcome.out) == (0, False)
    assert FULL.keys() == json.loads((into / "m1" / FILE).read_text())["results"].keys()
