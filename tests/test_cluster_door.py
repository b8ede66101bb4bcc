"""A local cluster is closed: a stranger on this machine gets nothing from any port of a command."""

import asyncio
import http.client
import json
import pickle
import signal
import ssl
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from conftest import Command
from distributed.core import rpc
from distributed.security import Security

from clusters import end, started, wait_until

COMMANDS = {
    "solve": ("solve", "6x4"),
    "sweep": ("sweep", "4x5", "--sample", "0.9", "--seeds", "60"),
    "play": ("play", "--list", "words_alpha", "--starts", "wordle"),
}
"""Each takes minutes, and is ended as soon as its ports were tried."""

PAGES = ("/", "/status", "/health", "/metrics", "/info/main/workers.html", "/json/counts.json")

LIMIT = 5.0
"""Seconds after which a port that says nothing is not going to."""


def tree(pid: int) -> list[psutil.Process]:
    whole = psutil.Process(pid)
    return [whole, *whole.children(recursive=True)]


def listening(pid: int) -> list[tuple[str, int]]:
    """Return what the kernel says: host and port on which a process or a descendant listens."""
    found = [each for process in tree(pid) for each in process.net_connections("inet")]
    return sorted({(*each.laddr,) for each in found if each.status == psutil.CONN_LISTEN})


@pytest.fixture(params=COMMANDS)
def ports(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[tuple[str, int]]]:
    """Give the ports of a command while it is at work on a local cluster."""
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


def stranger(own: Security | None) -> dict[str, object]:
    """Return how to connect: with a certificate of one's own or none, and any server is trusted."""
    arguments = (own or Security()).get_connection_args("client")
    if own is not None:
        arguments["ssl_context"].verify_mode = ssl.CERT_NONE
    return arguments


async def answered(
    address: str, connection: dict[str, object], handler: str, arguments: dict[str, bytes]
) -> bool:
    """Return whether one of Dask's handlers answers a stranger."""
    remote = rpc(address, connection_args=connection, timeout=LIMIT)
    try:
        await asyncio.wait_for(getattr(remote, handler)(**arguments), LIMIT)
    except (OSError, TimeoutError, AttributeError, ValueError):
        return False
    else:
        return True
    finally:
        await remote.close_rpc()


async def served(ports: list[tuple[str, int]], marker: Path) -> list[tuple[str, str]]:
    """Return which handlers answer where; those that run code would write `marker`."""
    code, empty = pickle.dumps(marker.touch), {"args": pickle.dumps(()), "kwargs": pickle.dumps({})}
    handlers = {
        "run": {"function": code},
        "run_function": {"function": code} | empty,
        "identity": {},
        "versions": {},
    }
    foreign = Security.temporary()
    tried = [
        (f"{scheme}://{host}:{port}", handler, stranger(own))
        for host, port in ports
        for scheme, own in (("tcp", None), ("tls", foreign))
        for handler in handlers
    ]
    found = await asyncio.gather(
        *(answered(address, how, name, handlers[name]) for address, name, how in tried)
    )
    return [(address, name) for (address, name, _), yes in zip(tried, found, strict=True) if yes]


def pages(place: tuple[str, int]) -> list[str]:
    """Return which pages a port serves over HTTP."""
    found = []
    for page in (*PAGES, "/sitemap.json"):
        line = http.client.HTTPConnection(*place, timeout=LIMIT)
        try:
            line.request("GET", page)
            answer = line.getresponse()
            body = answer.read()
        except (OSError, http.client.HTTPException):
            continue
        finally:
            line.close()
        # Dask's own list of pages, which must name no other
        empty = page == "/sitemap.json" and json.loads(body) == {"paths": [page]}
        if answer.status != http.client.NOT_FOUND and not empty:
            found.append(f"{page} at {place}: {answer.status}")
    return found


def test_a_stranger_gets_nothing(ports: list[tuple[str, int]], tmp_path: Path) -> None:
    """Neither tcp, nor TLS with another certificate, nor HTTP: nothing runs, nothing is told."""
    assert len(ports) >= 3, "a scheduler, a nanny and a worker listen"
    assert {host for host, _ in ports} == {"127.0.0.1"}
    marker = tmp_path / "marker"
    assert asyncio.run(served(ports, marker)) == []
    assert not marker.exists(), "a stranger's function ran"
    with ThreadPoolExecutor(len(ports)) as threads:
        assert [page for found in threads.map(pages, ports) for page in found] == []


def test_without_cryptography_nothing_is_started(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says what to install; there is no way round by tcp."""
    monkeypatch.setitem(sys.modules, "cryptography", None)
    monkeypatch.setattr("distributed.LocalCluster", lambda **_: pytest.fail("it is started"))
    for command in (("solve", "toy"), ("sweep", "5x5"), ("play", "--all")):
        outcome = wordpack(*command, "--cluster", "local:1")
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
        assert "pip install 'wordpack[dask]'" in outcome.err
