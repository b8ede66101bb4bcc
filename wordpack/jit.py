"""Compile a function with numba, kept on disk between processes where a folder can be written.

numba is imported when a backend is probed or prepared, not when its module is imported, so that
listing backends costs nothing and a broken numba is a reason and not a traceback.
"""

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

from wordpack.backend import Unavailable


def versions() -> str:
    """Return numba's and LLVM's versions; raise Unavailable where numba cannot be imported."""
    try:
        numba = importlib.import_module("numba")
        llvmlite = importlib.import_module("llvmlite")
    except ImportError as error:
        raise Unavailable(f"numba cannot be imported ({error}): reinstall it.") from error
    return f"numba {numba.__version__}, llvmlite {llvmlite.__version__}"


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function` compiled without the GIL held; it compiles at its first call."""
    from numba import njit  # noqa: PLC0415  see the module's docstring

    try:
        return njit(cache=True, nogil=True)(function)  # type: ignore[no-any-return]
    except RuntimeError:
        # numba found no folder that it can write, neither beside the source nor in the home
        return njit(nogil=True)(function)  # type: ignore[no-any-return]
