"""Addresses without a scheduler: the command ends with one line, whatever listens there."""

import asyncio
import logging
import socket
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest
from conftest import Command
from distributed.client import AllExit

from wordpack.cluster import connection
from wordpack.cluster.members import members
from wordpack.errors import InputError

pytestmark = pytest.mark.slow

HTTP = b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n"
"""A dashboard's answer; Dask reads its first 8 bytes as a length of 3 EiB."""


@contextmanager
def listening(says: bytes) -> Iterator[str]:
    """Give the address of a server that accepts connections and sends each of them `says`."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    held.append(server.accept()[0])
                except OSError:
                    return
                held[-1].sendall(says)

        threading.Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
        for each in held:
            each.close()


@pytest.mark.parametrize(
    ("says", "said"), [(b"", "says nothing"), (HTTP, "what listens there is not a Dask scheduler")]
)
def test_what_is_no_scheduler(monkeypatch: pytest.MonkeyPatch, says: bytes, said: str) -> None:
    """Silence and other protocols neither hang the client nor look like a lack of memory."""
    monkeypatch.setattr(connection, "TIMEOUT", 2.0)
    with (
        listening(says) as address,
        pytest.raises(InputError, match=rf"no scheduler answers at .* \(.*{said}"),
        connection.connected(address),
    ):
        pass


def test_what_dask_forgets_is_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    """Only asyncio's tracebacks of errors that Dask never retrieved are dropped."""
    with pytest.raises(InputError), connection.connected("abc://x:1"):
        pass
    for error in (AllExit(), RuntimeError("ours")):
        logging.getLogger("asyncio").error("never retrieved", exc_info=error)
    kinds = [record.exc_info[0] for record in caplog.records if record.exc_info]
    assert kinds == [RuntimeError]


def test_where_nothing_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed port is not reported as accepting connections."""
    monkeypatch.setattr(connection, "TIMEOUT", 1.0)
    with (
        pytest.raises(InputError, match=r"no scheduler answers at .* \(nothing listens there\)"),
        connection.connected("tcp://127.0.0.1:1"),
    ):
        pass


@pytest.mark.parametrize("address", ["ucx://127.0.0.1:1", "abc://x:1"])
def test_protocols_that_cannot_be_spoken(address: str) -> None:
    """A missing library or unknown protocol is one line, even inside a running event loop."""

    async def reach() -> None:
        with connection.connected(address):
            pass

    # in a thread, because the browser of other tests keeps an event loop in this one
    with (
        pytest.raises(InputError, match="no scheduler answers at"),
        ThreadPoolExecutor(1) as aside,
    ):
        aside.submit(asyncio.run, reach()).result()


@pytest.mark.parametrize("error", [TypeError("code() takes at most 16"), OSError("closed")])
def test_workers_that_cannot_be_asked(error: Exception) -> None:
    """Another Python rejects our functions; a lost connection is not reported as a full disk."""
    with pytest.raises(InputError, match="cannot say which wordpack they have"):
        members(Mock(run=Mock(side_effect=error)))


def test_without_dask_it_says_what_to_install(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gives one line, without an import's traceback."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    outcome = wordpack("solve", "toy", "--cluster", "local")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert outcome.err.startswith("wordpack: --cluster needs Dask distributed: pip install")


@pytest.mark.parametrize("folder", ["17", "1.5"])
def test_a_folder_of_dasks_that_is_a_number(
    wordpack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    """Dask turns DASK_TEMPORARY_DIRECTORY=17 into a number; it still names a folder."""
    import dask

    monkeypatch.chdir(tmp_path)
    with dask.config.set(dask.config.collect_env({"DASK_TEMPORARY_DIRECTORY": folder})):
        outcome = wordpack("solve", "toy", "--cluster", "local:1")
    assert outcome.status == 0, outcome.err
    assert [path.name for path in tmp_path.iterdir()] == [folder]
