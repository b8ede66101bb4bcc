"""NVIDIA GPUs as their driver describes them, through separate NVML queries.

A driver, a MIG part or a virtual GPU may leave any query unanswered; its value is then None. A
query takes microseconds, starting NVML some ten milliseconds.
Source: NVIDIA's NVML API reference; the numbering of GPUs is in the CUDA programming guide.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from wordpack.errors import Unavailable
from wordpack.system.libraries import loaded, set_up

Facts = dict[str, str | int | float | None]
"""Plain values that describe a device and its state; None if unknown."""

VISIBLE = "CUDA_VISIBLE_DEVICES"
"""The environment variable that hides GPUs from CUDA, but not from NVML."""

REASONS = (
    *("gpu_idle", "applications_clocks", "sw_power_cap", "hw_slowdown", "sync_boost"),
    *("sw_thermal_slowdown", "hw_thermal_slowdown", "hw_power_brake", "display_clocks"),
    *("board_limit", "reliability"),
)
"""Why clocks are below their maximum, from the lowest bit up."""


class Nvml:
    """The driver's library, started. A handle is NVML's reference to a GPU or a part of one."""

    def __init__(self) -> None:
        """Start NVML; raise Unavailable, with a full sentence, if that fails."""
        with loaded(
            "pynvml",
            "nvidia-ml-py is not installed: pip install 'wordpack[cuda12]' or 'wordpack[cuda13]'.",
        ):
            import pynvml
        self._library: Any = pynvml
        with set_up("pynvml"):
            try:
                pynvml.nvmlInit()
            except pynvml.NVMLError as error:
                raise Unavailable(f"the NVIDIA driver's NVML cannot start: {error}.") from None

    def ask(self, question: str, *about: object) -> Any:
        """Call NVML's function of this name; return None if it has no answer."""
        function = getattr(self._library, question, None)
        if function is None:  # this nvidia-ml-py is older than the function
            return None
        try:
            return function(*about)
        except self._library.NVMLError:
            return None

    def visible(self) -> list[Any]:
        """Return a handle for each GPU, or part of one, that CUDA lets this process see.

        If GPUs differ, CUDA numbers them by speed unless CUDA_DEVICE_ORDER is PCI_BUS_ID, and
        NVML by bus, so only UUIDs identify the same GPU in both.
        """
        indices = range(self.ask("nvmlDeviceGetCount") or 0)
        every = [self.ask("nvmlDeviceGetHandleByIndex", index) for index in indices]
        if VISIBLE not in os.environ:
            return [handle for handle in every if handle is not None]
        chosen: list[Any] = []
        for name in os.environ[VISIBLE].split(","):
            handle = self._named(name.strip(), every)
            if handle is None:
                break  # CUDA also ignores everything from the first wrong name on
            chosen.append(handle)
        return chosen

    def _named(self, name: str, every: list[Any]) -> Any:
        if name.isdecimal():
            return every[int(name)] if int(name) < len(every) else None
        if name.startswith("MIG-"):
            return self.by_uuid(name)
        uuids = [str(self.ask("nvmlDeviceGetUUID", handle)) for handle in every]
        # a prefix is enough if it is unique
        fitting = [place for place, uuid in enumerate(uuids) if name and uuid.startswith(name)]
        return every[fitting[0]] if len(fitting) == 1 else None

    def by_uuid(self, uuid: str) -> Any:
        """Return the handle of a GPU or of a MIG part, or None.

        CUDA does not distinguish the two, so 'GPU-...' also finds the part 'MIG-...'.
        """
        handle = self.ask("nvmlDeviceGetHandleByUUID", uuid)
        if handle is None and uuid.startswith("GPU-"):
            handle = self.ask("nvmlDeviceGetHandleByUUID", "MIG-" + uuid.removeprefix("GPU-"))
        return handle

    def by_bus(self, pci_bus_id: str) -> Any:
        """Return the handle of the GPU at a bus address such as '0000:3B:00.0', or None."""
        return self.ask("nvmlDeviceGetHandleByPciBusId", pci_bus_id)

    def facts(self, handle: Any) -> Facts:
        """Return the GPU's description, and its current clocks and power."""
        memory = self.ask("nvmlDeviceGetMemoryInfo", handle)
        capability = self.ask("nvmlDeviceGetCudaComputeCapability", handle)
        milliwatts = self.ask("nvmlDeviceGetPowerUsage", handle)
        sm, memory_clock = self._library.NVML_CLOCK_SM, self._library.NVML_CLOCK_MEM
        return {
            "name": self.ask("nvmlDeviceGetName", handle),
            "uuid": self.ask("nvmlDeviceGetUUID", handle),
            "memory_bytes": None if memory is None else int(memory.total),
            "compute_capability": None if capability is None else "{}.{}".format(*capability),
            "driver": self.ask("nvmlSystemGetDriverVersion"),
            "sm_clock_mhz": self.ask("nvmlDeviceGetClockInfo", handle, sm),
            "memory_clock_mhz": self.ask("nvmlDeviceGetClockInfo", handle, memory_clock),
            "power_watts": None if milliwatts is None else milliwatts / 1000,
        }

    def joules(self, handle: Any) -> float | None:
        """Return the energy used since the driver was loaded, in J; it advances in large steps."""
        millijoules = self.ask("nvmlDeviceGetTotalEnergyConsumption", handle)
        return None if millijoules is None else millijoules / 1000

    def throttle(self, handle: Any) -> list[str] | None:
        """Return why the clocks are now below their maximum, as names from REASONS."""
        bits = self.ask("nvmlDeviceGetCurrentClocksEventReasons", handle)
        if bits is None:  # its name before driver 535
            bits = self.ask("nvmlDeviceGetCurrentClocksThrottleReasons", handle)
        if bits is None:
            return None
        names = [name for place, name in enumerate(REASONS) if bits >> place & 1]
        return names + ([f"others_{bits:#x}"] if bits >> len(REASONS) else [])


@contextmanager
def nvml() -> Iterator[Nvml]:
    """Yield NVML, started, and shut it down at the end; Unavailable if it cannot start."""
    started = Nvml()
    try:
        yield started
    finally:
        started.ask("nvmlShutdown")


def cuda_version() -> str | None:
    """Return the newest CUDA that the driver runs, such as '12.4', or None if unknown."""
    try:
        with nvml() as started:
            version = started.ask("nvmlSystemGetCudaDriverVersion")
    except Unavailable:
        return None
    return None if version is None else f"{version // 1000}.{version % 1000 // 10}"


def devices() -> list[Facts]:
    """Return the GPUs that CUDA lets this process see; Unavailable says why they are unknown."""
    with nvml() as started:
        return [started.facts(handle) for handle in started.visible()]
