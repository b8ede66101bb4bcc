"""The caller's own backend, in a script, a module near it, a function or a notebook."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import wordpack
from wordpack.backend.base import Backend, Search
from wordpack.packing.answer import Packings

CLASS = """
from itertools import combinations
import numpy as np
from wordpack.backend.base import Backend, Search
from wordpack.packing.answer import Packings

class Mine(Backend):
    def probe(self):
        return "Python alone"
    def accepts(self, problem, options):
        return None
    def prepare(self, problem, options):
        return MySearch(problem)

class MySearch(Search):
    device = "cpu, 1 thread"
    def __init__(self, problem):
        self.problem = problem
    def run(self, *, work=False):
        (group,) = self.problem.groups
        masks = group.masks.tolist()
        rows = [row for row in combinations(range(len(masks)), group.count)
                if sum(masks[i] for i in row).bit_count() == 4 * group.count
                and not any(masks[i] & masks[j] for i, j in combinations(row, 2))]
        return Packings.from_table(self.problem, np.array(rows, np.int32).reshape(-1, group.count))
    def parts(self, max_rows):
        return self.run().split(max_rows)
"""
USE = """
import wordpack

WORDS = ["abcd", "efgh", "hgfe", "ijkl", "ajkl"]

def main():
    problem = wordpack.problem(WORDS, count=2, length=4)
    answer = wordpack.solve(problem, backend=Mine)
    assert list(answer) == list(wordpack.solve(problem, backend="combinations"))
    board = wordpack.race(problem, backends=[Mine, "combinations"], repeat=1)
    assert [each.verified for each in board] == ["agreed"] * 2, board
    print(board["Mine"].numbers)

if __name__ == "__main__":
    main()
"""


def run(*arguments: str, folder: Path) -> str:
    """Run Python in `folder`, without PYTHONPATH."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=clean | {"PYTHONSAFEPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# {abcd, efgh|hgfe}, {abcd, ijkl}, {efgh|hgfe, ijkl}, {efgh|hgfe, ajkl}
FOUND = "{'packings': 4, 'solutions': 7}\n"


def test_a_script_has_one(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(CLASS + USE)
    assert run("script.py", folder=tmp_path) == FOUND


def test_a_module_beside_the_script_has_one(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CLASS)
    (tmp_path / "script.py").write_text("from mine import Mine\n" + USE)
    assert run("script.py", folder=tmp_path) == FOUND


def test_what_has_no_file_is_pickled(tmp_path: Path) -> None:
    """In a notebook, too, the class is in __main__, which has no file."""
    assert run("-c", CLASS + USE, folder=tmp_path) == FOUND


def test_what_is_no_backend_is_refused() -> None:
    with pytest.raises(wordpack.InputError, match="is not a backend: give a name, or a subclass"):
        wordpack.solve("toy", backend=int)  # type: ignore[arg-type]


def test_a_wrong_answer_of_ones_own_is_refused() -> None:
    """It is verified like any other answer, and never returned."""

    class Nothing(Search):
        device = "nowhere"

        def __init__(self, problem: object) -> None:
            self.problem = problem

        def run(self, *, work: bool = False) -> Packings:
            raise NotImplementedError

        def parts(self, max_rows: int) -> Iterator[Packings]:  # noqa: ARG002
            return iter([])

    class Finds(Backend):
        def probe(self) -> str:
            return ""

        def accepts(self, _problem: object, _options: object, /) -> None:
            return None

        def prepare(self, problem: object, _options: object, /) -> Search:
            return Nothing(problem)

    with pytest.raises(wordpack.WrongAnswer, match="Finds found 0 packings and 0 solutions of toy"):
        wordpack.solve("toy", backend=Finds)
