"""Published figures that take minutes, in their own file so that they run first."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wordpack.backend.base import Options
from wordpack.backend.registry import row
from wordpack.compiled.threads import usable_cores
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.reading import read_embedded
from wordpack.packing.answer import Packings, verify
from wordpack.solving.instances import INSTANCES
from wordpack.solving.loading import load
from wordpack.solving.spec import Source, Spec

pytestmark = pytest.mark.slow

WORDLE = INSTANCES["wordle"]


def nightly(name: str) -> Any:
    """Return the parameter `name` of a test that takes minutes and runs nightly."""
    skip = os.environ.get("WORDPACK_NIGHTLY") != "1"
    reason = "some minutes of pure Python, run once a night: WORDPACK_NIGHTLY=1 runs it"
    return pytest.param(name, marks=pytest.mark.skipif(skip, reason=reason))


def iterations_on(spec: Spec, name: str) -> int:
    """Return the iterations of a run whose answer is verified to be that of wordle."""
    answer = row(name).load().prepare(load(spec).problem, Options()).run(work=True)
    assert isinstance(answer, Packings)
    verify(answer)
    assert (len(answer), answer.solutions()) == (10, 11)
    assert WORDLE.expected is not None
    assert answer.digest() == WORDLE.expected.digest
    return answer.work["iterations"]


@pytest.mark.parametrize("name", [nightly("filtered_lists"), "filtered_arrays"])
def test_iterations_with_the_answers_before_the_guesses(name: str) -> None:
    """The counter is the sum of the passes of all five loops, for the stored order."""
    passes = [5_178, 2_351_679, 55_050_102, 6_110_131, 10]
    assert sum(passes) == 63_517_100
    assert iterations_on(WORDLE.spec, name) == sum(passes)


@pytest.mark.parametrize("name", [nightly("filtered_lists"), "filtered_arrays"])
def test_iterations_with_the_whole_list_sorted_together(name: str, tmp_path: Path) -> None:
    """A file's order is kept: the same words, sorted, take more passes."""
    path = tmp_path / "sorted.txt"
    path.write_text("\n".join(sorted(read_embedded("wordle", Alphabet()))) + "\n")
    (group,) = WORDLE.spec.groups
    source = Source(str(path), embedded=False)
    assert iterations_on(Spec((replace(group, source=source),)), name) == 63_568_707


def test_wrong_wordle_in_full() -> None:
    """565,783 packings, 1,122,348 solutions, another backend's digest, and other counts."""
    known = INSTANCES["wrong-wordle"]
    problem = load(known.spec).problem
    found = row("partitioned_triples").load().prepare(problem, Options()).run()
    assert isinstance(found, Packings)
    verify(found)
    assert (len(found), found.solutions()) == (565_783, 1_122_348)
    assert known.expected is not None
    assert found.digest() == known.expected.digest
    # counted independently: distinct sets of guesses, and answers by signature and by word
    answers, guesses = found.rows
    assert len(np.unique(np.sort(guesses, axis=1), axis=0)) == 435_846
    occurring = np.unique(answers)
    assert len(occurring) == 414
    assert problem.groups[0].weights[occurring].sum() == 442
    # and packings that use every letter
    used = np.bitwise_or.reduce(problem.groups[1].masks[guesses], axis=1)
    used |= problem.groups[0].masks[answers[:, 0]]
    assert np.count_nonzero(used == 2**26 - 1) == 440


PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Prints a command's peak memory from a new process, since a peak starts at the parent's."""


def test_all_solutions_of_wrong_wordle_go_to_a_file(tmp_path: Path) -> None:
    """Each solution once, seven words that share no letter; two threads need under 1 GiB."""
    target = tmp_path / "rows.csv"
    threads = str(min(2, usable_cores()))
    command = [sys.executable, "-m", "wordpack", "solve", "wrong-wordle", "--threads", threads]
    command += ["--format", "csv", "--output", str(target)]
    measuring = [sys.executable, "-c", PEAK, *command]
    peak = subprocess.run(measuring, check=True, stdout=subprocess.PIPE, text=True).stdout
    # in KiB, but in bytes on macOS
    assert 0 < int(peak) * (1 if sys.platform == "darwin" else 1024) < 1 << 30
    marks = set()
    with target.open() as lines:
        next(lines)
        for line in lines:
            words = line.rstrip().split(",")
            assert len(words) == 7
            assert sum(len(set(word)) for word in words) == len(set("".join(words)))
            marks.add(hash((words[0], *sorted(words[1:]))))
    assert len(marks) == 1_122_348
