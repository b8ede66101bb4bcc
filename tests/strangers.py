"""Attacks by a process without secrets on others' ports: RPC over TCP and TLS, and HTTP."""

import asyncio
import http.client
import json
import pickle
import ssl
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
from distributed.core import rpc
from distributed.security import Security

PAGES = ("/", "/status", "/health", "/metrics", "/info/main/workers.html", "/json/counts.json")

LIMIT = 5.0
"""Seconds to wait for a port's answer before giving up."""


def tree(pid: int) -> list[psutil.Process]:
    whole = psutil.Process(pid)
    return [whole, *whole.children(recursive=True)]


def listening(pid: int) -> list[tuple[str, int]]:
    """Return each host and port on which a process or a descendant listens, from the kernel."""
    found = [each for process in tree(pid) for each in process.net_connections("inet")]
    return sorted({(*each.laddr,) for each in found if each.status == psutil.CONN_LISTEN})


def stranger(own: Security | None) -> dict[str, object]:
    """Return connection arguments: a self-made certificate or none, trusting any server."""
    arguments = (own or Security()).get_connection_args("client")
    if own is not None:
        arguments["ssl_context"].verify_mode = ssl.CERT_NONE
    return arguments


async def answered(
    address: str, connection: dict[str, object], handler: str, arguments: dict[str, bytes]
) -> bool:
    """Return whether a Dask handler answers a stranger."""
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
    """Return the ports and handlers that answer; handlers that run code would write `marker`."""
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
    """Return the pages that a port serves over HTTP."""
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
        # Dask's own list of pages, which must list no other page
        empty = page == "/sitemap.json" and json.loads(body) == {"paths": [page]}
        if answer.status != http.client.NOT_FOUND and not empty:
            found.append(f"{page} at {place}: {answer.status}")
    return found


def get_nothing(ports: list[tuple[str, int]], marker: Path) -> None:
    """Check that no code runs and no page is served; functions sent there write `marker`."""
    # in a thread, because other tests' browser keeps an event loop in this one
    with ThreadPoolExecutor(1) as aside:
        assert aside.submit(asyncio.run, served(ports, marker)).result() == []
    assert not marker.exists(), "a stranger's function ran"
    with ThreadPoolExecutor(len(ports)) as threads:
        assert [page for found in threads.map(pages, ports) for page in found] == []
