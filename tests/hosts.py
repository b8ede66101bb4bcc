"""Several hosts on one machine: network namespaces connected by a switch."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import uuid4

from conftest import absent

REQUIRED = "WORDPACK_REQUIRE_NETWORK"


def ip(*arguments: str) -> None:
    """Run `ip`; skip the test if that is not permitted here."""
    program = shutil.which("ip") or shutil.which("ip", path="/usr/sbin:/sbin")
    if program is None:
        absent("there is no ip: apt install iproute2", REQUIRED)
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        absent(f"network namespaces cannot be made here: {done.stderr.strip()}", REQUIRED)


@dataclass
class Hosts:
    """10.0.0.1, 10.0.0.2, ... on one switch, each a network namespace."""

    own: str
    """The prefix of the namespaces' names."""
    names: Sequence[str]
    made: list[str] = field(default_factory=list)

    def enter(self, name: str) -> list[str]:
        """Return the prefix that runs a command on a host."""
        return ["ip", "netns", "exec", f"{self.own}-{name}"]

    def cable(self, name: str, state: str) -> None:
        """Unplug a host's cable from the switch (down), or plug it back in (up)."""
        port = f"port{self.names.index(name) + 1}"
        ip("-n", f"{self.own}-switch", "link", "set", port, state)

    def add(self, name: str) -> str:
        """Make a namespace."""
        space = f"{self.own}-{name}"
        ip("netns", "add", space)
        self.made.append(space)
        return space


@contextmanager
def hosts(*names: str) -> Iterator[Hosts]:
    """Provide hosts with these names during the block."""
    made = Hosts(f"wordpack-{uuid4().hex[:8]}", names)
    try:
        switch = made.add("switch")
        ip("-n", switch, "link", "add", "bridge", "type", "bridge")
        ip("-n", switch, "link", "set", "bridge", "up")
        for number, name in enumerate(names, 1):
            space, port = made.add(name), f"port{number}"
            pair = ("type", "veth", "peer", "name", "eth0", "netns", space)
            ip("-n", switch, "link", "add", port, *pair)
            ip("-n", switch, "link", "set", port, "master", "bridge", "up")
            ip("-n", space, "addr", "add", f"10.0.0.{number}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                ip("-n", space, "link", "set", device, "up")
        yield made
    finally:
        for space in made.made:
            ip("netns", "del", space)
