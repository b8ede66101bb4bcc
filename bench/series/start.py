"""What precedes a warm search: its preparation and its first call.

Compiled code is loaded before the clock starts, so that neither time depends on the machine's code
cache; `command.py` times whole processes.
"""

from series import verified
from series.table import LISTERS
from series.verified import Answered, prepared, preparing

INSTANCES = ("both", "parker", "wrong-wordle")


class Prepare(Answered):
    """Plan, tables, upload: everything a search does once."""

    params = (LISTERS, INSTANCES)
    param_names = ("backend", "instance")
    version = "1"
    rounds = 2
    repeat = (1, 20, 2.0)
    timeout = 300

    def setup(self, backend: str, instance: str) -> None:
        """Prepare once, so that code is compiled and loaded, and check its answer."""
        verified.short(backend, instance)
        verified.answers(backend, instance)

    def time_prepare(self, backend: str, instance: str) -> None:
        """Prepare once more."""
        preparing(backend, instance)


class First(Answered):
    """The first call of a newly prepared search."""

    params = (LISTERS, INSTANCES)
    param_names = ("backend", "instance")
    version = "1"
    rounds = 2
    repeat = (1, 10, 2.0)
    warmup_time = 0
    timeout = 300

    def setup(self, backend: str, instance: str) -> None:
        """Prepare for each call."""
        verified.short(backend, instance)
        prepared(backend, instance)
        self.search = preparing(backend, instance)

    def time_first_call(self, _backend: str, _instance: str) -> None:
        """Search."""
        self.answer = self.search.run()
