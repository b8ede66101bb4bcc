"""Workers, client and scheduler are killed during runs; nothing is lost or repeated."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Command
from distributed import Client
from shell import refused, run

from clusters import Cluster, cluster, end, started, wait_until
from wordpack.cluster import running
from wordpack.cluster.connection import connected
from wordpack.cluster.running import Task
from wordpack.errors import InputError, WrongAnswer

pytestmark = pytest.mark.slow

LONG = ("solve", "4x5", "--count-only", "--slices", "60")
"""Some seconds of work."""

FOUND = "26133319 packings, 56692666 solutions\n"


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Cluster]:
    """Give a scheduler with two workers."""
    folder = tmp_path / "cluster"
    folder.mkdir()
    with cluster(folder) as made:
        yield made


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Give a scheduler with two workers that no test kills."""
    with cluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


def tasks(many: int) -> list[Task]:
    return [Task(number, f"task {number} of the test", 1.0) for number in range(many)]


def noting(folder: Path, seconds: float = 0.0, poison: int | None = None, how: str = "") -> Any:
    """Return a job whose tasks leave a file per try; task `poison` fails."""

    class Noting:
        """Sent to workers by value, because they cannot import tests."""

        def perform(self, number: int) -> dict[str, Any]:
            import os
            import time
            from pathlib import Path

            (Path(folder) / f"{number}-{os.getpid()}-{time.monotonic_ns()}").touch()
            time.sleep(seconds)
            if number == poison:
                if how == "exit":
                    os._exit(3)
                if how == "wrong":
                    from wordpack.errors import WrongAnswer

                    raise WrongAnswer("a packing uses a letter twice")
                raise RuntimeError("there is no such word")
            return {"square": number * number}

    return Noting()


def tries(folder: Path, number: int) -> int:
    return len(list(folder.glob(f"{number}-*")))


def test_the_tasks_of_a_lost_worker_are_run_by_others(two: Cluster, tmp_path: Path) -> None:
    """Every task returns once, though a worker is killed while it runs some."""
    notes = tmp_path / "notes"
    notes.mkdir()
    found: dict[int, int] = {}
    with connected(two.address) as client:
        for task, record in running.run(client, noting(notes, 0.1), tasks(40)):
            assert task.number not in found
            found[task.number] = record["square"]
            if len(found) == 5:
                two.kill("w1")
    assert found == {number: number * number for number in range(40)}


def test_a_lost_worker_that_held_the_job_is_no_loss(two: Cluster, tmp_path: Path) -> None:
    """All workers are killed and others start: the data that tasks need is made again."""
    notes = tmp_path / "notes"
    notes.mkdir()
    found = 0
    with connected(two.address) as client:
        for _ in running.run(client, noting(notes, 0.05), tasks(30)):
            found += 1
            if found == 5:
                two.kill("w1")
                two.kill("w2")
                two.add("w3")
    assert found == 30


def test_a_worker_that_comes_later_takes_tasks(two: Cluster, tmp_path: Path) -> None:
    """Tasks are not all handed out at the start: a third worker soon gets some."""
    workers = set()
    added = False
    with connected(two.address) as client:
        for _, record in running.run(client, noting(tmp_path, 0.1), tasks(2000)):
            workers.add(record["worker"])
            if len(workers) == 3:
                return
            if not added:
                two.add("w3")
                added = True
    raise AssertionError("it had none")


def test_a_slow_worker_does_not_keep_the_others_waiting(two: Cluster, tmp_path: Path) -> None:
    """A worker that stalls for a while keeps a task or two, and the others do the rest."""
    many: dict[str, int] = {}
    slow = two.workers["w1"].pid
    with connected(two.address) as client:
        for _, record in running.run(client, noting(tmp_path, 0.05), tasks(60)):
            many[record["worker"]] = many.get(record["worker"], 0) + 1
            done = sum(many.values())
            if done == 10:
                os.killpg(slow, signal.SIGSTOP)
            if done == 50:
                os.killpg(slow, signal.SIGCONT)
    assert sum(many.values()) == 60
    assert min(many.values()) < 20


def test_a_task_that_raises_fails_after_three_tries(pair: Cluster, tmp_path: Path) -> None:
    """The error names the task, how often it was tried, and why it failed."""
    job = noting(tmp_path, poison=4)
    with (
        connected(pair.address) as client,
        pytest.raises(
            InputError, match=r"task 4 of the test failed 3 times: there is no such word"
        ),
    ):
        list(running.run(client, job, tasks(8)))
    assert tries(tmp_path, 4) == 3


def test_a_task_that_ends_its_workers_is_given_up(two: Cluster, tmp_path: Path) -> None:
    """A task that kills whoever runs it does not kill the whole cluster."""
    two.kill("w1")
    two.kill("w2")
    for i in range(3, 7):
        # as many workers as Dask lets one task kill; a nanny would restart them
        two.add(f"w{i}")
    job = noting(tmp_path, poison=0, how="exit")
    with (
        connected(two.address) as client,
        pytest.raises(InputError, match=r"task 0 of the test failed: 4 workers ended while"),
    ):
        list(running.run(client, job, tasks(1)))
    assert tries(tmp_path, 0) == 4


def test_a_wrong_answer_is_one(pair: Cluster, tmp_path: Path) -> None:
    """A packing that a worker's verifier rejects is a wrong answer, not a failed task."""
    job = noting(tmp_path, poison=2, how="wrong")
    with (
        connected(pair.address) as client,
        pytest.raises(WrongAnswer, match="task 2 of the test: a packing uses a letter twice"),
    ):
        list(running.run(client, job, tasks(4)))


def test_workers_that_are_gone_for_good_end_the_run(
    two: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any worker the run waits for a while, then fails with a message."""
    monkeypatch.setattr(running, "PATIENCE", 3.0)
    with connected(two.address) as client:
        running_still = running.run(client, noting(tmp_path, 0.1), tasks(60))
        next(running_still)
        two.kill("w1")
        two.kill("w2")
        with pytest.raises(InputError, match="all workers have been gone"):
            list(running_still)


def test_a_scheduler_that_stands_still_ends_the_run(
    two: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client does not wait indefinitely for a stopped scheduler."""
    monkeypatch.setattr(running, "PATIENCE", 3.0)
    with connected(two.address) as client:
        running_still = running.run(client, noting(tmp_path, 0.1), tasks(60))
        next(running_still)
        os.killpg(two.scheduler.pid, signal.SIGSTOP)
        try:
            with pytest.raises(InputError, match="the scheduler has not answered for 3 s"):
                list(running_still)
        finally:
            os.killpg(two.scheduler.pid, signal.SIGCONT)


def test_a_scheduler_that_is_gone_before_anything_is_sent(two: Cluster, tmp_path: Path) -> None:
    """The error says that the scheduler is gone."""
    with connected(two.address) as client:
        end(two.scheduler)
        with pytest.raises(InputError, match="the scheduler is gone"):
            list(running.run(client, noting(tmp_path), tasks(3)))


def test_a_folder_that_is_removed_meanwhile_is_missed(two: Cluster, tmp_path: Path) -> None:
    """No work goes into a deleted folder, and nothing is reported as kept."""
    folder = tmp_path / "run"
    process = started([*LONG, "--cluster", two.address, "--checkpoint", str(folder)])
    wait_for_slices(folder, 3)
    shutil.rmtree(folder)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (2, "")
    assert f"{folder} was removed during the run" in err
    assert "are kept" not in err


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("__version__ = '0.0.9'", "has wordpack 0.0.9, and this is"),
        ("raise ImportError('no numpy here')", "has wordpack none (no numpy here), and this is"),
    ],
)
def test_a_worker_of_another_version_is_refused(
    two: Cluster, wordpack: Command, tmp_path: Path, module: str, said: str
) -> None:
    """A worker with another version of the package runs nothing."""
    package = tmp_path / "other" / "wordpack"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(module)
    two.add("w3", PYTHONPATH=str(package.parent), PYTHONSAFEPATH="1")
    outcome = wordpack("solve", "toy", "--cluster", two.address)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert said in outcome.err
    assert "install the same version there" in outcome.err


def wait_for_slices(folder: Path, many: int) -> None:
    done = folder / "done.jsonl"
    wait_until(
        lambda: done.exists() and done.read_text().count("\n") >= many, f"{many} slices are done"
    )


def records(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "done.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def resumed(two: Cluster, folder: Path, *more: str) -> dict[str, Any]:
    """Resume a run, and return its answer."""
    process = started(
        [
            *LONG[:3],
            *more,
            "--cluster",
            two.address,
            "--checkpoint",
            str(folder),
            "--resume",
            "--format",
            "json",
        ]
    )
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    answer: dict[str, Any] = json.loads(out)
    return answer


def right(answer: dict[str, Any], folder: Path, before: int) -> None:
    """Check a resumed run's answer, and that it ran only the unfinished slices."""
    assert (answer["packings"], answer["solutions"]) == (26_133_319, 56_692_666)
    assert answer["verified"] == "expected"
    assert answer["cluster"]["resumed"] >= before
    assert answer["seconds"]["search"] is None
    assert len({record["task"] for record in records(folder)}) == len(records(folder))


def test_a_killed_client_is_gone_on_with(two: Cluster, tmp_path: Path) -> None:
    """`kill -9` of the client loses no finished slice, and the cluster drops the queued ones."""
    folder = tmp_path / "run"
    process = started([*LONG, "--cluster", two.address, "--checkpoint", str(folder)])
    wait_for_slices(folder, 5)
    end(process)
    with Client(two.address, set_as_default=False) as client:
        wait_until(
            lambda: not client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)),
            "the cluster has nothing left to do",
        )
    right(resumed(two, folder), folder, 5)


def test_ctrl_c_cancels_what_is_queued(two: Cluster, tmp_path: Path) -> None:
    """Ctrl-C ends the client with 130, says what is kept, and leaves the cluster idle."""
    folder = tmp_path / "run"
    process = started([*LONG, "--cluster", two.address, "--checkpoint", str(folder)])
    wait_for_slices(folder, 3)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "wordpack: interrupted"
    assert "slices are kept in" in err.splitlines()[0]
    assert len(err.splitlines()) == 2, err
    with Client(two.address, set_as_default=False) as client:
        wait_until(
            lambda: not client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)),
            "the cluster has nothing left to do",
        )
    right(resumed(two, folder), folder, 3)


EARLY = """
import threading, time
from wordpack.cluster.connection import connected

if __name__ == "__main__":
    with connected("ADDRESS") as client:
        def interrupted(self, timeout):
            threading.Event.wait = wait
            raise KeyboardInterrupt

        wait, threading.Event.wait = threading.Event.wait, interrupted
        client.loop.add_callback(time.sleep, 0.3)  # so that the call begins after the interrupt
        try:
            client.sync(client.scheduler.identity)
        except KeyboardInterrupt:
            print("interrupted")
"""


def test_ctrl_c_as_a_call_begins_prints_nothing_of_dasks(pair: Cluster) -> None:
    """Dask fails to cancel a call that has not begun yet: no traceback is printed."""
    script = [sys.executable, "-c", EARLY.replace("ADDRESS", pair.address)]
    ended = subprocess.run(script, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (0, "interrupted\n")
    assert "Traceback" not in ended.stderr, ended.stderr


def test_ctrl_c_ends_workers_of_this_machine_too(tmp_path: Path) -> None:
    """A terminal's Ctrl-C reaches local workers too: they print nothing, and none is left."""
    folder = tmp_path / "run"
    process = started([*LONG, "--cluster", "local:2", "--checkpoint", str(folder)])
    wait_for_slices(folder, 3)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert len(err.splitlines()) == 2, err
    wait_until(lambda: not living(process.pid), "all processes of the group are gone")


def living(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_killed_scheduler_is_said_in_a_line(two: Cluster, tmp_path: Path) -> None:
    """`kill -9` of the scheduler ends the client with one line; another cluster can resume."""
    folder = tmp_path / "run"
    process = started([*LONG, "--cluster", two.address, "--checkpoint", str(folder)])
    wait_for_slices(folder, 3)
    end(two.scheduler)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (2, ""), err
    assert "the scheduler is gone" in err.splitlines()[-1]
    assert len(err.splitlines()) == 2, err
    another = tmp_path / "another"
    another.mkdir()
    with cluster(another, 1) as made:
        right(resumed(made, folder), folder, 3)


def test_a_killed_worker_leaves_no_half_part(two: Cluster, tmp_path: Path) -> None:
    """A worker killed while it writes packings leaves nothing that a resumed run uses."""
    folder = tmp_path / "run"
    listing = ["solve", "wrong-wordle", "--slices", "60", "--parts", "--format", "json"]
    process = started([*listing, "--cluster", two.address, "--checkpoint", str(folder)])
    wait_for_slices(folder, 3)
    two.kill("w1")
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    answer = json.loads(out)
    assert (answer["packings"], answer["verified"]) == (565_783, "expected")


def test_a_run_of_something_else_is_refused(
    pair: Cluster, wordpack: Command, tmp_path: Path
) -> None:
    """A folder is resumed only with the same words, problem, plan, kind of answer and version."""
    folder = tmp_path / "run"
    first = ("solve", "parker", "--cluster", pair.address, "--checkpoint", folder)
    assert wordpack(*first, "--slices", 6).status == 0
    again = wordpack(*first)
    assert "already holds a run: continue it with --resume" in again.err
    others = {
        ("solve", "wordle"): "its words differ",
        ("solve", "parker", "--count-only"): "it keeps counts and this run lists packings",
        ("solve", "parker", "--slices", 9): "it was cut into",
        ("solve", "4x5"): "its problem differs",
    }
    for asked, said in others.items():
        outcome = wordpack(*asked, *first[2:], "--resume")
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert said in outcome.err
    run_file = folder / "run.json"
    values = json.loads(run_file.read_text())
    run_file.write_text(json.dumps(values | {"wordpack": "0.0.9"}))
    assert "it was started by wordpack 0.0.9" in wordpack(*first, "--resume").err
    run_file.write_text(json.dumps(values | {"plan": "0" * 64}))
    assert "its tasks were cut differently" in wordpack(*first, "--resume").err
    run_file.write_text("{")
    assert "is not a wordpack run" in wordpack(*first, "--resume").err
    run_file.write_text(json.dumps(values))
    assert wordpack(*first, "--resume").status == 0


def test_what_was_being_written_is_run_again(
    pair: Cluster, wordpack: Command, tmp_path: Path
) -> None:
    """A truncated line or a missing, truncated or changed part does not count as finished."""
    folder = tmp_path / "run"
    first = ("solve", "parker", "--cluster", pair.address, "--checkpoint", folder)
    expected = wordpack(*first, "--slices", 12).out
    parts = sorted(folder.glob("part-*.npy"))
    assert len(parts) > 3
    parts[0].unlink()
    parts[1].write_bytes(parts[1].read_bytes()[:-4])
    changed = bytearray(parts[2].read_bytes())
    changed[-1] ^= 1
    parts[2].write_bytes(changed)
    done = folder / "done.jsonl"
    names = {part.name for part in parts[:3]}
    # the last line may belong to a changed part
    *others, _ = records(folder)
    kept = [each for each in others if not names & {file["name"] for file in each["files"]}]
    done.write_text(done.read_text()[:-9])
    outcome = wordpack(*first, "--resume")
    assert (outcome.status, outcome.out) == (0, expected)
    assert f"{len(kept)} were kept from an earlier run" in outcome.err


def test_one_process_at_a_time_has_a_folder(pair: Cluster, tmp_path: Path) -> None:
    """A second run in the same folder is refused while the first one runs."""
    folder = tmp_path / "run"
    process = started([*LONG, "--cluster", pair.address, "--checkpoint", str(folder)])
    wait_for_slices(folder, 1)
    os.killpg(process.pid, signal.SIGSTOP)
    line = f"wordpack {' '.join(LONG)} --cluster {pair.address} --checkpoint {folder} --resume"
    refused(run(line), "another process is using")
    os.killpg(process.pid, signal.SIGCONT)
    process.communicate(timeout=300)
    assert process.returncode == 0


def test_a_folder_with_other_things_is_left_alone(
    pair: Cluster, wordpack: Command, tmp_path: Path
) -> None:
    """A folder with other contents, or a file in its place, is refused and left unchanged."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    first = ("solve", "toy", "--cluster", pair.address, "--checkpoint")
    for resume in ((), ("--resume",)):
        outcome = wordpack(*first, tmp_path / "mine", *resume)
        assert (outcome.status, "is not empty" in outcome.err) == (2, True)
    for place in (tmp_path / "mine" / "thesis.txt", "x" * 300):
        for resume in ((), ("--resume",)):
            outcome = wordpack(*first, place, *resume)
            assert (outcome.status, outcome.err.count("\n")) == (2, 1)
            assert "cannot write to" in outcome.err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_temporary_folders_are_gone(
    pair: Cluster, wordpack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a checkpoint no files are left, whether the run succeeds or not."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    assert wordpack("solve", "parker", "--cluster", pair.address).status == 0
    assert not list(scratch.iterdir())


def test_a_worker_of_little_memory_is_enough(
    two: Cluster, wordpack: Command, tmp_path: Path
) -> None:
    """A slice's packings exceed its worker's spare memory, and still get through."""
    due = json.loads(wordpack("solve", "4x5@wordle", "--count-only", "--format", "json").out)
    assert due["verified"] == "agreed"
    two.kill("w1")
    two.kill("w2")
    two.add("w3", "--nanny", "--memory-limit", "400MB")
    folder = tmp_path / "run"
    process = started(
        [
            *("solve", "4x5@wordle", "--slices", "2", "--parts", "--format", "json"),
            *("--cluster", two.address, "--checkpoint", str(folder)),
        ]
    )
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    answer = json.loads(out)
    assert (answer["packings"], answer["solutions"]) == (due["packings"], due["solutions"])
    assert sum(path.stat().st_size for path in folder.glob("part-*")) > 200_000_000


def test_a_worker_that_comes_later_with_another_version_is_refused(
    pair: Cluster, tmp_path: Path
) -> None:
    """A run never mixes versions: a task on another version's worker fails and says so."""
    with connected(pair.address) as client:
        sent = client.submit(running._perform, 1, job=noting(tmp_path), version="0.0.9", pure=False)
        with pytest.raises(InputError, match="install the same version there"):
            sent.result()
