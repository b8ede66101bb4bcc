"""The published systems: who, when, on what machine, which figures, and how to reproduce them.

The figures are their authors'. The tests and `ci/published.py` compare them with what wordpack
finds; `ci/published.py` runs every command of this table and writes docs/published.md.
"""

import re
from dataclasses import dataclass

UNITS = {"days": 86_400.0, "min": 60.0, "s": 1.0, "ms": 1e-3}
"""Seconds per unit of published times."""

PART = re.compile(rf"([0-9.]+) ({'|'.join(UNITS)})\b")
SPAN = re.compile(rf"(?:[0-9.]+ (?:{'|'.join(UNITS)})\b ?)+")
"""One time; a long one has several parts: 14 min 16 s."""


@dataclass(frozen=True)
class Figure:
    """A number that an author published, and ours."""

    what: str
    published: int
    key: str
    """Its key in our command's JSON: packings, solutions, or a name in `work`."""
    ours: int | None = None
    """Our number if it differs, for the reason in `why`."""
    why: str = ""

    @property
    def expected(self) -> int:
        """Return the number that our command must find."""
        return self.published if self.ours is None else self.ours


@dataclass(frozen=True)
class Run:
    """One published run, and our run of the same problem."""

    original: str
    """The author's command line; empty if none was published."""
    time: str
    ours: str
    """The arguments of `wordpack`; empty if it refuses the run."""
    instance: str
    """The named problem."""
    figures: tuple[Figure, ...] = ()

    @property
    def seconds(self) -> tuple[float, ...]:
        """Return the times in `time`: '14 min 16 s to 22 min' is 856 and 1320."""
        spans = (PART.findall(span) for span in SPAN.findall(self.time))
        return tuple(
            round(sum(float(number) * UNITS[unit] for number, unit in span), 6) for span in spans
        )


@dataclass(frozen=True)
class System:
    """One published program."""

    name: str
    backend: str
    author: str
    year: int
    language: str
    machine: str
    runs: tuple[Run, ...]
    note: str = ""


def _counts(packings: int | None, solutions: int | None) -> tuple[Figure, ...]:
    pairs = (("packing", packings), ("solution", solutions))
    return tuple(Figure(_nouns(n, noun), n, f"{noun}s") for noun, n in pairs if n is not None)


def _nouns(n: int, noun: str) -> str:
    return noun if n == 1 else f"{noun}s"


SYSTEMS: tuple[System, ...] = (
    System(
        "combinations",
        "combinations",
        "Matt Parker",
        2022,
        "Python",
        "an old laptop",
        (Run("", "about 32 days", "", "parker"),),
        "538 packings; not run here, because our backend refuses some 1e16 combinations by cost; "
        "it is the oracle of the tests",
    ),
    System(
        "five_clique",
        "graph_cliques",
        "Benjamin Paassen",
        2022,
        "Python",
        "not stated",
        (
            Run(
                "python generate_graph.py; python five_clique.py",
                "14 min 16 s (davidad's laptop) to 22 min",
                "solve parker-words --backend graph_cliques_compiled",
                "parker-words",
                _counts(831, None),
            ),
        ),
        "graph_cliques is the same in Python with sets; it takes minutes, so the compiled backend "
        "is run here, and the tests compare the two",
    ),
    System(
        "five-letters --clique-search",
        "graph_cliques_compiled",
        "davidad (David A. Dalrymple)",
        2022,
        "Rust",
        "davidad's laptop",
        (
            Run(
                "five-letters --clique-search",
                "199 s",
                "solve parker --backend graph_cliques_compiled",
                "parker",
                _counts(538, None),
            ),
        ),
    ),
    System(
        "filtered lists",
        "filtered_lists",
        "Brian Jones",
        2022,
        "Python",
        "first-generation Core i7",
        (
            Run(
                "",
                "2 min 20 s; nearly a minute more on a MacBook Air",
                "solve wordle --backend filtered_lists",
                "wordle",
                (
                    *_counts(10, 11),
                    Figure(
                        "iterations",
                        63_515_889,
                        "iterations",
                        63_517_100,
                        "his answers are in the order in which Wordle used them, ours in "
                        "alphabetical order; from a file in his order (--words) we make 63,515,889",
                    ),
                ),
            ),
        ),
    ),
    System(
        "wordle.c",
        "neighbour_pairs",
        "Luka Kvavilashvili",
        2022,
        "C",
        "M1 Pro, 8 threads",
        (
            Run(
                "./wordle -t 8 -w 10",
                "821 ms",
                "solve wordle-12947 --backend neighbour_pairs --chunk 10",
                "wordle-12947",
                (
                    Figure("words left", 4_387, "kept"),
                    Figure("five-word leaves", 649_362_243, "leaves"),
                    *_counts(10, None),
                    *(
                        Figure(f"{_nouns(n, 'packing')} from chunk {first}", n, f"chunk_{first}")
                        for first, n in (
                            *((160, 1), (380, 1), (470, 1), (560, 1)),
                            *((600, 2), (680, 1), (1640, 1), (2090, 2)),
                        )
                    ),
                ),
            ),
        ),
        "its 218 collisions are those of its hash table; ours has no hash table",
    ),
    System(
        "five-letters",
        "dancing_links",
        "davidad (David A. Dalrymple)",
        2022,
        "Rust",
        "davidad's laptop, 1 thread",
        (
            Run(
                "five-letters",
                "0.795 s; another branch of it 0.45 s with several threads",
                "solve parker --backend dancing_links",
                "parker",
                (*_counts(538, None), Figure("branches", 92, "branches")),
            ),
            Run(
                "five-letters --keep-anagrams",
                "1.69 s",
                "solve parker --keep-anagrams --backend dancing_links",
                "parker-words",
                (*_counts(831, None), Figure("branches", 110, "branches")),
            ),
            Run(
                "five-letters -f words_wordle.txt --keep-anagrams",
                "0.89 s",
                "solve wordle-12974 --keep-anagrams --backend dancing_links",
                "wordle-12974",
                (*_counts(11, None), Figure("branches", 94, "branches")),
            ),
            Run(
                "five-letters --intersect-with words_wordle.txt",
                "0.40 s",
                "solve parker --intersect wordle-12974 --backend dancing_links",
                "both",
                (
                    *_counts(1, 1),
                    Figure(
                        "branches",
                        57,
                        "branches",
                        58,
                        "the original keeps one word of each signature before it intersects, "
                        "which loses words that are in both lists: 3,806 signatures of 4,386 are "
                        "left; from a file of its words (--words) we have 57",
                    ),
                ),
            ),
        ),
    ),
    System(
        "Optimally Wrong Wordle",
        "partitioned_triples",
        "Chance Addis (pure-chance)",
        2025,
        "Rust",
        "a laptop",
        (
            Run(
                "cargo run --release",
                "about 20 s",
                "solve wrong-wordle --backend partitioned_triples",
                "wrong-wordle",
                (
                    Figure(
                        "packings",
                        1_131_566,
                        "packings",
                        565_783,
                        "the original stores each packing in two orders, because it does not sort "
                        "the middle of two triples",
                    ),
                    *_counts(None, 1_122_348),
                ),
            ),
        ),
    ),
    System(
        "parkerwords",
        "rarest_letter",
        "Sylvester Hesp (oisyn)",
        2022,
        "C++",
        "Ryzen 5800X",
        (
            Run(
                "parkerwords",
                "55 ms, including reading the list",
                "solve parker --backend rarest_letter",
                "parker",
                _counts(538, None),
            ),
        ),
    ),
    System(
        "standup5x5",
        "rarest_letter",
        "Stew Forster (stew675)",
        2022,
        "C, AVX2",
        "Ryzen 5950X, 16 threads",
        (
            Run(
                "./v25 -v",
                "0.82 ms, including reading the list",
                "solve parker --backend rarest_letter",
                "parker",
                _counts(538, None),
            ),
        ),
    ),
)

RUNS: tuple[tuple[System, Run], ...] = tuple(
    (system, run) for system in SYSTEMS for run in system.runs
)
