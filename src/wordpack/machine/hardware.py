"""Describe this machine: processor, usable cores, memory, GPUs, versions."""

import os
import platform
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from wordpack.compiled.threads import usable_cores
from wordpack.errors import Unavailable
from wordpack.machine.nvml import VISIBLE, Facts, devices

LIBRARIES = ("numpy", "numba", "llvmlite", "click", "rich")
CPUINFO = Path("/proc/cpuinfo")


def describe() -> dict[str, Any]:
    """Return this machine as plain values; an unknown value is None, never a guess."""
    graphics, unmeasured = _gpus()
    return {
        "cpu": cpu_model(),
        "cores": usable_cores(),
        "memory_bytes": _memory_bytes(),
        "os": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "libraries": {name: _version(name) for name in LIBRARIES},
        "gpu": gpu(graphics, unmeasured),
        "gpus": graphics,
    }


def cpu_model() -> str | None:
    """Return the processor's brand."""
    if sys.platform == "darwin":
        return _first_line(["sysctl", "-n", "machdep.cpu.brand_string"])
    try:
        lines = CPUINFO.read_text(errors="replace").splitlines()
    except OSError:
        return platform.processor() or None
    # "model name" on x86, "Model" or "Hardware" on many ARM boards
    for key in ("model name", "Model", "Hardware"):
        for line in lines:
            name, _, value = line.partition(":")
            if name.strip() == key and value.strip():
                return value.strip()
    return platform.processor() or None


def _memory_bytes() -> int | None:
    """Return the physical memory in bytes."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _gpus() -> tuple[list[Facts], str | None]:
    """Return the NVIDIA GPUs that this process may use, or [] and why NVML cannot tell."""
    try:
        return devices(), None
    except Unavailable as reason:
        return [], str(reason)


def gpu(graphics: list[Facts], unmeasured: str | None) -> dict[str, str | None]:
    """Return name, memory and driver of the first GPU, or why no GPU is visible.

    If NVML cannot tell, nvidia-smi names a GPU that needs only an extra to be used, and
    `unmeasured` says why its clocks and power are unknown.
    """
    if graphics:
        name, memory, driver = (graphics[0][key] for key in ("name", "memory_bytes", "driver"))
        return {
            "name": None if name is None else str(name),
            "memory": None if memory is None else f"{int(memory) // 2**20} MiB",
            "driver": None if driver is None else str(driver),
            "why_not": None,
            "unmeasured": None,
        }
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return _no_gpu("no NVIDIA driver was found (nvidia-smi is not on the PATH)")
    if unmeasured is None:
        return _no_gpu(f"the NVIDIA driver shows no GPU to this process: see {VISIBLE}")
    query = [tool, "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"]
    line = _first_line(query)
    fields = [field.strip() for field in (line or "").split(",")]
    if len(fields) != len(query[1].split(",")):
        return _no_gpu("nvidia-smi is installed and reports no GPU: check the driver")
    found: dict[str, str | None] = dict(zip(("name", "memory", "driver"), fields, strict=True))
    return found | {"why_not": None, "unmeasured": unmeasured}


def _no_gpu(reason: str) -> dict[str, str | None]:
    return dict.fromkeys(("name", "memory", "driver")) | {"why_not": reason, "unmeasured": None}


def _first_line(command: list[str]) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603  fixed commands, found on the PATH by name
            command, capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    lines = done.stdout.strip().splitlines()
    return lines[0].strip() if lines else None


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
