"""Describe this machine, and say which backends can run here, and why others cannot."""

from typing import Any

from wordpack import __version__
from wordpack.backend.registry import ROWS
from wordpack.backend.row import Row
from wordpack.errors import Unavailable
from wordpack.machine import hardware
from wordpack.machine.nvml import Facts
from wordpack.racing.plugins import found
from wordpack.racing.trial import tried


class Diagnosis(dict[str, Any]):
    """The machine and the backends as plain values; `str` gives a text for people."""

    def __str__(self) -> str:
        """Return what `wordpack doctor` prints."""
        return _text(self)

    def _repr_html_(self) -> str:
        """Show the same text in a notebook."""
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


def doctor() -> Diagnosis:
    """Describe this machine, and say which backends can run here, and why others cannot.

    The values are those of `wordpack doctor --format json`: wordpack (the version), machine, and
    backends. This takes some seconds, because it loads the libraries that backends need.
    """
    libraries = tried(dict.fromkeys(row.needs for row in ROWS if row.needs))
    backends = []
    for row in ROWS:
        runs, said = libraries[row.needs] if row.needs else _probed(row)
        backends.append({"backend": row.name, "runs": runs, "with" if runs else "why_not": said})
    for row, runs, said in found(probe=True):
        verdict = {"with" if runs else "why_not": said}
        backends.append(
            {"backend": row.name, "distribution": row.distribution, "runs": runs} | verdict
        )
    return Diagnosis(wordpack=__version__, machine=hardware.describe(), backends=backends)


def _probed(row: Row) -> tuple[bool, str]:
    """Return whether a backend without its own library runs here, and with what or why not."""
    try:
        return True, row.load().probe()
    except Unavailable as reason:
        return False, str(reason)


def _text(known: dict[str, Any]) -> str:
    machine = known["machine"]
    memory = machine["memory_bytes"]
    libraries = machine["libraries"].items()
    rows = [
        ("wordpack", known["wordpack"]),
        ("Python", machine["python"]),
        ("libraries", ", ".join(f"{name} {version or 'missing'}" for name, version in libraries)),
        ("system", machine["os"]),
        ("CPU", machine["cpu"] or "unknown"),
        ("cores", f"{machine['cores']} usable"),
        ("memory", f"{memory / 2**30:.1f} GiB" if memory else "unknown"),
        *(("GPU", line) for line in _graphics(machine)),
    ]
    lines = [f"{name:<12}{value}" for name, value in rows] + ["", "backends"]
    for backend in known["backends"]:
        verdict = backend["with"] if backend["runs"] else f"cannot run: {backend['why_not']}"
        package = f"{backend['distribution']}: " if "distribution" in backend else ""
        lines.append(f"  {backend['backend']:<24}{package}{verdict}")
    return "\n".join(lines)


def _graphics(machine: dict[str, Any]) -> list[str]:
    """Return one line per GPU, or one line that says why there is none."""
    gpu = machine["gpu"]
    if gpu["why_not"]:
        return [gpu["why_not"]]
    if not machine["gpus"]:
        named = f"{gpu['name']}, {gpu['memory']}, driver {gpu['driver']}"
        return [f"{named}; clocks and power unknown: {gpu['unmeasured']}"]
    return [_in_words(facts) for facts in machine["gpus"]]


def _in_words(facts: Facts) -> str:
    known = {name: "unknown" if value is None else value for name, value in facts.items()}
    memory = facts["memory_bytes"]
    return (
        f"{known['name']}, {'unknown' if memory is None else f'{int(memory) / 2**30:.1f} GiB'}, "
        f"compute capability {known['compute_capability']}, driver {known['driver']}, "
        f"clocks {known['sm_clock_mhz']} MHz (memory {known['memory_clock_mhz']}), "
        f"power {known['power_watts']} W"
    )
