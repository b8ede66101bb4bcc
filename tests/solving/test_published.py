"""The published counts of the named instances, and the counters that prove faithfulness."""

import math
from dataclasses import replace

import pytest

from wordpack.backend.base import Options
from wordpack.backend.registry import of_workload, row
from wordpack.backend.row import Row
from wordpack.packing import realization
from wordpack.packing.answer import Counts, Packings, verify
from wordpack.solving.instances import INSTANCES
from wordpack.solving.loading import Loaded, load
from wordpack.solving.spec import Spec

PUBLISHED = {
    "parker": (538, 831),
    "parker-words": (831, 831),
    "wordle": (10, 11),
    "wordle-12974": (10, 11),
    "wordle-12947": (10, 11),
    "both": (1, 1),
    "wrong-wordle": (565_783, 1_122_348),
    "toy": (5, 10),
}
ONE_GROUP = [name for name in PUBLISHED if name != "wrong-wordle"]


def with_rules(name: str, **rules: int) -> Loaded:
    spec = INSTANCES[name].spec
    return load(Spec(tuple(replace(part, **rules) for part in spec.groups)))  # type: ignore[arg-type]


def found_by(backend: Row, loaded: Loaded, *, work: bool = False) -> Packings:
    answer = backend.load().prepare(loaded.problem, Options()).run(work=work)
    assert isinstance(answer, Packings)
    verify(answer)
    return answer


def words_of(found: Packings, loaded: Loaded) -> list[tuple[str, ...]]:
    return sorted(realization.solutions(found, loaded.signatures))


def test_instances_expect_the_published_counts() -> None:
    expected = {name: known.expected for name, known in INSTANCES.items()}
    assert {name: (e.packings, e.solutions) for name, e in expected.items() if e} == PUBLISHED


@pytest.mark.parametrize("name", ONE_GROUP)
def test_rarest_letter_finds_the_known_packings(name: str) -> None:
    """Counts, digest, count-only counts, and words that are different and disjoint."""
    loaded = load(INSTANCES[name].spec)
    found = found_by(row("rarest_letter"), loaded)
    assert (len(found), found.solutions()) == PUBLISHED[name]
    expected = INSTANCES[name].expected
    assert expected is not None
    assert found.digest() == expected.digest
    search = row("rarest_letter").load().prepare(loaded.problem, Options(count_only=True))
    assert search.run() == Counts(*PUBLISHED[name])
    words = words_of(found, loaded)
    assert len(set(words)) == PUBLISHED[name][1]
    assert all(len(set("".join(five))) == 25 for five in words)


@pytest.mark.parametrize(
    ("name", "nodes"),
    [
        ("parker", [315, 20_051, 130_179, 55_619, 538]),
        ("wordle", [254, 13_340, 74_713, 12_477, 10]),
        ("wordle-12974", [255, 13_439, 75_268, 12_506, 10]),
    ],
)
@pytest.mark.parametrize("count_only", [False, True])
def test_rarest_letter_visits_the_published_nodes(
    name: str, nodes: list[int], count_only: bool
) -> None:
    """The partial packings at each depth, also if nothing is listed."""
    options = Options(count_only=count_only)
    search = row("rarest_letter").load().prepare(load(INSTANCES[name].spec).problem, options)
    assert search.run(work=True).work == {f"nodes_{d + 1}": n for d, n in enumerate(nodes)}


def test_wordle_lists_have_the_same_ten_packings() -> None:
    """The published programs' three lists differ only in words that no packing uses."""
    digests = set()
    for name in ("wordle", "wordle-12974", "wordle-12947"):
        expected = INSTANCES[name].expected
        assert expected is not None
        digests.add(expected.digest)
    assert len(digests) == 1


FIVE_OF_ONE = [
    each
    for each in of_workload("packing")
    if each.name != "partitioned_triples" and not each.counts_only
]


@pytest.mark.parametrize("backend", FIVE_OF_ONE, ids=[each.name for each in FIVE_OF_ONE])
def test_every_backend_of_five_words_solves_toy(backend: Row) -> None:
    """The ten solutions were counted over all sets of five words (lists/SOURCES.md)."""
    loaded = load(INSTANCES["toy"].spec)
    found = found_by(backend, loaded)
    first = [(one, two) for one in ("ambry", "barmy") for two in ("pungs", "spung")]
    expected = [(one, "fldxt", two, "vejoz", "whick") for one, two in first]
    expected += [("fcomp", "hdqrs", "vibex", "waltz", rest) for rest in ("gunky", "kyung", "junky")]
    expected += [("fjord", "glyph", "muntz", "vibex", rest) for rest in ("swack", "wacks")]
    expected += [("fjord", "gucks", "nymph", "vibex", "waltz")]
    assert words_of(found, loaded) == sorted(tuple(sorted(five)) for five in expected)
    assert len(found) == 5
    known = INSTANCES["toy"].expected
    assert known is not None
    assert found.digest() == known.digest


def test_combinations_tries_every_five_signatures_of_toy() -> None:
    found = found_by(row("combinations"), load(INSTANCES["toy"].spec), work=True)
    assert found.work == {"iterations": math.comb(46, 5)}


def test_both_lists_share_one_solution() -> None:
    loaded = load(INSTANCES["both"].spec)
    signatures = loaded.signatures[0]
    assert (len(signatures.lexicon), len(signatures)) == (6_597, 4_386)
    found = found_by(row("rarest_letter"), loaded)
    assert words_of(found, loaded) == [("fjord", "gucks", "nymph", "vibex", "waltz")]


def test_two_vowels_at_most_lose_three_packings_of_parker() -> None:
    """The filter is a heuristic: 4,950 signatures are left, and 535 of the 538 packings."""
    loaded = with_rules("parker", max_vowels=2)
    assert len(loaded.problem.groups[0].masks) == 4_950
    assert len(found_by(row("rarest_letter"), loaded)) == 535


@pytest.mark.parametrize(
    ("name", "masks"),
    [
        ("parker", [5_977]),
        ("parker-words", [10_175]),
        ("wordle", [5_182]),
        ("wordle-12974", [5_183]),
        ("wordle-12947", [4_387]),
        ("both", [4_386]),
        ("wrong-wordle", [2_050, 6_655]),
        ("toy", [46]),
    ],
)
def test_problems_have_the_published_shapes(name: str, masks: list[int]) -> None:
    loaded = load(INSTANCES[name].spec)
    assert [len(group.masks) for group in loaded.problem.groups] == masks
    counts = [1, 6] if name == "wrong-wordle" else [5]
    assert [group.count for group in loaded.problem.groups] == counts
    words = [int(group.weights.sum()) for group in loaded.problem.groups]
    assert words == [len(each) for each in loaded.lexicons]


def test_wrong_wordle_keeps_words_with_repeated_letters() -> None:
    """2 to 5 different letters each, from all 2,331 answers and all 10,657 guesses."""
    loaded = load(INSTANCES["wrong-wordle"].spec)
    assert [len(each) for each in loaded.lexicons] == [2_331, 10_657]
    sizes = {int(size) for group in loaded.problem.groups for size in group.sizes}
    assert sizes == {2, 3, 4, 5}
    refusal = row("rarest_letter").load().accepts(loaded.problem, Options())
    assert refusal is not None
    assert refusal.kind == "shape"
