"""Families of words_alpha: counts by two counters, and by listing if they are few."""

import pytest

from wordpack.backend import registry
from wordpack.backend.base import Options
from wordpack.kernels.search.bitset_rows import BitsetRows
from wordpack.packing.answer import Counts, Packings, verify
from wordpack.solving.instances import COUNTED, instance
from wordpack.solving.loading import load

COUNTING = Options(count_only=True)


@pytest.mark.parametrize("name", COUNTED)
def test_two_counters_without_common_code_agree(name: str) -> None:
    known = instance(name).expected
    assert known is not None
    problem = load(instance(name).spec).problem
    for counter in ("subset_sums", "merged_states"):
        found = registry.row(counter).load().prepare(problem, COUNTING).run()
        assert found == Counts(known.packings, known.solutions)


@pytest.mark.parametrize("name", [name for name, of in COUNTED.items() if of.packings < 10_000])
def test_those_that_are_few_are_found(name: str) -> None:
    found = BitsetRows().prepare(load(instance(name).spec).problem, Options()).run()
    assert isinstance(found, Packings)
    verify(found)
    assert (len(found), found.solutions()) == (COUNTED[name].packings, COUNTED[name].solutions)


def test_another_list_has_no_known_count() -> None:
    assert instance("6x4").expected is COUNTED["6x4"]
    assert instance("6x4@words_alpha").expected is COUNTED["6x4"]
    assert instance("6x4@wordle").expected is None
