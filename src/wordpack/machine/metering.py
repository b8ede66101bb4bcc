"""What device a search runs on, and what a timed region cost there: energy and throttling.

The driver is asked before and after the region, never inside it. Its energy counter moves in
steps of some 20 to 100 ms, so that only longer regions have a meaningful figure.
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
    """Return what `search` and the driver say of its device; None for one on the processor.

    The driver is asked about a device that has a `uuid` or a `pci_bus_id` among the search's
    facts; where both know, the search's own word stands.
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
    """Give a mapping that is complete once the block has ended; it stays empty without a driver.

    `facts` are those of `facts_of`; None, as for a search on the processor, asks nobody.
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
    """The parts of a search, and what it took to find those asked for so far."""

    def __init__(self, parts: Iterator[Packings], facts: Facts | None) -> None:
        self._parts, self._facts = parts, facts
        self.seconds = 0.0
        self.readings: Readings = {}
        """Those of `metered`, over all parts: energies added up, the first and the last state."""

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
    """Give the driver and its handle of the device that `facts` name, or None twice.

    They do so by their `uuid`, or where they lack it by their `pci_bus_id`.
    """
    with ExitStack() as stack:
        driver, handle = None, None
        uuid, bus = facts.get("uuid"), facts.get("pci_bus_id")
        if uuid or bus:
            try:
                driver = stack.enter_context(nvml())
                handle = driver.by_uuid(uuid) if uuid else driver.by_bus(str(bus))
            except Unavailable:
                driver = None  # what it would have said stays unknown
        yield (driver, handle) if handle is not None else (None, None)
