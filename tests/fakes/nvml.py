"""What the suite asks of pynvml, answered for GPUs that a test makes up."""

# ruff: noqa: D102, N802, N803, N815  the names are those of NVML, which documents them

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any


class NVMLError(Exception):
    """What the real one raises for every question that has no answer."""


@dataclass
class Gpu:
    """A GPU, or a part of one; `silent` names the questions that it does not answer."""

    uuid: str
    name: str = "Model T"
    bus: str = "0000:01:00.0"
    capability: tuple[int, int] = (7, 5)
    joules: float = 1000.0
    step: float = 2.5
    """Joules more at each question, which stands for what runs in between."""
    reasons: int = 0
    silent: set[str] = field(default_factory=set)


class Nvml:
    """Stands for the module pynvml; `running` counts inits without their shutdown."""

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
    """As it was before driver 535: reasons to throttle, by their former name alone."""

    nvmlDeviceGetCurrentClocksEventReasons = None  # type: ignore[assignment]

    def nvmlDeviceGetCurrentClocksThrottleReasons(self, handle: Gpu) -> Any:
        return self._answer(handle, "reasons", handle.reasons)
