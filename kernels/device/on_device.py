"""The common part of device backends and of their searches: name, facts, clock."""

from wordpack.backend.base import Clock
from wordpack.kernels.device.device import Device
from wordpack.kernels.device.host import Host


class HostedBackend:
    """A backend on the device of a host."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def probe(self) -> str:
        """Return the device and versions; raise Unavailable if nothing can run."""
        return self._host.device().described

    def machine_facts(self) -> dict[str, str | None] | None:
        """Return the host's facts that tell machines apart."""
        return self._host.machine_facts()


class OnDevice:
    """A search, sum or game prepared on a device."""

    def __init__(self, device: Device) -> None:
        self._device = device

    @property
    def device(self) -> str:
        """The device's name."""
        return self._device.name

    @property
    def device_facts(self) -> dict[str, str | int | float | None]:
        """Facts that identify the device."""
        return self._device.facts

    @property
    def clock(self) -> Clock | None:
        """The device's own clock, if it has one."""
        return self._device if isinstance(self._device, Clock) else None
