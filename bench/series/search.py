"""The search itself, from prepared inputs to the whole answer on the host, by backend."""

from series import verified
from series.table import COUNTING, FAMILIES, INSTANCES, LISTERS, SLOW
from series.verified import Answered, prepared


class Search(Answered):
    """Listing all packings."""

    params = (LISTERS, INSTANCES)
    param_names = ("backend", "instance")
    version = "1"
    rounds = 2
    # at least one run per round, and more within two seconds
    repeat = (1, 30, 2.0)
    timeout = 300

    def setup(self, backend: str, instance: str) -> None:
        """Prepare once in a process."""
        verified.short(backend, instance)
        self.search = prepared(backend, instance)

    def time_run(self, _backend: str, _instance: str) -> None:
        """Search."""
        self.answer = self.search.run()


class Long(Answered):
    """Listing all packings where it takes two seconds to a minute: run once."""

    params = (SLOW, INSTANCES)
    param_names = ("backend", "instance")
    version = "1"
    rounds = repeat = number = 1
    warmup_time = 0
    min_run_count = 1
    timeout = 900

    def setup(self, backend: str, instance: str) -> None:
        """Prepare once in a process."""
        verified.long(backend, instance)
        self.search = prepared(backend, instance)

    def time_run(self, _backend: str, _instance: str) -> None:
        """Search."""
        self.answer = self.search.run()


class Count(Answered):
    """Exact numbers without a list."""

    params = (COUNTING, FAMILIES)
    param_names = ("backend", "instance")
    version = "1"
    rounds = 2
    repeat = (1, 30, 2.0)
    timeout = 300

    def setup(self, backend: str, instance: str) -> None:
        """Prepare once in a process."""
        self.search = prepared(backend, instance, count_only=True)

    def time_run(self, _backend: str, _instance: str) -> None:
        """Count."""
        self.answer = self.search.run()
