"""Counting without search: both counters against published counts, closed forms and the oracle."""

import itertools
import json
import math
from math import comb, factorial

import numpy as np
import pytest
from conftest import Command
from hypothesis import given, settings
from hypothesis import strategies as st

from wordpack.backend import choosing, registry
from wordpack.backend.base import Options, Refusal
from wordpack.backend.registry import ROWS
from wordpack.errors import InputError
from wordpack.kernels.counting import letter_sets, state_table
from wordpack.packing.answer import Answer, Counts
from wordpack.packing.problem import Group, Problem
from wordpack.solving import listing
from wordpack.solving.instances import instance
from wordpack.solving.loading import load

pytestmark = pytest.mark.slow

COUNTING = Options(count_only=True)
COUNTERS = ["subset_sums", "merged_states"]
both = pytest.mark.parametrize("name", COUNTERS)


def refusal(name: str, problem: Problem, options: Options = COUNTING) -> Refusal | None:
    return registry.row(name).load().accepts(problem, options)


def counted(name: str, problem: Problem, *, work: bool = False) -> Answer:
    """Return a counter's answer; its algorithm must accept the problem."""
    refused = refusal(name, problem)
    assert refused is None or refused.kind == "cost"
    return registry.row(name).load().prepare(problem, COUNTING).run(work=work)


def group(masks: list[int], count: int, weights: list[int] | int = 1, *, wide: bool) -> Group:
    each = [weights] * len(masks) if isinstance(weights, int) else weights
    return Group(np.array(masks, np.uint64 if wide else np.uint32), count, np.array(each, np.int64))


def every(letters: int, size: int) -> list[int]:
    """Return all masks of `size` letters."""
    return [
        sum(1 << letter for letter in mask) for mask in itertools.combinations(range(letters), size)
    ]


def by_definition(problem: Problem) -> Counts:
    """Count with the oracle, in Python integers."""
    found = registry.row("combinations").load().prepare(problem, Options()).run()
    return found if isinstance(found, Counts) else found.counts()


@both
@pytest.mark.parametrize(
    ("family", "packings", "solutions"),
    [
        ("parker", 538, 831),
        ("parker-words", 831, 831),
        ("wordle", 10, 11),
        ("wordle-12974", 10, 11),
        ("both", 1, 1),
        ("toy", 5, 10),
        ("4x6", 5, 5),
        ("3x7", 1_593, 1_877),
        ("6x4", 41_658_816, 111_898_839),
    ],
)
def test_published_counts(name: str, family: str, packings: int, solutions: int) -> None:
    problem = load(instance(family).spec).problem
    assert counted(name, problem) == Counts(packings, solutions)


def test_merged_states_count_wrong_wordle() -> None:
    """Two groups of masks of two to five letters, and every letter may stay unused."""
    problem = load(instance("wrong-wordle").spec).problem
    assert counted("merged_states", problem) == Counts(565_783, 1_122_348)
    refused = refusal("subset_sums", problem)
    assert refused is not None
    assert refused.kind == "shape"


@pytest.mark.parametrize("family", ["7x3", "8x3", "5x4", "4x5", "3x8", "2x9", "1x5", "13x2"])
def test_both_count_the_same_of_words_alpha(family: str) -> None:
    """Up to 470,983,892,906 packings, which no search could list."""
    problem = load(instance(family).spec).problem
    assert counted("subset_sums", problem) == counted("merged_states", problem)


@both
@pytest.mark.parametrize(
    ("letters", "size", "count", "weight"),
    [
        (1, 1, 1, 1),
        (7, 2, 3, 5),
        (7, 7, 1, 2),
        (12, 3, 4, 1),
        (13, 1, 13, 9),
        (20, 2, 10, 3),
        (26, 1, 26, 1_000),
        (26, 2, 13, 300),
        (24, 3, 8, 7),
        (26, 1, 13, 100_000),
    ],
)
def test_all_masks_of_a_size_have_a_closed_form(
    name: str, letters: int, size: int, count: int, weight: int
) -> None:
    """L! / (s!^k (L-ks)! k!) packings; at most 2^259 solutions."""
    problem = Problem((group(every(letters, size), count, weight, wide=False),), letters)
    left = letters - count * size
    packings = factorial(letters) // (factorial(size) ** count * factorial(left) * factorial(count))
    assert counted(name, problem) == Counts(packings, packings * weight**count)


@pytest.mark.parametrize(
    ("letters", "count", "copies", "weight"),
    [
        (26, 26, 900, 1),
        (13, 9, 3, 2**20),
        (64, 40, 30, 2**62),
        (33, 1, 5, 2**63 - 1),
        (9, 5, 1, 2**62),
    ],
)
def test_packings_beyond_128_bits(letters: int, count: int, copies: int, weight: int) -> None:
    """Equal one-letter words: C(L, k) c^k packings, up to 2^254, and w^k solutions for each."""
    masks = [1 << letter for letter in range(letters)] * copies
    problem = Problem((group(masks, count, weight, wide=letters > 32),), letters)
    packings = comb(letters, count) * copies**count
    expected = Counts(packings, packings * weight**count)
    assert counted("merged_states", problem) == expected
    if refusal("subset_sums", problem) is None:
        assert packings > 2**250
        assert counted("subset_sums", problem) == expected


@pytest.mark.parametrize("letters", [1, 7, 26, 33, 64])
@pytest.mark.parametrize("wide", [False, True])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_one_size_against_the_oracle(letters: int, wide: bool, data: st.DataObject) -> None:
    """Weighted masks of one size, some twice; in wide alphabets they use at most 20 letters."""
    wide = wide or letters > 32
    used = data.draw(st.lists(st.integers(0, letters - 1), min_size=1, max_size=20, unique=True))
    size = data.draw(st.integers(1, max(1, min(4, len(used) // 2))))
    mask = st.sets(st.sampled_from(used), min_size=size, max_size=size).map(
        lambda places: sum(1 << place for place in places)
    )
    masks = data.draw(st.lists(mask, min_size=1, max_size=14))
    masks += data.draw(st.lists(st.sampled_from(masks), max_size=3))
    count = data.draw(st.integers(1, 4))
    weights = data.draw(st.lists(st.integers(1, 9), min_size=len(masks), max_size=len(masks)))
    problem = Problem((group(masks, count, weights, wide=wide),), letters)
    expected = by_definition(problem)
    assert counted("subset_sums", problem) == expected
    assert counted("merged_states", problem) == expected


@pytest.mark.parametrize("letters", [1, 7, 26, 33, 64])
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_any_groups_against_the_oracle(letters: int, data: st.DataObject) -> None:
    """Mixed sizes, empty masks, groups that share masks or pick nothing, weights up to 2^63."""
    mask = st.sets(st.integers(0, letters - 1), max_size=4).map(
        lambda places: sum(1 << place for place in places)
    )
    groups, pool = [], data.draw(st.lists(mask, min_size=1, max_size=8))
    for _ in range(data.draw(st.integers(0, 3))):
        masks = data.draw(st.lists(st.sampled_from(pool) | mask | st.just(0), max_size=7))
        weight = st.integers(1, 3) | st.integers(2**31, 2**63 - 1)
        weights = data.draw(st.lists(weight, min_size=len(masks), max_size=len(masks)))
        groups.append(group(masks, data.draw(st.integers(0, 3)), weights, wide=letters > 32))
    problem = Problem(tuple(groups), letters)
    assert counted("merged_states", problem) == by_definition(problem)


def test_words_without_letters_are_chosen_by_number() -> None:
    """Pick ten of twenty from one list and three of five from another, some with letters."""
    one = group([0] * 20, 10, list(range(1, 21)), wide=False)
    two = group([0, 0, 1, 1, 2], 3, [1, 2, 3, 4, 5], wide=False)
    chosen = list(itertools.combinations(range(1, 21), 10))
    # second list: both empty words and one with a letter, or one empty word and the pairs 1-2
    second = 2 * (3 + 4 + 5) + (1 + 2) * (3 * 5 + 4 * 5)
    packings = comb(20, 10) * (3 + 2 * 2)
    found = counted("merged_states", Problem((one, two), 2))
    assert found == Counts(packings, sum(map(math.prod, chosen)) * second)


@both
def test_more_words_than_letters_have_no_packing(name: str) -> None:
    problem = Problem((group([3, 5, 6, 9], 3, wide=False),), 4)
    found = counted(name, problem, work=True)
    assert isinstance(found, Counts)
    assert (found.packings, found.solutions) == (0, 0)
    assert list(found.work) == ["iterations" if name == "subset_sums" else "kept"]


def test_a_table_grows_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """The states do not depend on the first size of the table."""
    problem = load(instance("4x6").spec).problem
    whole = counted("merged_states", problem, work=True)
    make = state_table.Table.__init__
    monkeypatch.setattr(state_table.Table, "__init__", lambda self, _, width: make(self, 1, width))
    assert counted("merged_states", problem, work=True) == whole


def test_states_that_differ_in_one_column_have_slots_of_their_own() -> None:
    """In a small table they collide while looking for a slot, even past its end."""
    states = [(used, owed) for used in (0, 1, 2**63) for owed in (1, 2)]
    slots = np.zeros((8, state_table.NUMBERS + 2), np.uint64)
    with np.errstate(over="ignore"):
        for order in itertools.permutations(states):
            slots[:] = 0
            for state in order:
                at = state_table._slot(slots, *map(np.uint64, state))
                assert not slots[at, state_table.OWED]
                slots[at, : state_table.NUMBERS] = state


def test_a_word_too_long_hides_no_shorter_one_behind_it() -> None:
    """Among ab, a, b and b, in this order, a goes with either b."""
    problem = Problem((group([0b11, 0b01, 0b10, 0b10], 2, wide=False),), 2)
    assert counted("merged_states", problem) == Counts(2, 2)


@both
def test_a_search_can_run_again(name: str) -> None:
    """The second run is not affected by the first."""
    problem = load(instance("toy").spec).problem
    search = registry.row(name).load().prepare(problem, COUNTING)
    assert search.run() == search.run() == Counts(5, 10)


def test_the_first_counter_is_confirmed_by_the_other_not_by_a_search() -> None:
    """A search would have to visit every packing."""
    problem = load(instance("3x5@toy").spec).problem
    names = [("subset_sums", "merged_states"), ("rarest_letter", "subset_sums")]
    for name, other in [*names, ("merged_states", "subset_sums")]:
        found = choosing.confirming(registry.row(name), problem, COUNTING)
        assert found is registry.row(other)


def test_a_count_too_long_to_list_is_confirmed(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "LISTED", 2)
    options = ("3x5@toy", "--count-only", "--backend", "rarest_letter", "--format", "json")
    assert json.loads(wordpack("solve", *options).out)["verified"] == "agreed"


def test_too_many_states_end_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_table, "MOST_BYTES", 1 << 16)
    search = (
        registry.row("merged_states").load().prepare(load(instance("4x6").spec).problem, COUNTING)
    )
    with pytest.raises(InputError, match=r"more than 65,536 bytes: choose another backend"):
        search.run()


@both
def test_a_counter_lists_nothing(name: str) -> None:
    problem = Problem((group([1, 2], 1, wide=False),), 2)
    refused = refusal(name, problem, Options())
    assert refused is not None
    assert refused.kind == "shape"
    assert "it only counts" in refused.reason
    search = registry.row(name).load().prepare(problem, COUNTING)
    with pytest.raises(NotImplementedError):
        search.parts(1)


def test_only_counters_refuse_to_list() -> None:
    """The table's `counts_only` agrees with `accepts`."""
    counters = {row.name for row in ROWS if row.counts_only}
    assert counters == {*COUNTERS, "subset_sums_cuda", "subset_sums_opencl"}


@pytest.mark.parametrize(
    ("problem", "kind", "reason"),
    [
        (Problem((), 3), "shape", "all from one list"),
        (Problem((group([1], 0, wide=False),), 3), "shape", "at least one word"),
        (Problem((group([], 1, wide=False),), 3), "shape", "same number of letters"),
        (Problem((group([1, 3], 1, wide=False),), 3), "shape", "same number of letters"),
        (Problem((group([0, 0], 1, wide=False),), 3), "shape", "at least one"),
        (Problem((group([1, 2], 1, 2**22, wide=False),), 3), "shape", "4,194,304 at most"),
        (Problem((group([1 << b for b in range(40)], 2, wide=True),), 64), "shape", "2^40"),
        (Problem((group([1 << b for b in range(33)], 2, wide=True),), 64), "cost", "2^33"),
    ],
)
def test_what_subset_sums_refuse(problem: Problem, kind: str, reason: str) -> None:
    refused = refusal("subset_sums", problem)
    assert refused is not None
    assert refused.kind == kind
    assert reason in refused.reason


def test_what_merged_states_refuse() -> None:
    many = tuple(group([0] * 99, 99, wide=False) for _ in range(3))
    refused = refusal("merged_states", Problem(many, 3))
    assert refused is not None
    assert refused.kind == "shape"
    assert "1,000,000 ways to owe" in refused.reason
    pairs = Problem((group(every(64, 2), 20, wide=True),), 64)
    refused = refusal("merged_states", pairs)
    assert refused is not None
    assert refused.kind == "cost"


def test_coefficients_stay_within_64_bits() -> None:
    """The absolute coefficients of all sets add up to C(L, ks) 2^ks, at most 3^L < 2^63."""
    letters = letter_sets.MOST_LETTERS
    assert 3**letters < 2**63 < 3 ** (letters + 1)
    for need in range(letters + 1):
        sizes = range(need + 1)
        whole = sum(comb(letters, n) * comb(letters - n, need - n) for n in sizes)
        assert whole == comb(letters, need) * 2**need <= 3**letters


@both
def test_a_count_is_confirmed_by_another_algorithm(wordpack: Command, name: str) -> None:
    outcome = wordpack("solve", "3x5@toy", "--count-only", "--backend", name)
    other = next(each for each in COUNTERS if each != name)
    assert outcome.status == 0
    assert f"({other} counts the same by another algorithm)" in outcome.err
    found = json.loads(
        wordpack(*("solve", "3x5@toy", "--count-only", "--backend", name, "--format", "json")).out
    )
    assert found["verified"] == "agreed"
    assert found["seconds"]["search"] > 0


def test_two_counts_that_differ_are_an_error(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit status 1, both counts named, nothing on standard output."""
    wrong = registry.Row("wrong", "fakes.miscounter:Fake", "wrong", "a fake", counts_only=True)
    right = registry.row("merged_states")
    monkeypatch.setattr(registry, "ROWS", (wrong, right))
    outcome = wordpack("solve", "3x5@toy", "--count-only", "--backend", "wrong")
    assert (outcome.status, outcome.out) == (1, "")
    assert "wrong counts" in outcome.err
    assert "merged_states" in outcome.err


def test_a_count_that_nobody_confirms_has_no_time(
    wordpack: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without another backend, or if it runs out of memory: not verified, so no time."""
    options = ("solve", "3x5@toy", "--count-only", "--backend", "subset_sums", "--format", "json")
    whole = registry.ROWS
    monkeypatch.setattr(registry, "ROWS", (registry.row("subset_sums"),))
    alone = json.loads(wordpack(*options).out)
    monkeypatch.setattr(registry, "ROWS", whole)
    monkeypatch.setattr(state_table, "MOST_BYTES", 1)
    cramped = json.loads(wordpack(*options).out)
    for found in (alone, cramped):
        assert found["verified"] is None
        assert found["seconds"]["search"] is None


def test_a_race_lists_so_counters_are_refused_in_it(wordpack: Command) -> None:
    arguments = ("--backend", "subset_sums", "--backend", "rarest_letter", "--repeat", "1")
    outcome = wordpack("race", "toy", *arguments)
    assert outcome.status == 0
    assert "subset_sums: refused: it only counts" in " ".join(outcome.out.split())
