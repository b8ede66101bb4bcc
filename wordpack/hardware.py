"""What machine this is: processor, usable cores, memory, graphics processor, versions."""

import os
import platform
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

LIBRARIES = ("numpy", "numba", "llvmlite", "click", "rich")
CPUINFO = Path("/proc/cpuinfo")


def usable_cores() -> int:
    """Return how many cores this process may use (its affinity mask, where there is one)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def describe() -> dict[str, Any]:
    """Return this machine as plain values; what cannot be found out is None, never guessed."""
    return {
        "cpu": cpu_model(),
        "cores": usable_cores(),
        "memory_bytes": memory_bytes(),
        "os": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "libraries": {name: _version(name) for name in LIBRARIES},
        "gpu": gpu(),
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


def memory_bytes() -> int | None:
    """Return the physical memory in bytes."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def gpu() -> dict[str, str | None]:
    """Return name, memory and driver of the first NVIDIA GPU, or why there is none to be seen."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return _no_gpu("no NVIDIA driver was found (nvidia-smi is not on the PATH)")
    query = [tool, "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"]
    line = _first_line(query)
    fields = [field.strip() for field in (line or "").split(",")]
    if len(fields) != len(query[1].split(",")):
        return _no_gpu("nvidia-smi is installed and reports no GPU: check the driver")
    name, memory, driver = fields
    return {"name": name, "memory": memory, "driver": driver, "why_not": None}


def _no_gpu(reason: str) -> dict[str, str | None]:
    return {"name": None, "memory": None, "driver": None, "why_not": reason}


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
