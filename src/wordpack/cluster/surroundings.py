"""What local workers find around them: nothing that another user could have put there.

Dask starts them by `python -c`, which looks for modules in the current folder first, and keeps
what they cannot hold in memory as pickles, in a folder of the same name for all users.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wordpack.cluster.parts import said_failed
from wordpack.compiled import code_cache
from wordpack.system import leftovers

BESIDE = "wordpack-workers-"
"""How the names of their temporary folders begin."""

SAFE_PATH = "PYTHONSAFEPATH"
"""Python's environment variable that keeps the current folder out of the search for modules."""


@contextmanager
def private_folder(above: object) -> Iterator[str]:
    """Give a folder for this user alone, in `above` or the temporary folder, until the block ends.

    Python processes that are started meanwhile import nothing from the current folder. Raises
    InputError if no folder can be made.
    """
    # Dask makes numbers of names such as 17
    place = Path(str(above or tempfile.gettempdir()))
    leftovers.sweep(place, BESIDE)
    with said_failed(place):
        place.mkdir(parents=True, exist_ok=True)
        folder = tempfile.mkdtemp(prefix=BESIDE, dir=place)
    held = leftovers.hold(Path(folder))
    own = {SAFE_PATH: "1"} | code_cache.for_children()
    before = {name: os.environ.get(name) for name in own}
    # one that dies is started again, so it is set until all have ended
    os.environ.update(own)
    try:
        yield folder
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        shutil.rmtree(folder, ignore_errors=True)
        if held is not None:
            os.close(held)
