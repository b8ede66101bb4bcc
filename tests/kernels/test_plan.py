"""Plans: the equation of a cut, the words it drops, the dual, and the estimates."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from search_answers import oracle
from wordpack.backend.base import Options
from wordpack.kernels.search.bitset_rows import WholeRows
from wordpack.kernels.search.hitting_set import hitting_cut
from wordpack.kernels.search.lp_dual import dual_cut
from wordpack.kernels.search.plan import Cut, Gate, Plan, Words, letters_cut, plain
from wordpack.kernels.search.planner import Planned, choose
from wordpack.kernels.search.probes import estimate
from wordpack.packing.answer import Packings, verify
from wordpack.packing.problem import Group, Problem
from wordpack.solving.instances import instance
from wordpack.solving.loading import load

pytestmark = pytest.mark.slow

Random = np.random.Generator


def odd_problem(random: Random) -> Problem:
    """Make a few groups of weighted masks of 0 to 4 letters, some repeated, of 1 to 64 letters."""
    letters = int(random.choice([1, 2, 5, 8, 11, 26, 32, 33, 63, 64]))
    groups = []
    for count in random.integers(1, 4, random.integers(1, 4)).tolist():
        sizes = random.integers(random.integers(0, 2), 5, random.integers(count, 9))
        masks = [
            sum(1 << int(b) for b in random.choice(letters, min(size, letters), replace=False))
            for size in sizes.tolist()
        ]
        groups.append(Group(np.array(masks, np.uint64), count, random.integers(1, 4, len(masks))))
    return Problem(tuple(groups), letters)


def any_cut(random: Random, words: Words) -> Cut:
    weights = random.integers(0, 4, words.problem.letters)
    return words.cut("any", weights, random.integers(0, 6, len(words.counts)))


def any_plan(random: Random, problem: Problem) -> Plan:
    """Make a plan no planner would make: any cuts, any order, gates anywhere."""
    words = Words(problem)
    cuts = tuple(any_cut(random, words) for _ in range(random.integers(0, 3)))
    order = random.permutation(problem.letters)
    single = [g for g, count in enumerate(words.counts.tolist()) if count == 1]
    chosen = random.permutation(single)[: random.integers(0, len(single) + 1)].tolist()
    ranks = sorted(random.integers(0, problem.letters + 1, len(chosen)).tolist())
    return Plan(words, cuts, order, tuple(map(Gate, ranks, chosen)))


def rows(packings: Packings) -> list[list[int]]:
    verify(packings)
    return np.hstack(packings.canonical().rows).tolist()


def search(problem: Problem, plan: Plan, **options: int) -> Packings:
    found = WholeRows(problem, Options(**options), Planned(plan, 10)).run()
    assert isinstance(found, Packings)
    return found


def test_every_packing_satisfies_the_equation_of_any_cut() -> None:
    """Excesses plus weight left over equal the budget; unusable words are in no packing."""
    random, seen = np.random.default_rng(1), 0
    for _ in range(300):
        problem = odd_problem(random)
        plan = any_plan(random, problem)
        found = oracle(problem)
        edges = np.cumsum([0, *(len(group.masks) for group in problem.groups)])
        for row in np.hstack([r + e for r, e in zip(found.rows, edges, strict=False)]).tolist():
            seen += 1
            used = int(np.bitwise_or.reduce(plan.words.masks[row]))
            assert plan.usable[row].all()
            assert not plan.proves_empty
            for cut in plan.cuts:
                over = sum(w for bit, w in enumerate(cut.weights.tolist()) if not used >> bit & 1)
                assert cut.excess[row].sum() + over == cut.budget
    assert seen > 2000


@pytest.mark.parametrize("seed", range(4))
def test_any_plan_finds_what_the_oracle_finds(seed: int) -> None:
    """Whatever the cuts, the branching order and the gates."""
    random, some = np.random.default_rng(seed), 0
    for _ in range(1000):
        problem = odd_problem(random)
        found = search(problem, any_plan(random, problem), threads=1)
        known = oracle(problem)
        assert rows(found) == rows(known)
        assert found.solutions() == known.solutions()
        some += len(found) > 0
    assert some > 300


@pytest.mark.parametrize("seed", range(2))
def test_the_planners_plans_find_what_the_oracle_finds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even plans that are only made for long searches."""
    monkeypatch.setattr("wordpack.kernels.search.planner.CHEAP", 0)
    monkeypatch.setattr("wordpack.kernels.search.planner.LONG", 0)
    random = np.random.default_rng(100 + seed)
    names = set()
    for _ in range(150):
        problem = odd_problem(random)
        planned = choose(problem)
        found = WholeRows(problem, Options(threads=1), planned).run()
        assert isinstance(found, Packings)
        assert rows(found) == rows(oracle(problem))
        names |= {cut.name for cut in planned.plan.cuts} | {bool(planned.plan.gates)}
    assert names == {"letters", "hitting set", "dual", True, False}


@pytest.mark.parametrize("letters", [62, 63, 64])
@pytest.mark.parametrize("gates", [0, 1, 2, 3, 4])
def test_gates_leave_room_for_the_last_letters(letters: int, gates: int) -> None:
    """The last letter's words are filed under it, although gates come before all letters.

    One list picks both of its two words of the last three letters; each gate has its own word.
    """
    two = np.array([0b011 << (letters - 3), 1 << (letters - 1)], np.uint64)
    one = np.ones(1, np.int64)
    own = (Group(np.array([1 << gate], np.uint64), 1, one) for gate in range(gates))
    problem = Problem((Group(two, 2, np.ones(2, np.int64)), *own), letters)
    words = Words(problem)
    chosen = tuple(Gate(0, own) for own in range(1, gates + 1))
    plan = Plan(words, (letters_cut(words),), np.arange(letters), chosen)
    assert rows(search(problem, plan)) == [[0, 1] + [0] * gates]


def test_a_hitting_set_proves_that_parker_needs_each_vowel_once() -> None:
    """Five words, five vowels: at most one each, except beside the 24 words without any."""
    plan = choose(load(instance("parker").spec).problem).plan
    cut = plan.cuts[1]
    assert "".join(chr(97 + bit) for bit in np.flatnonzero(cut.weights)) == "aeiou"
    assert (cut.budget, int(plan.free.sum())) == (0, 24)


def test_a_cut_alone_can_prove_that_nothing_fits() -> None:
    """Three words that all need one of two letters."""
    masks = np.array([a | b for a in (1, 2) for b in (4, 8, 16, 32)], np.uint32)
    problem = Problem((Group(masks, 3, np.ones(8, np.int64)),), 6)
    assert problem.impossible is None
    assert choose(problem).plan.proves_empty
    assert len(oracle(problem)) == 0


def share(cut: Cut, counts: list[int]) -> float:
    """Return how close the shares of all picks come to the whole weight: the LP's objective."""
    return float((np.array(counts) * cut.shares).sum() / cut.weights.sum())


@pytest.mark.parametrize(
    ("name", "optimum"),
    [
        ("parker", 25 / 26),
        ("wordle-12974", 0.9768485707536028),
        ("4x6", 0.9577106518283135),
        ("wrong-wordle", 0.8761061946902655),
    ],
)
def test_the_dual_reaches_the_lps_optimum(name: str, optimum: float) -> None:
    """The optima are from HiGHS on the same LP (scipy's linprog); rounding costs a little."""
    words = Words(load(instance(name).spec).problem)
    assert share(dual_cut(words), words.counts.tolist()) == pytest.approx(optimum, abs=2e-3)


def test_the_dual_of_an_odd_cycle_is_fractional() -> None:
    """Two edges of a pentagon, spread evenly, give each corner 4/5; no hitting set does."""
    masks = np.array([1 << a | 1 << (a + 1) % 5 for a in range(5)], np.uint32)
    words = Words(Problem((Group(masks, 2, np.ones(5, np.int64)),), 5))
    cut = dual_cut(words)
    assert cut.weights.tolist() == [1] * 5
    assert (cut.shares.tolist(), cut.budget) == ([2], 1)


def test_the_dual_is_never_worse_than_weights_that_anybody_tries() -> None:
    random = np.random.default_rng(5)
    for _ in range(40):
        problem = odd_problem(random)
        words = Words(problem)
        if any(words.masks[words.group == g].min() == 0 for g in range(len(words.counts))):
            continue
        best = share(dual_cut(words), words.counts.tolist())
        for _ in range(50):
            weights = random.integers(0, 3, problem.letters)
            weights[0] += weights.sum() == 0
            heavy = words.bits @ weights
            shares = [heavy[words.group == g].min() for g in range(len(words.counts))]
            tried = words.cut("tried", weights, np.array(shares, np.int64))
            assert share(tried, words.counts.tolist()) <= best + 2e-3


@pytest.mark.parametrize("make", [lambda problem: Planned(plain(problem)), choose])
def test_estimates_are_right_on_average(make: Callable[[Problem], Planned]) -> None:
    """Many descents come close to a search's nodes at every depth that has many."""
    problem = load(instance("parker").spec).problem
    planned = make(problem)
    work = WholeRows(problem, Options(count_only=True), planned).run(work=True).work
    guess = estimate(planned.files, 1_000_000).tolist()
    for depth, nodes in itertools.islice(enumerate(guess, 1), 4):
        assert nodes == pytest.approx(work[f"nodes_{depth}"], rel=0.05)


@pytest.mark.parametrize(
    ("name", "nodes"),
    [
        ("parker", [315, 20_051, 130_179, 55_619, 538]),
        ("wordle", [254, 13_340, 74_713, 12_477, 10]),
        ("wordle-12974", [255, 13_439, 75_268, 12_506, 10]),
    ],
)
def test_without_other_cuts_it_meets_the_communitys_nodes(name: str, nodes: list[int]) -> None:
    """The plain plan is rarest letter first: its published nodes, and the same answer."""
    problem = load(instance(name).spec).problem
    one = WholeRows(problem, Options(), Planned(plain(problem))).run(work=True)
    two = WholeRows(problem, Options(), choose(problem)).run(work=True)
    assert isinstance(one, Packings)
    assert isinstance(two, Packings)
    assert list(one.work.values()) == nodes
    assert sum(two.work.values()) < sum(nodes) / 5
    assert one.digest() == two.digest()


def test_letters_alike_have_the_published_slack() -> None:
    words = Words(load(instance("parker").spec).problem)
    assert letters_cut(words).budget == 1
    assert hitting_cut(words).budget == 0
