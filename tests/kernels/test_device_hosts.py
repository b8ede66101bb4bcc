"""The same few searches on every host of the device code: the first test of a new GPU."""

from collections.abc import Callable

import pytest

from wordpack.backend.base import Options
from wordpack.kernels.device import cuda_host, opencl_host
from wordpack.kernels.device.device import Device
from wordpack.kernels.device.device_search import DeviceSearch
from wordpack.kernels.search.bitset_rows import BitsetRows
from wordpack.kernels.search.planner import choose
from wordpack.packing.answer import Counts, Packings, verify
from wordpack.solving.instances import instance
from wordpack.solving.loading import load

pytestmark = pytest.mark.slow

OPEN: dict[str, Callable[[], Device]] = {
    "opencl": opencl_host.the_device,
    "cuda": cuda_host.the_device,
}


@pytest.mark.parametrize("host", OPEN)
@pytest.mark.parametrize(("widest", "rows"), [(None, None), (100, 7)], ids=["whole", "slices"])
def test_parker(host: str, widest: int | None, rows: int | None) -> None:
    """Digest, counts and nodes, with room for everything and with almost none."""
    known = instance("parker")
    assert known.expected is not None
    problem, device = load(known.spec).problem, OPEN[host]()
    search = DeviceSearch(problem, Options(max_buffer=rows), choose(problem), device, widest)
    found = search.run(work=True)
    assert isinstance(found, Packings)
    verify(found)
    assert found.digest() == known.expected.digest
    assert found.work == BitsetRows().prepare(problem, Options()).run(work=True).work
    if widest:
        assert search.levels.launched > 10
        assert search.levels.grown > 0
    parts = list(search.parts(100))
    assert max(map(len, parts)) <= 100
    assert sum(map(len, parts)) == 538
    counting = DeviceSearch(problem, Options(count_only=True), choose(problem), device, widest)
    for _ in range(2):
        assert counting.run() == Counts(538, 831)
