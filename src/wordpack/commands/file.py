"""A file given as an option."""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class File(os.PathLike[str]):
    """A path as typed; a Path would drop the leading ./ that the instance's name shows."""

    name: str

    def __fspath__(self) -> str:
        """Return the path."""
        return self.name
