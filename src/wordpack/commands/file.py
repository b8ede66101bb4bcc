"""A file that an option names."""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class File(os.PathLike[str]):
    """A path as it was typed. A Path would drop a leading ./, which the instance's name shows."""

    name: str

    def __fspath__(self) -> str:
        """Return the path."""
        return self.name
