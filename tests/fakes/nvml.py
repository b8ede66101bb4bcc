"""A fake pynvml for made-up GPUs, as far as the tests need it."""

# ruff: noqa: D102, N802, N803, N815  the names are NVML's, which documents them

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any


class NVMLError(Exception):
    """The real NVML's error for every query without an answer."""


@dataclass
class Gpu:
    """A GPU, or a part of one; `silent` names the queries that it does not answer."""

    uuid: str
    name: str = "Model T"
    bus: str = "0000:01:00.0"
    capability: tuple[int, int] = (7, 5)
    joules: float = 1000.0
    step: float = 2.5
    """Joules added per query, as if something had run in between."""
    reasons: int = 0
    silent: set[str] = field(default_factory=set)


class Nvml:
    """The module pynvml; `running` counts inits without a shutdown."""

    NVMLError = NVMLError
    NVML_CLOCK_SM, NVML_CLOCK_MEM = 1, 2

    def __init__(self, *gpus: Gpu, parts: tuple[Gpu, ...] = ()) -> None:
        self.gpus, self.parts = gpus, parts
        self.running = 0
        self.questions = 0
        self.driver: str | None = "570.1"

    def _answer(self, gpu: Gpu, question: str, answer: Any) -> Any:
        assert self.running, "NVML is asked before it is started"
        self.questions += 1
        if question in gpu.silent:
            raise NVMLError("Not Supported")
        return answer

    def nvmlInit(self) -> None:
        if self.driver is None:
            raise NVMLError("NVML Shared Library Not Found")
        self.running += 1

    def nvmlShutdown(self) -> None:
        self.running -= 1

    def nvmlSystemGetDriverVersion(self) -> str | None:
        return self.driver

    def nvmlDeviceGetCount(self) -> int:
        return len(self.gpus)

    def nvmlDeviceGetHandleByIndex(self, index: int) -> Gpu:
        return self.gpus[index]

    def nvmlDeviceGetHandleByUUID(self, uuid: str) -> Gpu:
        for gpu in (*self.gpus, *self.parts):
            if gpu.uuid == uuid:
                return gpu
        raise NVMLError("Not Found")

    def nvmlDeviceGetHandleByPciBusId(self, pciBusId: str) -> Gpu:
        for gpu in self.gpus:
            if gpu.bus == pciBusId:
                return gpu
        raise NVMLError("Not Found")

    def nvmlDeviceGetName(self, handle: Gpu) -> Any:
        return self._answer(handle, "name", handle.name)

    def nvmlDeviceGetUUID(self, handle: Gpu) -> Any:
        return self._answer(handle, "uuid", handle.uuid)

    def nvmlDeviceGetMemoryInfo(self, handle: Gpu, version: object = None) -> Any:
        return self._answer(handle, "memory", SimpleNamespace(total=16 << 30, version=version))

    def nvmlDeviceGetCudaComputeCapability(self, handle: Gpu) -> Any:
        return self._answer(handle, "capability", handle.capability)

    def nvmlDeviceGetClockInfo(self, handle: Gpu, type: int) -> Any:  # noqa: A002
        return self._answer(handle, "clocks", {1: 1590, 2: 5001}[type])

    def nvmlDeviceGetPowerUsage(self, handle: Gpu) -> Any:
        return self._answer(handle, "power", 70_500)

    def nvmlDeviceGetTotalEnergyConsumption(self, handle: Gpu) -> Any:
        handle.joules += handle.step
        return self._answer(handle, "energy", round(handle.joules * 1000))

    def nvmlDeviceGetCurrentClocksEventReasons(self, handle: Gpu) -> Any:
        return self._answer(handle, "reasons", handle.reasons)


class OldNvml(Nvml):
    """NVML before driver 535, which has throttle reasons only under their former name."""

    nvmlDeviceGetCurrentClocksEventReasons = None  # type: ignore[assignment]

    def nvmlDeviceGetCurrentClocksThrottleReasons(self, handle: Gpu) -> Any:
        return self._answer(handle, "reasons", handle.reasons)
