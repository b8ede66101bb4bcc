"""A local cluster is closed: other users of this machine get nothing from its ports."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from conftest import Command
from strangers import LIMIT, get_nothing, listening, tree

from clusters import end, started, wait_until

pytestmark = pytest.mark.slow

COMMANDS = {
    "solve": ("solve", "6x4"),
    "sweep": ("sweep", "4x5", "--sample", "0.9", "--seeds", "60"),
    "play": ("play", "--list", "words_alpha", "--starts", "wordle"),
}
"""Each command takes minutes, and is ended once its ports have been tried."""


@pytest.fixture(params=COMMANDS)
def ports(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[tuple[str, int]]]:
    """Give the ports of a command while it runs on a local cluster."""
    folder = tmp_path / "run"
    arguments = (*COMMANDS[request.param], "--cluster", "local:1", "--checkpoint", str(folder))
    process = started([*arguments, "--slices", "400"])
    try:
        done = folder / "done.jsonl"
        wait_until(lambda: done.exists() and done.stat().st_size, "a worker is at work")
        yield listening(process.pid)
        assert process.poll() is None, "it had ended before its ports were tried"
    finally:
        processes = tree(process.pid)
        end(process, signal.SIGINT)
        assert not psutil.wait_procs(processes, LIMIT)[1], "a process is left"


def test_a_stranger_gets_nothing(ports: list[tuple[str, int]], tmp_path: Path) -> None:
    """Over tcp, HTTP, or TLS with another certificate no code runs and nothing is disclosed."""
    assert len(ports) >= 3, "a scheduler, a nanny and a worker listen"
    assert {host for host, _ in ports} == {"127.0.0.1"}
    get_nothing(ports, tmp_path / "marker")


def test_without_cryptography_nothing_is_started(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says what to install; the cluster never falls back to tcp."""
    monkeypatch.setitem(sys.modules, "cryptography", None)
    monkeypatch.setattr("distributed.LocalCluster", lambda **_: pytest.fail("it is started"))
    for command in (("solve", "toy"), ("sweep", "5x5"), ("play", "--all")):
        outcome = wordpack(*command, "--cluster", "local:1")
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert "pip install 'wordpack[dask]'" in outcome.err
