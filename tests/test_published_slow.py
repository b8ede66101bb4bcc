"""Published iteration counts that take minutes; in a file of their own, so that they run last."""

from dataclasses import replace
from pathlib import Path

import pytest

from wordpack.alphabet import Alphabet
from wordpack.backend import Options
from wordpack.instances import INSTANCES
from wordpack.lexicon import read_embedded
from wordpack.loading import load
from wordpack.packing import Packings, verify
from wordpack.registry import row
from wordpack.spec import Source, Spec

WORDLE = INSTANCES["wordle"]

both_forms = pytest.mark.parametrize("name", ["filtered_arrays", "filtered_lists"])


def iterations_on(spec: Spec, name: str) -> int:
    """Return the counter of a run whose answer is proven to be that of wordle."""
    answer = row(name).load().prepare(load(spec).problem, Options()).run(work=True)
    assert isinstance(answer, Packings)
    verify(answer)
    assert (len(answer), answer.solutions()) == (10, 11)
    assert WORDLE.expected is not None
    assert answer.digest() == WORDLE.expected.digest
    return answer.work["iterations"]


@both_forms
def test_iterations_with_the_answers_before_the_guesses(name: str) -> None:
    """The list in its stored order makes the sum of the five loops' passes."""
    passes = [5_178, 2_351_679, 55_050_102, 6_110_131, 10]
    assert sum(passes) == 63_517_100
    assert iterations_on(WORDLE.spec, name) == sum(passes)


@both_forms
def test_iterations_with_the_whole_list_sorted_together(name: str, tmp_path: Path) -> None:
    """The order of a file is honoured: the same words sorted make more passes."""
    path = tmp_path / "sorted.txt"
    path.write_text("\n".join(sorted(read_embedded("wordle", Alphabet()))) + "\n")
    (group,) = WORDLE.spec.groups
    source = Source(str(path), embedded=False)
    assert iterations_on(Spec((replace(group, source=source),)), name) == 63_568_707
