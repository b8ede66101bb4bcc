"""What stands at a path, asked without an error: what cannot be looked at is not there.

A Path's own methods raise for names that are too long and for folders that may not be entered; what
then opens the path says why it cannot.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def exists(path: Path | str) -> bool:
    """Return whether something stands there, at the end of links."""
    return os.path.exists(path)  # noqa: PTH110  see above


def is_folder(path: Path | str) -> bool:
    """Return whether a folder stands there."""
    return os.path.isdir(path)  # noqa: PTH112  see above


def is_file(path: Path | str) -> bool:
    """Return whether a file stands there."""
    return os.path.isfile(path)  # noqa: PTH113  see above
