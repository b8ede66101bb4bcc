"""Clusters over a network: separate hosts, and connections that are slow, silent or reset."""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple

import pytest
from conftest import Command
from hosts import Hosts, hosts
from howto import at_work, ran
from lines import Line, line

from clusters import Cluster, end, started, wait_until

pytestmark = pytest.mark.slow

DELAY = 0.05
"""Seconds of delay from one end of a connection to the other."""

SILENCE = float(os.environ.get("WORDPACK_SILENCE", "3"))
"""Seconds for which a connection is cut; 30 is for a long test."""

WORK = ("solve", "4x5", "--count-only", "--slices", "60")

FOUND = "26133319 packings, 56692666 solutions\n"
"""Counted in one process, by two algorithms."""


class Far(NamedTuple):
    """A cluster behind proxied connections."""

    client: Line
    """From clients to the scheduler."""
    worker: Line
    """From the worker to the scheduler."""


@pytest.fixture
def far(tmp_path: Path) -> Iterator[Far]:
    """Give a scheduler and a worker, each behind a slow connection."""
    folder = tmp_path / "cluster"
    folder.mkdir()
    made = Cluster(folder)
    with ExitStack() as stack:
        stack.callback(made.close)
        host = made.address.removeprefix("tcp://")
        lines = Far(*(stack.enter_context(line(host, DELAY)) for _ in range(2)))
        made.address = f"tcp://{lines.worker.address}"
        made.add("w1")
        yield lines


def at_slice(folder: Path, arguments: tuple[str, ...]) -> Any:
    """Start the work; return its process once three slices are kept."""
    process = started([*arguments, "--checkpoint", str(folder)])
    wait_for_slices(folder)
    return process


def wait_for_slices(folder: Path) -> None:
    done = folder / "done.jsonl"
    wait_until(lambda: done.exists() and done.read_text().count("\n") >= 3, "slices are kept")


def test_a_line_that_is_cut_for_a_while(far: Far, tmp_path: Path) -> None:
    """Both connections go silent during the run, and the answer is right."""
    process = at_slice(tmp_path / "run", (*WORK, "--cluster", f"tcp://{far.client.address}"))
    try:
        for each in far:
            each.cut()
        sleep(0.5)  # what was handed over before arrives
        carried = [each.carried for each in far]
        sleep(SILENCE)
        assert [each.carried for each in far] == carried, "a line that is cut carries nothing"
        assert process.poll() is None
        for each in far:
            each.mend()
        out, err = process.communicate(timeout=300)
    finally:
        end(process)
    assert (process.returncode, out) == (0, FOUND), err
    assert all(each.carried > before for each, before in zip(far, carried, strict=True))
    kept = [json.loads(row)["task"] for row in (tmp_path / "run/done.jsonl").open()]
    assert len(kept) == len(set(kept)), "no slice is kept twice"


def test_a_line_that_is_reset(far: Far, wordpack: Command, tmp_path: Path) -> None:
    """One line says what is gone, one what is kept, and --resume gives the right answer."""
    asked = (*WORK, "--cluster", f"tcp://{far.client.address}")
    process = at_slice(tmp_path / "run", asked)
    try:
        far.client.reset()
        out, err = process.communicate(timeout=300)
    finally:
        end(process)
    assert (process.returncode, out) == (2, ""), err
    kept, gone = err.splitlines()
    assert "continue with --resume" in kept
    assert "the scheduler is gone" in gone
    resumed = wordpack(*asked, "--checkpoint", tmp_path / "run", "--resume")
    assert (resumed.status, resumed.out) == (0, FOUND)


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Hosts, Path]]:
    """Give three hosts set up as in docs/cluster.md, and the client's folder."""
    folder = tmp_path_factory.mktemp("apart")
    with hosts("scheduler", "worker", "client") as made:
        assert ran("make", folder).returncode == 0
        with (
            at_work("scheduler", folder, "Scheduler at:", host=made.enter("scheduler")),
            at_work("worker", folder, "Registered to:", host=made.enter("worker")),
        ):
            yield made, folder


def test_hosts_of_their_own(apart: tuple[Hosts, Path]) -> None:
    """Scheduler, worker and client on three hosts find parker's 538 packings over TLS."""
    made, folder = apart
    assert "tls://10.0.0.2:" in (folder / "worker.log").read_text()
    done = ran("client", folder, host=made.enter("client"))
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 831
    assert "538 packings, 831 solutions (as expected: the counts and the digest" in done.stderr


@pytest.mark.parametrize("name", ["client", "worker"])
def test_a_cable_that_is_pulled_for_a_while(
    apart: tuple[Hosts, Path], tmp_path: Path, name: str
) -> None:
    """The answer is right, or the errors say what is gone and kept, and --resume finishes it."""
    made, folder = apart
    tls = ("--tls-ca", "ca.pem", "--tls-cert", "client.pem", "--tls-key", "client-key.pem")
    kept = ("--checkpoint", str(tmp_path / "run"))
    asked = [*WORK, "--cluster", "tls://10.0.0.1:8786", *tls, *kept]
    enter = made.enter("client")
    process = started(asked, enter=enter, folder=folder)
    try:
        wait_for_slices(tmp_path / "run")
        made.cable(name, "down")
        sleep(SILENCE)
        made.cable(name, "up")
        out, err = process.communicate(timeout=300)
    finally:
        end(process)
    assert "Traceback" not in err
    if process.returncode:
        assert (process.returncode, out) == (2, "")
        told, missing = err.splitlines()
        assert "continue with --resume" in told
        assert missing.startswith("wordpack: ")
        # Dask ends a worker that has lost its scheduler for half a minute
        with at_work("worker", folder, "Registered to:", host=made.enter("worker")):
            again = started([*asked, "--resume"], enter=enter, folder=folder)
            out, err = again.communicate(timeout=300)
    assert out == FOUND, err
