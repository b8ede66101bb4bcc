"""The device's own time of a search, between two marks of its clock, beside the wall time.

It includes the host's work between two launches, because the device waits for it, but not the
host's work before the first and after the last launch.
"""

from typing import Any

from series import verified
from series.table import DEVICES
from series.verified import prepared

RUNS = 11


class Device:
    """Device time, tracked with all its samples because asv only has the host's clock."""

    params = (DEVICES, ("parker", "wrong-wordle", "4x5"))
    param_names = ("backend", "instance")
    version = "1"
    type = "time"  # what makes asv keep samples and show their spread
    unit = "seconds"
    timeout = 300

    def setup(self, backend: str, instance: str) -> None:
        """Prepare once per process; n/a if the device has no clock that can be read."""
        listed = getattr(verified.instance(instance).expected, "digest", None) is not None
        self.search = prepared(backend, instance, count_only=not listed)
        self.clock: Any = self.search.clock
        if self.clock is None:
            raise NotImplementedError(f"{self.search.device} has no clock that can be asked")

    def track_run(self, _backend: str, instance: str) -> dict[str, object]:
        """Return the samples, without the first run, which touches the memory."""
        samples = []
        for _ in range(RUNS + 1):
            before = self.clock.mark()
            answer = self.search.run()
            after = self.clock.mark()
            samples.append(float(self.clock.seconds_between(before, after)))
            verified.check(answer, instance)
        return {"samples": samples[1:], "number": 1}
