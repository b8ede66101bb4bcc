"""How many slices a search is cut into for a cluster."""

from wordpack.backend import Options
from wordpack.cluster import parts
from wordpack.cluster.searching import MOST, WAVES, slices_for
from wordpack.instances import instance
from wordpack.loading import load
from wordpack.registry import row


def slices(name: str, *, listing: bool, threads: int = 1) -> int:
    """Return how many slices an instance is cut into."""
    problem = load(instance(name).spec).problem
    return slices_for(row("bitset_rows"), problem, Options(count_only=not listing), threads)


def test_a_slice_that_lists_has_no_more_packings_than_a_part() -> None:
    """6x4 has 41,658,816, which are 40 parts; where they are counted its slices are as ever."""
    assert 41_658_816 / parts.ROWS < slices("6x4", listing=True) < MOST
    assert slices("6x4", listing=False) == WAVES


def test_listing_is_work_too() -> None:
    """wrong-wordle is found in 30 ms, and its half a million packings are written in 200 more."""
    assert slices("wrong-wordle", listing=False, threads=3) == 1
    assert slices("wrong-wordle", listing=True, threads=3) == 3 * WAVES


def test_what_is_short_is_not_cut() -> None:
    """A search of milliseconds is one slice, whatever the workers."""
    assert slices("parker", listing=True, threads=100) == 1
