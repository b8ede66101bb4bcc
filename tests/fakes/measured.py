"""Right answers from a device with a UUID that the driver may know."""

from fakes import honest
from fakes.honest import Honest


class Measured(Honest):
    """Reports its device, like a search on a GPU."""

    device = "Model T"
    device_facts = {"name": "Model T", "driver": None, "uuid": "GPU-aa"}  # noqa: RUF012  as backends do


class Fake(honest.Fake):
    """The backend."""

    search = Measured
