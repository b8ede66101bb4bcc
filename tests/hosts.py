"""Hosts of their own on one machine: network namespaces, and a switch between them."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from uuid import uuid4

from conftest import absent

REQUIRED = "WORDPACK_REQUIRE_NETWORK"


def ip(*arguments: str) -> None:
    """Run `ip`; skip the test where it may not do that here."""
    program = shutil.which("ip") or shutil.which("ip", path="/usr/sbin:/sbin")
    if program is None:
        absent("there is no ip: apt install iproute2", REQUIRED)
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        absent(f"network namespaces cannot be made here: {done.stderr.strip()}", REQUIRED)


@contextmanager
def hosts(names: Sequence[str]) -> Iterator[dict[str, list[str]]]:
    """Give the command that enters each host; they are 10.0.0.1, 10.0.0.2, ... in their order."""
    own = f"wordpack-{uuid4().hex[:8]}"
    made: list[str] = []

    def add(name: str) -> str:
        space = f"{own}-{name}"
        ip("netns", "add", space)
        made.append(space)
        return space

    try:
        switch = add("switch")
        ip("-n", switch, "link", "add", "bridge", "type", "bridge")
        ip("-n", switch, "link", "set", "bridge", "up")
        for number, name in enumerate(names, 1):
            space, port = add(name), f"port{number}"
            pair = ("type", "veth", "peer", "name", "eth0", "netns", space)
            ip("-n", switch, "link", "add", port, *pair)
            ip("-n", switch, "link", "set", port, "master", "bridge", "up")
            ip("-n", space, "addr", "add", f"10.0.0.{number}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                ip("-n", space, "link", "set", device, "up")
        yield {name: ["ip", "netns", "exec", f"{own}-{name}"] for name in names}
    finally:
        for space in made:
            ip("netns", "del", space)
