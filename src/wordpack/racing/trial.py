"""Try the libraries that backends share, each in its own process, all at the same time.

A library that is installed may still fail: it may refuse another's version, lack its compiler, or
end the process. The only test is to load it, then compile and run a one-line kernel.
Cost: some seconds, the start of the slowest library with an empty cache.
"""

import json
import os
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from time import monotonic

from wordpack.backend import registry
from wordpack.compiled.code_cache import CACHE
from wordpack.errors import InputError, Unavailable
from wordpack.racing import conversation
from wordpack.racing.conversation import Broken
from wordpack.racing.racer_process import Child
from wordpack.racing.talk import Talk

MODULE = "wordpack.racing.trial"

LIMIT = 120.0
"""Seconds that a library may take; on busy cores with an empty cache some need about twenty."""


def _successor(n: int) -> int:
    """Add one: the kernel to compile."""
    return n + 1


def _numba_tried() -> str:
    """Compile and run a kernel; return the versions of numba and its parts."""
    from wordpack.compiled.jit import Kernel, versions

    counted = Kernel(_successor)(1)
    if counted != 2:  # noqa: PLR2004  one and one
        raise Unavailable(f"numba failed its self-test: expected 2, got {counted}.")
    return versions()


def _probed(backend: str) -> str:
    """Return what would run a backend; its probe runs a kernel to find out."""
    return registry.row(backend).load().probe()


TRIALS: dict[str, Callable[[], str]] = {
    "numba": _numba_tried,
    "cupy": partial(_probed, "cuda"),
    "pyopencl": partial(_probed, "opencl"),
}
"""The function that tries each library: it returns versions or raises Unavailable."""


def tried(libraries: Iterable[str]) -> dict[str, tuple[bool, str]]:
    """Return whether each library can be used, with its versions or why it cannot."""
    with ExitStack() as stack:
        children: dict[str, Child | OSError | InputError] = {}
        for library in libraries:
            try:
                # no cache: a kernel compiled earlier would hide a fault
                child = Child(MODULE, {"library": library}, {CACHE: os.devnull})
            except (OSError, InputError) as error:
                children[library] = error
            else:
                stack.callback(child.close)
                children[library] = child
        end = monotonic() + LIMIT
        return {library: _outcome(library, child, end) for library, child in children.items()}


def _outcome(library: str, child: Child | OSError | InputError, end: float) -> tuple[bool, str]:
    if not isinstance(child, Child):
        return False, f"{library} cannot be tried: {child}."
    try:
        message = child.hear(conversation.TRYING, end - monotonic(), lambda _share: None)
    except Broken as reason:
        return False, f"{library} ended the process that tried it: {reason}"
    if message is None:
        return False, f"{library} did not run a one-line kernel within {LIMIT:g} s."
    if isinstance(message, conversation.Usable):
        return True, message.using
    return False, message.reason


def main() -> None:
    """Try the library that the first line names."""
    talk = Talk()
    try:
        using = TRIALS[json.loads(talk.orders.get())["library"]]()
    except Unavailable as reason:
        talk.say(conversation.Unavailable(str(reason)))
    else:
        talk.say(conversation.Usable(using))


if __name__ == "__main__":
    main()
