"""A host: one library that reaches devices, and what a backend on it needs to know beforehand.

A backend on devices is written once and is given its host: CUDA (`cuda_host`) or OpenCL
(`opencl_host`). The table of backends names both.
"""

from abc import ABC, abstractmethod

from wordpack.kernels.device.device import Device


class Host(ABC):
    """One library that reaches devices."""

    start: float
    """Seconds to import the library, to open the device, and to load or compile."""

    @abstractmethod
    def device(self) -> Device:
        """Return the device, opened once in a process; Unavailable says what is missing."""

    @abstractmethod
    def pace(self, core: float, gpu: float) -> float:
        """Return the seconds for a piece of work that takes `core` on a CPU's core.

        It takes `gpu` on a whole GPU. Unavailable if there is no device to ask.
        """

    def compiled(self) -> None:  # noqa: B027  most hosts have nothing to do then
        """Be told that a backend has compiled all that it runs."""

    def machine_facts(self) -> dict[str, str | None] | None:
        """Return what tells machines apart, as a backend does; None if NVML says it all."""
        return None
