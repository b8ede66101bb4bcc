"""Query paths without raising: a path that cannot be examined does not exist.

A Path's own methods raise for names that are too long and for folders that may not be entered. Code
that opens the path later reports the reason.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def exists(path: Path | str) -> bool:
    """Return whether the path exists, following links."""
    return os.path.exists(path)  # noqa: PTH110  see above


def is_folder(path: Path | str) -> bool:
    """Return whether the path is a folder."""
    return os.path.isdir(path)  # noqa: PTH112  see above


def is_file(path: Path | str) -> bool:
    """Return whether the path is a file."""
    return os.path.isfile(path)  # noqa: PTH113  see above
