"""The most host memory that a process takes to load, prepare and search; no device's memory."""

from series import verified
from series.table import LISTERS
from series.verified import Answered, prepared


class Memory(Answered):
    """Peak of a fresh process, Python and libraries with it."""

    params = (LISTERS, ("both", "parker", "wrong-wordle"))
    param_names = ("backend", "instance")
    version = "1"
    timeout = 300

    def setup(self, backend: str, instance: str) -> None:
        """Prepare."""
        verified.short(backend, instance)
        self.search = prepared(backend, instance)

    def peakmem_run(self, _backend: str, _instance: str) -> None:
        """Search."""
        self.answer = self.search.run()
