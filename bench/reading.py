"""From a word list's file to the problem, and from packings back to words: `make figures`.

Every figure is a median of runs in one warm process, on one thread. It is shown only after the
run's result was checked: its counts, or the instance's known digest.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TypeVar

from startup import digest_of, listing, searching

from wordpack.backend.base import Options
from wordpack.compiled.threads import usable_cores
from wordpack.lexicon.alphabet import Alphabet
from wordpack.lexicon.reading import read_embedded
from wordpack.machine.hardware import cpu_model
from wordpack.packing.answer import Packings, verify
from wordpack.packing.realization import solution_labels, solution_ranks, to_words
from wordpack.solving.instances import INSTANCES
from wordpack.solving.loading import Loaded, load
from wordpack.solving.spec import Source, Spec

Found = TypeVar("Found")


def shown(what: str, run: Callable[[], Found], right: Callable[[Found], bool], runs: int) -> None:
    """Print the median and least milliseconds of `runs` calls, after a warm-up call."""
    times = []
    for _ in range(runs + 1):
        started = perf_counter()
        found = run()
        times.append(perf_counter() - started)
        if not right(found):
            sys.exit(f"{what} was wrong: nothing is shown")
    counted = times[1:]
    print(f"{what:<44}{median(counted) * 1e3:9.2f} ms  (least {min(counted) * 1e3:.2f})")


def from_file(path: Path, runs: int) -> None:
    """Print the times to load parker's words from a file and to realize its packings."""
    path.write_text("".join(f"{word}\n" for word in read_embedded("words_alpha", Alphabet())))
    parker = INSTANCES["parker"]
    part = replace(parker.spec.groups[0], source=Source(str(path), embedded=False))
    spec = Spec((part,), parker.spec.letters)
    loaded = load(spec)
    packings = listing(searching(parker, "rarest_letter", Options(threads=1)))

    def words(of: Loaded) -> list[tuple[str, ...]]:
        ranks = solution_ranks(packings, of.signatures)
        return list(to_words(ranks, solution_labels(packings, of.signatures)))

    def all_words(rows: list[tuple[str, ...]]) -> bool:
        return len(set(rows)) == 831 and packings.digest() == digest_of(parker)  # noqa: PLR2004

    def known(of: Loaded) -> bool:
        return (len(of.lexicons[0]), len(of.signatures[0])) == (10_175, 5_977)

    shown("370,105 lines to parker's problem", lambda: load(spec), known, runs)
    shown("the same, and 538 packings to 831 solutions", lambda: words(load(spec)), all_words, runs)
    shown("538 packings to 831 solutions", lambda: words(loaded), all_words, runs)
    shown(
        "370,105 lines to what was dropped",
        lambda: load(spec).dropped,
        lambda gone: sum(gone.counts().values()) == 370_105 - 10_175,
        max(3, runs // 20),
    )


def long_answer(runs: int) -> None:
    """Print the times to sort, hash, verify and realize wrong-wordle's packings."""
    wrong = INSTANCES["wrong-wordle"]
    digest, loaded = digest_of(wrong), load(wrong.spec)
    found = listing(searching(wrong, "partitioned_triples", Options()))

    def sorted_and_hashed() -> tuple[Packings, str]:
        return found.canonical(), found.digest()

    shown(
        "565,783 packings to their order and digest",
        sorted_and_hashed,
        lambda answer: (len(answer[0]), answer[1]) == (565_783, digest),
        runs,
    )
    shown("verifying them", lambda: verify(found), lambda _: True, runs)
    shown(
        "them to the indices of 1,122,348 solutions",
        lambda: solution_ranks(found, loaded.signatures),
        lambda ranks: ranks.shape == (1_122_348, 7),
        runs,
    )


def main() -> None:
    """Run all measurements."""
    parser = argparse.ArgumentParser(description="Time reading and realization.")
    parser.add_argument("--runs", type=int, default=100, help="runs of the short steps")
    parser.add_argument("--quick", action="store_true", help="leave out the half-minute search")
    options = parser.parse_args()
    print(f"{cpu_model()}, {usable_cores()} usable cores, Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory() as folder:
        from_file(Path(folder) / "words_alpha.txt", options.runs)
    if not options.quick:
        long_answer(max(3, options.runs // 10))


if __name__ == "__main__":
    main()
