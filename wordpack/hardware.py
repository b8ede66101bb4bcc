"""What machine this is: processor, usable cores, memory, graphics processor, versions."""

import os


def usable_cores() -> int:
    """Return how many cores this process may use (its affinity mask, where there is one)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
