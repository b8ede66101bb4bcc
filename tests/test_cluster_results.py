"""What workers have found and not handed over yet, when they are lost."""

from pathlib import Path
from time import sleep
from typing import Any

import pytest

from clusters import cluster, wait_until
from wordpack.cluster import running
from wordpack.cluster.connection import connected
from wordpack.cluster.running import Task
from wordpack.errors import InputError


def squares() -> Any:
    """Return a job that is sent to workers as it is, since they cannot import tests."""

    class Squares:
        def perform(self, number: int) -> dict[str, Any]:
            return {"square": number * number}

    return Squares()


def test_results_that_went_with_the_last_worker_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the client was busy; with another worker they are found again."""
    monkeypatch.setattr(running, "PATIENCE", 3.0)
    tasks = [Task(number, f"task {number}", 1.0) for number in range(4)]
    with cluster(tmp_path, 1) as made, connected(made.address) as client:
        found = running.run(client, squares(), tasks)
        next(found)
        sleep(1.0)  # the others are finished, and their answers lie with the worker
        made.kill("w1")
        wait_until(lambda: made.known() == 0, "the worker is known to be gone")
        with pytest.raises(InputError, match="all workers are gone"):
            next(found)
