"""`wordpack sweep --cluster`: the rows of one process, in tasks worth sending."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import Command

from clusters import local
from wordpack.cluster import sweeping
from wordpack.cluster.connection import connected
from wordpack.cluster.sharing import Sharing
from wordpack.cluster.sweeping import SweepJob, grouped, sweep_on
from wordpack.errors import InputError
from wordpack.solving.sample import Sample
from wordpack.solving.spec import Source
from wordpack.solving.sweep import Axes, laid_out
from wordpack.solving.sweep_counting import sweep

pytestmark = pytest.mark.slow

ARGUMENTS = ("sweep", "5x5", "3x5", "--list", "toy", "--list", "wordle-answers", "--without-each",
             "--sample", "0.3", "--sample", "20", "--seeds", "2")  # fmt: skip


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start a scheduler and two worker processes."""
    with local() as made:
        yield made


def timeless(rows: str) -> list[dict[str, str]]:
    """Return the rows of a CSV without their times."""
    return [row | {"seconds": ""} for row in csv.DictReader(io.StringIO(rows))]


@pytest.mark.parametrize("tasks", [1, 2, 7, 50, 1000])
def test_groups_are_all_points_in_order(tasks: int) -> None:
    """At most that many groups, none empty; equal points give equal groups, give or take one."""
    costs = [1.0] * 300
    bounds = grouped(costs, tasks)
    sizes = [last - first for first, last in pairwise(bounds)]
    assert (bounds[0], bounds[-1]) == (0, 300)
    assert len(sizes) == min(tasks, 300)
    assert max(sizes) - min(sizes) <= 1


def test_one_dear_point_is_not_grouped_with_many() -> None:
    """Cheap points around an expensive one stay grouped, and no group costs more than it must."""
    costs = [0.01] * 100 + [10.0] + [0.01] * 100
    bounds = grouped(costs, 12)
    totals = [sum(costs[a:b]) for a, b in pairwise(bounds)]
    assert max(totals) < 10 + 12 / 12
    assert len(totals) >= 3


def test_rows_are_those_of_one_process(wordpack: Command, address: str, tmp_path: Path) -> None:
    """432 points in 5 tasks; all columns but the last are the same, byte for byte."""
    alone = wordpack(*ARGUMENTS)
    target = tmp_path / "sweep.csv"
    shared = wordpack(*ARGUMENTS, "--cluster", address, "--slices", "5", "--output", target)
    assert (shared.status, shared.out) == (0, "")
    assert timeless(target.read_text()) == timeless(alone.out)
    assert len(timeless(alone.out)) == 2 * 2 * 27 * 2 * 2
    assert "432 points on cluster, 2 workers, 2 tasks at once, in 5 tasks (" in shared.err


def test_files_need_not_be_seen_by_workers(address: str, tmp_path: Path) -> None:
    """Nothing sent names a path: the file is deleted before the first task runs."""
    file = tmp_path / "words.txt"
    file.write_text("abc\ndef\nghi\ncba\n")
    axes = Axes(((3, 3),), (Source(str(file), False),))
    layout = laid_out(axes)
    file.unlink()
    found = SweepJob(layout, (0, 1)).layout.problem(layout.points[0])
    assert found.groups[0].words == 4
    with connected(address) as client:
        [row] = sweeping._sweep(client, layout, Sharing()).rows
    assert (row["packings"], row["solutions"], row["list"]) == (1, 2, str(file))


def test_a_run_goes_on_with_what_is_kept(wordpack: Command, address: str, tmp_path: Path) -> None:
    """Finished tasks are not run again, so even their times stay the same."""
    folder = tmp_path / "run"
    shared = (*ARGUMENTS, "--cluster", address, "--checkpoint", folder)
    first = wordpack(*shared, "--slices", "9")
    assert sorted(path.name for path in folder.iterdir()) == ["done.jsonl", "lock", "run.json"]
    lines = (folder / "done.jsonl").read_text().splitlines()
    assert len(lines) == 9
    whole = wordpack(*shared, "--resume")
    assert (whole.status, whole.out) == (0, first.out)
    (folder / "done.jsonl").write_text("\n".join(lines[:4]) + "\n" + lines[4][:30])
    some = wordpack(*shared, "--resume")
    assert timeless(some.out) == timeless(first.out)
    assert "in 9 tasks, 4 of them kept from an earlier run" in some.err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (["--seeds", "9"], "its points differ"),
        (["--list", "wordle"], "its points differ"),
        (["--letters", "abcdefghijklmnopqrstuvwxyzæ"], "its points differ"),
        (["--slices", "3"], "it was cut into 4 tasks, not 3"),
    ],
)
def test_the_folder_of_another_sweep_is_refused(
    wordpack: Command, address: str, tmp_path: Path, change: list[str], said: str
) -> None:
    """One line says what differs, and the folder is left unchanged."""
    folder = tmp_path / "run"
    shared = ("sweep", "2x5", "--list", "toy", "--sample", "20", "--seeds", "8")
    cluster = ("--cluster", address, "--checkpoint", folder)
    assert wordpack(*shared, *cluster, "--slices", "4").status == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    status, out, err = wordpack(*shared, *change, *cluster, "--resume")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
    status, out, err = wordpack(*shared, *cluster)
    assert status == 2
    assert "already holds a run" in err
    games = wordpack("play", "--all", *cluster, "--resume")
    assert "another kind of work (sweep, not play)" in games.err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_killed_client_loses_nothing_that_was_finished(address: str, tmp_path: Path) -> None:
    """After kill -9 in the middle, --resume counts the rest; the rows are those of one process."""
    folder = tmp_path / "run"
    sizes = ("--list", "wordle", "--sample", "0.5", "--seeds", "120")
    command = [sys.executable, "-m", "wordpack", "sweep", "5x5", *sizes]
    shared = [*command, "--cluster", address, "--checkpoint", str(folder), "--slices", "60"]
    journal = folder / "done.jsonl"
    with subprocess.Popen(shared, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as client:
        while client.poll() is None and not (journal.exists() and journal.stat().st_size):
            time.sleep(0.01)
        client.send_signal(signal.SIGKILL)
    assert client.returncode == -signal.SIGKILL
    assert 0 < len(journal.read_text().splitlines()) < 60
    done = subprocess.run([*shared, "--resume"], capture_output=True, text=True, check=True)
    assert "of them kept from an earlier run" in done.stderr
    axes = Axes(((5, 5),), (Source("wordle"),), samples=(Sample("0.5"),), seeds=120)
    alone = [{**row, "seconds": ""} for row in sweep(axes)]
    assert timeless(done.stdout) == [
        {name: "" if value is None else str(value) for name, value in row.items()} for row in alone
    ]


def test_ctrl_c_says_what_is_kept_and_no_more(tmp_path: Path) -> None:
    """The terminal sends it to the workers too, but they ignore it and the client stops them."""
    folder = tmp_path / "run"
    command = [
        *(sys.executable, "-m", "wordpack", "sweep", "5x5", "--sample", "0.9", "--seeds", "2000"),
        *("--cluster", "local:1", "--checkpoint", str(folder), "--slices", "200"),
    ]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    journal = folder / "done.jsonl"
    with subprocess.Popen(command, text=True, start_new_session=True, **pipes) as client:
        while client.poll() is None and not (journal.exists() and journal.stat().st_size):
            time.sleep(0.01)
        os.killpg(client.pid, signal.SIGINT)
        out, err = client.communicate()
    assert (client.returncode, out) == (130, "")
    kept, interrupted = err.splitlines()
    assert f"of 200 groups of points are kept in {folder}: continue with --resume" in kept
    assert interrupted == "wordpack: interrupted"


def test_a_failing_point_is_named(address: str) -> None:
    """The task fails three times in a worker; the error names the task and the point."""
    layout = laid_out(Axes(((2, 5),), (Source("toy"),), samples=(Sample("9"),), seeds=5))

    class Failing(SweepJob):
        def perform(self, number: int) -> Any:
            if number == 3:
                raise InputError(f"{self.layout.said(self.layout.points[3])}: not this one")
            return super().perform(number)

    with pytest.MonkeyPatch.context() as patch, connected(address) as client:
        patch.setattr(sweeping, "SweepJob", Failing)
        with pytest.raises(InputError, match=r"group 3 of 1 point \(2x5@toy, sample 9, seed 3\)"):
            sweeping._sweep(client, layout, Sharing(slices=5))


def test_small_results(address: str, tmp_path: Path) -> None:
    """A point takes about 200 bytes in the folder, as part of a line."""
    axes = Axes(((3, 5),), (Source("toy"),), samples=(Sample("30"),), seeds=200)
    folder = tmp_path / "run"
    swept = sweep_on(address, axes, Sharing(folder=str(folder)))
    assert len(swept.rows) == 200
    assert swept.tasks <= 16
    assert (folder / "done.jsonl").stat().st_size < 200 * 250
    assert json.loads((folder / "run.json").read_text())["kind"] == "sweep"
