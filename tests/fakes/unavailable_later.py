"""Right once; its second run notices that it cannot run."""

from fakes import honest
from fakes.unavailable_run import Lost


class LostLater(Lost):
    """A device that is lost after one right answer."""

    right = 1


class Fake(honest.Fake):
    """The backend."""

    search = LostLater
