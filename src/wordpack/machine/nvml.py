"""NVIDIA GPUs as their driver describes them, through NVML: each question asked by itself.

A driver, a MIG part or a virtual GPU may leave any question unanswered: what is not known is
None. A question takes microseconds, the start of NVML some ten milliseconds.
Source: NVIDIA's NVML API reference; the numbering of GPUs is in the CUDA programming guide.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from wordpack.errors import Unavailable
from wordpack.system.libraries import loaded, set_up

Facts = dict[str, str | int | float | None]
"""Plain values that name a device and its state; None for what is not known."""

VISIBLE = "CUDA_VISIBLE_DEVICES"
"""The environment variable that hides GPUs from CUDA, and none from NVML."""

REASONS = (
    *("gpu_idle", "applications_clocks", "sw_power_cap", "hw_slowdown", "sync_boost"),
    *("sw_thermal_slowdown", "hw_thermal_slowdown", "hw_power_brake", "display_clocks"),
    *("board_limit", "reliability"),
)
"""Why clocks are below their maximum, from the lowest bit up."""


class Nvml:
    """The driver's library, started. A handle is NVML's own name of a GPU or of a part of one."""

    def __init__(self) -> None:
        """Start it; raise Unavailable, with a full sentence, where that cannot be done."""
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
        """Return the answer of NVML's function of this name, None where it has none."""
        function = getattr(self._library, question, None)
        if function is None:  # a younger function than this nvidia-ml-py
            return None
        try:
            return function(*about)
        except self._library.NVMLError:
            return None

    def visible(self) -> list[Any]:
        """Return a handle for each GPU, or part of one, that CUDA lets this process see.

        Where GPUs differ, CUDA numbers them by speed unless CUDA_DEVICE_ORDER is PCI_BUS_ID,
        and NVML by bus: only UUIDs are sure to name the same.
        """
        indices = range(self.ask("nvmlDeviceGetCount") or 0)
        every = [self.ask("nvmlDeviceGetHandleByIndex", index) for index in indices]
        if VISIBLE not in os.environ:
            return [handle for handle in every if handle is not None]
        chosen: list[Any] = []
        for name in os.environ[VISIBLE].split(","):
            handle = self._named(name.strip(), every)
            if handle is None:
                break  # CUDA, too, sees nothing from the first wrong name on
            chosen.append(handle)
        return chosen

    def _named(self, name: str, every: list[Any]) -> Any:
        if name.isdecimal():
            return every[int(name)] if int(name) < len(every) else None
        if name.startswith("MIG-"):
            return self.by_uuid(name)
        uuids = [str(self.ask("nvmlDeviceGetUUID", handle)) for handle in every]
        # the beginning of a UUID will do where no other begins so
        fitting = [place for place, uuid in enumerate(uuids) if name and uuid.startswith(name)]
        return every[fitting[0]] if len(fitting) == 1 else None

    def by_uuid(self, uuid: str) -> Any:
        """Return the handle of a GPU or of a MIG part, None for none.

        CUDA does not tell the two apart, so 'GPU-...' also finds the part 'MIG-...'.
        """
        handle = self.ask("nvmlDeviceGetHandleByUUID", uuid)
        if handle is None and uuid.startswith("GPU-"):
            handle = self.ask("nvmlDeviceGetHandleByUUID", "MIG-" + uuid.removeprefix("GPU-"))
        return handle

    def by_bus(self, pci_bus_id: str) -> Any:
        """Return the handle of the GPU in this place, None for none; '0000:3B:00.0'."""
        return self.ask("nvmlDeviceGetHandleByPciBusId", pci_bus_id)

    def facts(self, handle: Any) -> Facts:
        """Return what the GPU is, and its clocks and power now."""
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
        """Return what the GPU has used since its driver was loaded; it counts in large steps."""
        millijoules = self.ask("nvmlDeviceGetTotalEnergyConsumption", handle)
        return None if millijoules is None else millijoules / 1000

    def throttle(self, handle: Any) -> list[str] | None:
        """Return why its clocks are below their maximum now, by the names of REASONS."""
        bits = self.ask("nvmlDeviceGetCurrentClocksEventReasons", handle)
        if bits is None:  # what it was called before driver 535
            bits = self.ask("nvmlDeviceGetCurrentClocksThrottleReasons", handle)
        if bits is None:
            return None
        names = [name for place, name in enumerate(REASONS) if bits >> place & 1]
        return names + ([f"others_{bits:#x}"] if bits >> len(REASONS) else [])


@contextmanager
def nvml() -> Iterator[Nvml]:
    """Give NVML, started, and let it go at the end; Unavailable where it cannot start."""
    started = Nvml()
    try:
        yield started
    finally:
        started.ask("nvmlShutdown")


def cuda_version() -> str | None:
    """Return the newest CUDA that the driver runs, as '12.4'; None where nobody tells."""
    try:
        with nvml() as started:
            version = started.ask("nvmlSystemGetCudaDriverVersion")
    except Unavailable:
        return None
    return None if version is None else f"{version // 1000}.{version % 1000 // 10}"


def devices() -> list[Facts]:
    """Return the GPUs that CUDA lets this process see; Unavailable says why none can be known."""
    with nvml() as started:
        return [started.facts(handle) for handle in started.visible()]
