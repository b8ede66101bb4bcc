"""What client and workers exchange: large jobs, and answers of lost workers."""

import os
import warnings
from pathlib import Path
from time import sleep
from typing import Any
from unittest.mock import Mock

import pytest
from distributed.comm import CommClosedError

from clusters import cluster, wait_until
from wordpack.cluster import running
from wordpack.cluster.connection import connected
from wordpack.cluster.running import Task
from wordpack.errors import InputError

pytestmark = pytest.mark.slow


def squares(size: int = 0) -> Any:
    """Return a job of this many bytes, sent by value because workers cannot import tests."""

    class Squares:
        def __init__(self) -> None:
            self.load = os.urandom(size)

        def perform(self, number: int) -> dict[str, Any]:
            return {"square": number * number}

    return Squares()


def test_nothing_is_said_of_a_large_job(tmp_path: Path) -> None:
    """A sweep over many lists exceeds the 10 MB above which Dask warns."""
    with (
        cluster(tmp_path, 1) as made,
        connected(made.address) as client,
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error")
        assert len(list(running.run(client, squares(12_000_000), [Task(0, "task 0", 1.0)]))) == 1


def test_results_that_went_with_the_last_worker_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results lost while the client was busy are computed again by another worker."""
    monkeypatch.setattr(running, "PATIENCE", 3.0)
    tasks = [Task(number, f"task {number}", 1.0) for number in range(4)]
    with cluster(tmp_path, 1) as made, connected(made.address) as client:
        found = running.run(client, squares(), tasks)
        next(found)
        sleep(1.0)  # the others are finished, and their answers lie with the worker
        made.kill("w1")
        wait_until(lambda: made.known() == 0, "the worker is known to be gone")
        with pytest.raises(InputError, match="all workers have been gone"):
            next(found)


def test_a_line_that_closes_while_an_answer_comes_is_no_fault_of_the_slice() -> None:
    """The client may not know yet that its scheduler is gone."""
    client, future = Mock(status="running"), Mock(status="finished")
    future.result.side_effect = CommClosedError("Stream is closed")
    with pytest.raises(InputError, match="the scheduler is gone"):
        running._answer(client, future, running.Task(11, "slice 11", 1.0))
    future.status = "error"
    with pytest.raises(InputError, match="slice 11 failed 3 times"):
        running._answer(client, future, running.Task(11, "slice 11", 1.0))
