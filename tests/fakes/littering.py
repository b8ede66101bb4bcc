"""Right, but leaves a file in the temporary folder, as a killed compiler does."""

import tempfile
from typing import Any

from fakes import honest


class Fake(honest.Fake):
    """The backend."""

    def prepare(self, problem: Any, options: Any) -> Any:
        """Prepare, and leave a file."""
        tempfile.mkstemp()
        return super().prepare(problem, options)
