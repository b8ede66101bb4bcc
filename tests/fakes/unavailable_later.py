"""Right once; its second run finds out that it cannot run."""

from fakes.honest import accepts, probe
from fakes.unavailable_run import Lost

__all__ = ["accepts", "prepare", "probe"]


class LostLater(Lost):
    """A device that is lost after one right answer."""

    right = 1


prepare = LostLater
