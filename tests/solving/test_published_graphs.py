"""Neighbour pairs and graph cliques against published figures, and against each other."""

from dataclasses import replace

import numpy as np
import pytest

from wordpack.backend import registry
from wordpack.backend.base import Options
from wordpack.compiled.threads import usable_cores
from wordpack.packing.answer import Packings, verify
from wordpack.packing.problem import Group, Problem
from wordpack.solving.instances import INSTANCES
from wordpack.solving.loading import load

pytestmark = pytest.mark.slow

CHUNKS = {160: 1, 380: 1, 470: 1, 560: 1, 600: 2, 680: 1, 1640: 1, 2090: 2}
"""Chunks of ten first words in which the author's program finds packings, and how many."""


def run(backend: str, problem: Problem, **options: int) -> Packings:
    found = registry.row(backend).load().prepare(problem, Options(**options)).run(work=True)
    assert isinstance(found, Packings)
    verify(found)
    return found


def by_letters(instance: str) -> Problem:
    return load(INSTANCES[instance].spec).problem


def sample(step: int) -> Problem:
    """Every step-th signature of parker."""
    (group,) = by_letters("parker").groups
    masks = group.masks[::step]
    return Problem((Group(masks, 5, np.ones(len(masks), np.int64)),), 26)


@pytest.mark.parametrize("threads", sorted({1, usable_cores()}))
def test_neighbour_pairs_tests_the_published_leaves_in_the_published_chunks(threads: int) -> None:
    """4,387 words, 649,362,243 fifth words tested, ten packings from the published chunks."""
    found = run("neighbour_pairs", by_letters("wordle-12947"), threads=threads, chunk=10)
    chunks = {f"chunk_{first}": n for first, n in CHUNKS.items()}
    assert found.work == {"kept": 4387, "leaves": 649_362_243} | chunks
    assert len(found) == 10
    assert found.digest() == INSTANCES["wordle"].expected.digest  # type: ignore[union-attr]


def test_leaves_do_not_depend_on_chunks_that_nobody_asked_for() -> None:
    work = run("neighbour_pairs", by_letters("wordle-12947")).work
    assert work == {"kept": 4387, "leaves": 649_362_243}


def test_compiled_cliques_run_parker_in_full() -> None:
    found = run("graph_cliques_compiled", by_letters("parker"))
    assert found.digest() == INSTANCES["parker"].expected.digest  # type: ignore[union-attr]
    assert found.work["nodes_1"] == 5977
    assert found.work["nodes_5"] == 538


@pytest.mark.parametrize("step", [7, 11])
def test_both_clique_searches_meet_the_same_cliques(step: int) -> None:
    """Python sets and the bit matrix agree in rows and in counters by depth."""
    problem = sample(step)
    sets, bits = run("graph_cliques", problem), run("graph_cliques_compiled", problem)
    assert sets.work == bits.work
    assert sets.work["nodes_3"] > 0
    assert sets.digest() == bits.digest()


def test_pairs_of_a_sample_are_counted_as_leaves() -> None:
    """With two words to pick, each disjoint pair is one leaf and one packing."""
    (group,) = sample(20).groups
    masks = group.masks
    fitting = (masks[:, None] & masks[None, :]) == 0
    pairs = int(np.triu(fitting, 1).sum())
    found = run("neighbour_pairs", Problem((replace(group, count=2),), 26))
    assert len(found) == pairs
    assert found.work["leaves"] == pairs


def test_parker_is_too_much_for_sets_unless_asked_for() -> None:
    refusal = registry.row("graph_cliques").load().accepts(by_letters("parker"), Options())
    assert refusal is not None
    assert refusal.kind == "cost"
