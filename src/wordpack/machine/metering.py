"""Describe the device of a search, and measure a timed region's energy and throttling.

The driver is read before and after the region, never inside it. Its energy counter advances every
20 to 100 ms or so, so only longer regions have a meaningful figure.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from time import perf_counter
from typing import Any

from wordpack.backend.base import Prepared
from wordpack.errors import Unavailable
from wordpack.machine.nvml import Facts, Nvml, nvml
from wordpack.packing.answer import Packings

Readings = dict[str, Any]
"""`energy_joules` of the region, `throttle_before` and `throttle_after`: names, or None."""


def facts_of(search: Prepared) -> Facts | None:
    """Return the facts of a search's device, or None if it runs on the processor.

    The driver adds facts if the search gives a `uuid` or a `pci_bus_id` for its device. If both
    know a fact, the search's own value is kept.
    """
    own = search.device_facts
    if own is None:
        return None
    with _driver(own) as (driver, handle):
        known = driver.facts(handle) if driver else {}
    said = {name: value for name, value in own.items() if value is not None}
    return dict(own) | known | said


@contextmanager
def metered(facts: Mapping[str, Any] | None) -> Iterator[Readings]:
    """Yield a mapping that is complete when the block ends, or stays empty without a driver.

    `facts` come from `facts_of`. For None, a search on the processor, no driver is asked.
    """
    readings: Readings = {}
    with _driver(facts or {}) as (driver, handle):
        if driver is None:
            yield readings
            return
        readings["throttle_before"], before = driver.throttle(handle), driver.joules(handle)
        yield readings
        after = driver.joules(handle)
        readings["energy_joules"] = None if before is None or after is None else after - before
        readings["throttle_after"] = driver.throttle(handle)


class TimedParts(Iterator[Packings]):
    """The parts of a search, with the time and energy of the parts read so far."""

    def __init__(self, parts: Iterator[Packings], facts: Facts | None) -> None:
        self._parts, self._facts = parts, facts
        self.seconds = 0.0
        self.readings: Readings = {}
        """As from `metered`, over all parts: energies summed, first and last throttle state."""

    def __next__(self) -> Packings:
        with metered(self._facts) as readings:
            started = perf_counter()
            part = next(self._parts, None)
            self.seconds += perf_counter() - started
        self.readings = _together(self.readings, readings)
        if part is None:
            raise StopIteration
        return part


def _together(earlier: Readings, later: Readings) -> Readings:
    if not earlier or not later:
        return earlier or later
    energies = earlier["energy_joules"], later["energy_joules"]
    return {
        "energy_joules": None if None in energies else sum(energies),
        "throttle_before": earlier["throttle_before"],
        "throttle_after": later["throttle_after"],
    }


@contextmanager
def _driver(facts: Mapping[str, Any]) -> Iterator[tuple[Nvml | None, Any]]:
    """Yield the driver and its handle of the device in `facts`, or (None, None).

    The device is found by its `uuid`, or by its `pci_bus_id` if it has no `uuid`.
    """
    with ExitStack() as stack:
        driver, handle = None, None
        uuid, bus = facts.get("uuid"), facts.get("pci_bus_id")
        if uuid or bus:
            try:
                driver = stack.enter_context(nvml())
                handle = driver.by_uuid(uuid) if uuid else driver.by_bus(str(bus))
            except Unavailable:
                driver = None  # its facts stay unknown
        yield (driver, handle) if handle is not None else (None, None)
