"""Keep local workers from reading files that another user could have written.

Dask starts workers by `python -c`, which looks for modules in the current folder first. What they
cannot hold in memory it writes as pickles, to a folder with the same name for all users.
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
"""How the names of the workers' temporary folders begin."""

SAFE_PATH = "PYTHONSAFEPATH"
"""Python's environment variable that keeps the current folder off the module search path."""


@contextmanager
def private_folder(above: object) -> Iterator[str]:
    """Give a folder for this user alone, in `above` or the temporary folder, until the block ends.

    Python processes started in the block import nothing from the current folder. Raises
    InputError if the folder cannot be made.
    """
    # Dask turns a name such as 17 into a number
    place = Path(str(above or tempfile.gettempdir()))
    leftovers.sweep(place, BESIDE)
    with said_failed(place):
        place.mkdir(parents=True, exist_ok=True)
        folder = tempfile.mkdtemp(prefix=BESIDE, dir=place)
    held = leftovers.hold(Path(folder))
    own = {SAFE_PATH: "1"} | code_cache.for_children()
    before = {name: os.environ.get(name) for name in own}
    # Dask restarts a worker that dies, so this stays set until all have ended
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
