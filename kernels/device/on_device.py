"""What all prepared work on a device says of it: its name, its facts, its clock."""

from wordpack.kernels.device.device import Clock, Device


class OnDevice:
    """A search, or a sum, that was prepared on a device."""

    def __init__(self, device: Device) -> None:
        self._device = device

    @property
    def device(self) -> str:
        """Where it runs."""
        return self._device.name

    @property
    def device_facts(self) -> dict[str, str | int | float | None]:
        """What names that device."""
        return self._device.facts

    @property
    def clock(self) -> Clock | None:
        """The device's own clock, where it has one."""
        return self._device if isinstance(self._device, Clock) else None
