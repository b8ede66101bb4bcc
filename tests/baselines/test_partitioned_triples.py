"""Partitioned triples against published figures, and their counters against a matrix."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from conftest import Command

from wordpack.backend import choosing, registry
from wordpack.backend.base import Options
from wordpack.baselines.partitioned_triples import commonest
from wordpack.compiled.threads import usable_cores
from wordpack.lexicon.alphabet import Alphabet
from wordpack.packing.answer import Packings, verify
from wordpack.packing.problem import Group, Problem
from wordpack.solving.instances import INSTANCES
from wordpack.solving.loading import load

pytestmark = pytest.mark.slow

ROW = registry.row("partitioned_triples")
WRONG_WORDLE = INSTANCES["wrong-wordle"]


@pytest.fixture(scope="module")
def whole() -> Problem:
    """Return wrong-wordle's problem."""
    return load(WRONG_WORDLE.spec).problem


def only(group: Group, chosen: npt.NDArray[np.bool_]) -> Group:
    return replace(group, masks=group.masks[chosen], weights=group.weights[chosen])


@pytest.fixture(scope="module")
def sample(whole: Problem) -> Problem:
    """Return the answers with at most three different letters and the guesses with at most four."""
    answers, guesses = whole.groups
    return Problem((only(answers, answers.sizes <= 3), only(guesses, guesses.sizes <= 4)), 26)


def run(problem: Problem, **options: int) -> Packings:
    found = ROW.load().prepare(problem, Options(**options)).run(work=True)
    assert isinstance(found, Packings)
    verify(found)
    return found


@pytest.fixture(scope="module")
def alone(sample: Problem) -> Packings:
    """Return the sample's answer with one thread."""
    return run(sample, threads=1)


def triangles(adjacency: npt.NDArray[np.bool_]) -> int:
    """Count a graph's triangles: a sixth of the closed walks of three steps."""
    matrix = adjacency.astype(np.float64)
    return round(float(((matrix @ matrix) * matrix).sum())) // 6


def test_the_key_has_the_published_letters(whole: Problem) -> None:
    letters = [Alphabet().letters_of(1 << letter) for letter in commonest(whole)]
    assert sorted("".join(letters)) == sorted("seaoriltnu")


def test_triples_listed_are_triangles_of_the_graph(sample: Problem, alone: Packings) -> None:
    """For each answer, three guesses that fit it and each other form a triangle."""
    answers, guesses = sample.groups
    expected = 0
    for answer in answers.masks:
        own = guesses.masks[(guesses.masks & answer) == 0]
        expected += triangles((own[:, None] & own[None, :]) == 0)
    assert expected > 1_000_000
    assert alone.work["iterations"] == expected


@pytest.mark.parametrize("threads", sorted({1, usable_cores(), usable_cores() + 1}))
@pytest.mark.parametrize("chunk", [1, 7])
def test_rows_and_counters_do_not_depend_on_threads(
    sample: Problem, alone: Packings, threads: int, chunk: int
) -> None:
    found = run(sample, threads=threads, chunk=chunk, max_buffer=1)
    assert len(found) > 0
    assert found.digest() == alone.digest()
    assert {name: found.work[name] for name in alone.work} == alone.work


def test_a_race_shows_the_refusal_as_a_row(wordpack: Command) -> None:
    """Neither a crash nor an answer: the reason, beside a backend that accepts the problem."""
    both = ("--backend", ROW.name, "--backend", "rarest_letter")
    outcome = wordpack("race", "toy", *both, "--repeat", "1")
    assert outcome.status == 0
    said = " ".join(outcome.out.split())
    assert f"{ROW.name}: refused: it pairs triples: one word of a list with six of another" in said
    outcome = wordpack("solve", "toy", "--backend", ROW.name)
    assert (outcome.status, outcome.out) == (2, "")
    assert "cannot take this problem: it pairs triples" in outcome.err


def test_another_shape_is_refused_with_a_reason(whole: Problem) -> None:
    """Five words of one list, or five guesses, cannot be two triples."""
    answers, guesses = whole.groups
    for groups in [(replace(guesses, count=5),), (answers, replace(guesses, count=5))]:
        refusal = ROW.load().accepts(Problem(groups, whole.letters), Options())
        assert refusal is not None
        assert refusal.kind == "shape"
    assert ROW.load().accepts(whole, Options()) is None
    assert choosing.choose(ROW.name, whole, Options()).row is ROW
