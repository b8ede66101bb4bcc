"""The peak host memory of a process that loads, prepares and searches; no device memory."""

from series import verified
from series.table import LISTERS
from series.verified import Answered, prepared


class Memory(Answered):
    """Peak memory of a fresh process, including Python and the libraries."""

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
