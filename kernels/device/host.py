"""A host: one library that reaches devices, and its start-up and speed estimates.

A device backend is written once and receives its host: CUDA (`cuda_host`) or OpenCL
(`opencl_host`). The table of backends names both.
"""

from abc import ABC, abstractmethod

from wordpack.kernels.device.device import Device


class Host(ABC):
    """One library that reaches devices."""

    start: float
    """Seconds to import the library, open the device, and load or compile."""

    @abstractmethod
    def device(self) -> Device:
        """Return the device, opened once per process; Unavailable says what is missing."""

    @abstractmethod
    def pace(self, core: float, gpu: float) -> float:
        """Return the seconds for work that takes `core` on one CPU core and `gpu` on a whole GPU.

        Raises Unavailable if there is no device to ask.
        """

    def compiled(self) -> None:  # noqa: B027  most hosts have nothing to do then
        """Note that a backend has compiled everything it runs."""

    def machine_facts(self) -> dict[str, str | None] | None:
        """Return the facts that tell machines apart; None if NVML reports them all."""
        return None
