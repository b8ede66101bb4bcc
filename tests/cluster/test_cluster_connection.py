"""Addresses behind which there is no scheduler: one line and an end, whatever is there instead."""

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
"""What a dashboard may say; its first 8 bytes are the number of 3 EiB that follow."""


@contextmanager
def listening(says: bytes) -> Iterator[str]:
    """Give the address of something that accepts connections, and says this to each."""
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
    """Neither silence nor another protocol is waited for, or taken for a want of memory."""
    monkeypatch.setattr(connection, "TIMEOUT", 2.0)
    with (
        listening(says) as address,
        pytest.raises(InputError, match=rf"no scheduler answers at .* \(.*{said}"),
        connection.connected(address),
    ):
        pass


def test_what_dask_forgets_is_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    """A traceback of asyncio's for an error that Dask never looked at is dropped, no other."""
    with pytest.raises(InputError), connection.connected("abc://x:1"):
        pass
    for error in (AllExit(), RuntimeError("ours")):
        logging.getLogger("asyncio").error("never retrieved", exc_info=error)
    kinds = [record.exc_info[0] for record in caplog.records if record.exc_info]
    assert kinds == [RuntimeError]


def test_where_nothing_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port that is closed is not said to accept connections."""
    monkeypatch.setattr(connection, "TIMEOUT", 1.0)
    with (
        pytest.raises(InputError, match=r"no scheduler answers at .* \(nothing listens there\)"),
        connection.connected("tcp://127.0.0.1:1"),
    ):
        pass


@pytest.mark.parametrize("address", ["ucx://127.0.0.1:1", "abc://x:1"])
def test_protocols_that_cannot_be_spoken(address: str) -> None:
    """Without a library, or any such protocol; an event loop at work is no bar."""

    async def reach() -> None:
        with connection.connected(address):
            pass

    # in a thread, since a browser of other tests keeps an event loop in this one
    with (
        pytest.raises(InputError, match="no scheduler answers at"),
        ThreadPoolExecutor(1) as aside,
    ):
        aside.submit(asyncio.run, reach()).result()


@pytest.mark.parametrize("error", [TypeError("code() takes at most 16"), OSError("closed")])
def test_workers_that_cannot_be_asked(error: Exception) -> None:
    """Another Python does not take our functions; a connection that ends is no full disk."""
    with pytest.raises(InputError, match="cannot say which wordpack they have"):
        members(Mock(run=Mock(side_effect=error)))


def test_without_dask_it_says_what_to_install(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, and no traceback of an import."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    outcome = wordpack("solve", "toy", "--cluster", "local")
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert outcome.err.startswith("wordpack: --cluster needs Dask distributed: pip install")


@pytest.mark.parametrize("folder", ["17", "1.5"])
def test_a_folder_of_dasks_that_is_a_number(
    wordpack: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    """Dask makes a number of DASK_TEMPORARY_DIRECTORY=17: it is still a folder's name."""
    import dask

    monkeypatch.chdir(tmp_path)
    with dask.config.set(dask.config.collect_env({"DASK_TEMPORARY_DIRECTORY": folder})):
        outcome = wordpack("solve", "toy", "--cluster", "local:1")
    assert outcome.status == 0, outcome.err
    assert [path.name for path in tmp_path.iterdir()] == [folder]
