"""The simulation of many workers, on runs whose length can be worked out by hand."""

import pytest
from scaling_model import Costs, simulate

FREE = Costs()


def test_one_worker_needs_the_sum() -> None:
    """Without other costs one worker runs one slice after the other."""
    assert simulate([3.0, 1.0, 2.0], 1, FREE) == 6.0


def test_workers_without_end_need_the_longest() -> None:
    """If each slice has its own worker, the longest slice decides."""
    assert simulate([3.0, 1.0, 2.0], 1000, FREE) == 3.0


def test_a_run_without_slices_only_starts() -> None:
    assert simulate([], 7, Costs(start=2.0)) == 2.0


def test_each_worker_pays_for_each_slice() -> None:
    """Two workers with two slices of 1 s each and 0.5 s besides: 3 s."""
    costs = Costs(worker=0.5)
    assert simulate([1.0] * 4, 2, costs) == 3.0


@pytest.mark.parametrize(
    ("costs", "seconds"),
    [
        (Costs(scheduler=0.25), 25.0),
        (Costs(scheduler=0.25, client=0.5, shared=True), 75.0),
        # the client begins when the scheduler has sent the first answer
        (Costs(scheduler=0.25, client=0.5), 50.25),
        # it is done with the last answer after the scheduler's last one
        (Costs(scheduler=0.5, client=0.25), 50.25),
        (Costs(submit=0.25), 25.0),
    ],
)
def test_slices_of_no_length_need_their_messages(costs: Costs, seconds: float) -> None:
    """A hundred slices of no time take as long as the busiest server works."""
    assert simulate([0.0] * 100, 10, costs) == seconds


def test_a_slice_that_waits_hides_the_way_to_the_scheduler() -> None:
    """With one slice in hand and one at work, only the first and the last way are seen."""
    assert simulate([1.0] * 5, 1, Costs(latency=0.25)) == 5.0 + 3 * 0.25


def test_the_next_slice_goes_to_the_thread_that_is_free_first() -> None:
    """The third slice begins at 1.5 s, when the shorter of the first two has ended."""
    assert simulate([8.0, 1.5, 4.0], 2, FREE) == 8.0
    assert simulate([4.0, 1.5, 4.0], 2, FREE) == 1.5 + 4.0


def test_threads_of_a_worker_are_as_good_as_workers() -> None:
    """Ten slots run ten equal slices at once, in any number of processes."""
    for workers, threads in ((10, 1), (2, 5), (1, 10)):
        assert simulate([1.0] * 30, workers, FREE, threads) == pytest.approx(3.0)
