"""Right answers from a device that has a UUID, which the driver may know."""

from fakes import honest
from fakes.honest import Honest


class Measured(Honest):
    """Says what it runs on, as a search on a GPU does."""

    device = "Model T"
    device_facts = {"name": "Model T", "driver": None, "uuid": "GPU-aa"}  # noqa: RUF012  as backends do


class Fake(honest.Fake):
    """The backend."""

    search = Measured
