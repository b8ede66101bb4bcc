"""Where the milliseconds between a file and its packings go: `make figures`.

It prints the stages of one search of parker in order, each a median over turns of the whole
sequence in one warm process. The answer of every turn is verified and its digest compared before
anything is shown. The last lines are the stages of ordering and hashing wrong-wordle's packings.
"""

import hashlib
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TypeVar

import numpy as np
from startup import digest_of, listing, searching

from wordpack.backend.base import Options
from wordpack.compiled.threads import usable_cores
from wordpack.kernels.search.bitset_rows import WholeRows
from wordpack.kernels.search.buckets import Files
from wordpack.kernels.search.hitting_set import hitting_cut
from wordpack.kernels.search.plan import Plan, Words, letters_cut, rarest_first
from wordpack.kernels.search.planner import FEW, Planned
from wordpack.kernels.search.probes import estimate
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.reading import read_embedded, read_file
from wordpack.lexicon.signature import group
from wordpack.machine.hardware import cpu_model
from wordpack.packing.answer import Packings, verify
from wordpack.packing.problem import Group, Problem
from wordpack.packing.realization import solutions
from wordpack.solving.instances import INSTANCES

TURNS = 101
Found = TypeVar("Found")


class Stages:
    """The seconds of each stage, turn by turn."""

    def __init__(self) -> None:
        self._taken: dict[str, list[float]] = defaultdict(list)

    def timed(self, stage: str, run: Callable[[], Found]) -> Found:
        """Return the result of `run`, and record how long it took."""
        started = perf_counter()
        found = run()
        self._taken[stage].append(perf_counter() - started)
        return found

    def show(self) -> None:
        """Print medians, without each stage's first turn."""
        for stage, taken in self._taken.items():
            print(f"{stage:<48}{median(taken[1:]) * 1e6:9.0f} us")


def parker(stages: Stages, path: Path, threads: int) -> None:
    """Go once from the file at `path` to parker's solutions."""
    alphabet = Alphabet()
    stages.timed("the file's bytes, read once more", path.read_bytes)
    lexicon = stages.timed(
        "words of five letters, in order", lambda: read_file(str(path), alphabet, length=5)
    )
    kept = stages.timed("those of different letters", lambda: lexicon.select(repeats=False))
    words = stages.timed("their signatures", lambda: group(kept))
    problem = stages.timed(
        "the problem, and whether it is possible",
        lambda: _possible(Problem((Group(words.masks, 5, words.weights),), 26)),
    )
    filed = stages.timed("plan: words one after the other", lambda: Words(problem))
    letters = stages.timed("plan: the letters' cut", lambda: letters_cut(filed))
    vowels = stages.timed("plan: the hitting set's cut", lambda: hitting_cut(filed))
    order = stages.timed("plan: rarest letters", lambda: rarest_first(filed, (letters, vowels)))
    plan = Plan(filed, (letters, vowels), order)
    files = stages.timed("plan: files and rows", lambda: Files(plan))
    stages.timed(f"plan: {FEW} random descents", lambda: estimate(files, FEW))
    planned = Planned(plan, FEW)
    search = stages.timed(
        "threads and their room", lambda: WholeRows(problem, Options(threads=threads), planned)
    )
    found = stages.timed(f"search on {threads} threads", search.run)
    assert isinstance(found, Packings)  # noqa: S101  it lists
    rows = stages.timed("831 solutions as words", lambda: list(solutions(found, (words,))))
    verify(found)
    if found.digest() != digest_of(INSTANCES["parker"]) or len(set(rows)) != 831:  # noqa: PLR2004
        sys.exit("an answer was wrong: nothing is shown")


def _possible(problem: Problem) -> Problem:
    if problem.impossible:
        sys.exit("parker is possible: nothing is shown")
    return problem


def wrong_wordle(stages: Stages, found: Packings, digest: str) -> None:
    """Order and hash all packings of wrong-wordle once."""
    ordered = stages.timed("565,783 packings in canonical order", found.canonical)
    if stages.timed("their digest", found.digest) != digest:
        sys.exit("a digest was wrong: nothing is shown")
    table = np.hstack(ordered.rows).astype(np.uint64)
    stages.timed("of it sha256 alone", lambda: hashlib.sha256(table.data).digest())


def main() -> None:
    """Run all turns and print the medians."""
    print(f"{cpu_model()}, {usable_cores()} usable cores, Python {sys.version.split()[0]}")
    stages, threads = Stages(), usable_cores()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "words_alpha.txt"
        path.write_text("".join(f"{word}\n" for word in read_embedded("words_alpha", Alphabet())))
        for _ in range(TURNS):
            parker(stages, path, threads)
    wrong = INSTANCES["wrong-wordle"]
    found = listing(searching(wrong, "bitset_rows", Options()))
    digest = digest_of(wrong)
    for _ in range(TURNS // 10):
        wrong_wordle(stages, found, digest)
    stages.show()


if __name__ == "__main__":
    main()
