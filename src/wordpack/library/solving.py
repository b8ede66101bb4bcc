"""Solve or count a problem, and iterate over the words of its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Unpack, cast

import numpy as np

from wordpack.backend.base import Options
from wordpack.compiled.threads import check_threads
from wordpack.errors import InputError
from wordpack.library import others
from wordpack.library.clusters import Cluster, planned, solved_where
from wordpack.library.problems import Rules, Words, problem
from wordpack.library.showing import data_frame, html_table, refuse_unknown
from wordpack.packing import realization
from wordpack.packing.answer import Packings, concatenate, verify
from wordpack.solving.listing import PART
from wordpack.solving.report import Report, Request
from wordpack.text.output import columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from wordpack.backend.base import Backend
    from wordpack.solving.instances import Instance

SHOWN = 10
"""Number of solutions that a notebook shows."""


class Choices(Rules, Cluster, total=False):
    """How and where to search, and the rules of `problem`."""

    threads: int
    """CPU threads (default: all usable cores)."""
    chunk: int
    """How many first words a thread takes at a time."""
    work: bool
    """Also return the algorithm's own counters, from an extra untimed run."""


class Counted(NamedTuple):
    """The exact numbers of packings and solutions, counted without listing them."""

    packings: int
    solutions: int
    verified: str | None
    """'expected', 'agreed' or 'valid'; None if nothing confirms the count."""
    backend: str
    seconds: float | None
    """Search time; None if the count is not verified."""
    work: dict[str, int]
    """The algorithm's own counters, if requested."""


class Answer:
    """A verified answer; iterate over it to get each solution as a tuple of words.

    Solutions are in alphabetical order by the problem's alphabet, and groups in the problem's
    order. An answer of more than ten million solutions is not kept: each iteration searches again,
    yields solutions in search order, and holds one part at a time.
    """

    def __init__(self, report: Report) -> None:
        """Wrap the report of a search."""
        self._report = report
        self.packings: int = report.counts.packings
        """Sets of signatures that share no letter, an exact int."""
        self.solutions: int = report.counts.solutions
        """Choices of words, an exact int: a packing with anagrams has several."""
        self.verified: str | None = report.verified
        """'expected', 'agreed' or 'valid', as METHODOLOGY defines them."""
        self.backend: str = report.row.name
        self.device: str = report.search.device
        """The device that searched, such as 'cpu, 2 threads'."""
        self.seconds: float | None = report.seconds["search"]
        """Time of the search alone; `times` has the other steps."""
        self.times: dict[str, float | None] = dict(report.seconds)
        """Seconds of load, prepare, search and realize."""
        self.digest: str | None = report.digest
        """sha256 (hex) of all packings; None if there were too many to hold."""
        self.work: dict[str, int] = dict(report.work)
        """The algorithm's own counters, if requested."""
        self.dropped: dict[str, int] = report.loaded.dropped.counts()
        """Number of dropped lines of the word lists, by the rule that dropped them."""

    @property
    def instance(self) -> Instance:
        """The problem that was solved."""
        return self._report.request.instance

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        """Yield each solution as a tuple of words."""
        groups = self._report.loaded.signatures
        if self._report.held is not None:
            table = realization.solution_ranks(self._report.held, groups)
            yield from realization.to_words(
                table, realization.solution_labels(self._report.held, groups)
            )
            return
        for part in self._parts():
            yield from realization.solutions(part, groups)

    def signatures(self) -> npt.NDArray[np.unsignedinteger]:
        """Return the masks of each packing, in canonical order.

        An array (packings, picks) of uint32, or of uint64 for alphabets of more than 32 letters.
        Bit i is letter i of the alphabet. The columns of each group are next to each other.
        """
        found = self._report.held
        if found is None:
            found = concatenate(self._report.loaded.problem, list(self._parts()))
        groups = found.problem.groups
        masks = [
            group.masks[rows] for group, rows in zip(groups, found.canonical().rows, strict=True)
        ]
        return np.concatenate(masks, axis=1) if masks else np.empty((found.n, 0), np.uint32)

    def to_pandas(self) -> object:
        """Return the solutions as a pandas DataFrame with a column per word."""
        return data_frame(list(self), self._columns())

    def _parts(self) -> Iterator[Packings]:
        """Search again, and yield verified parts."""
        report = self._report
        options = report.request.options
        search = report.row.load().prepare(report.loaded.problem, options)
        for part in search.parts(PART):
            verify(part)
            yield part

    def _columns(self) -> list[str]:
        return columns(self._report.loaded.problem.picks)

    def __repr__(self) -> str:
        """Say in one line what was found, how it was verified, and what found it."""
        return (
            f"<{self.instance.name}: {self.packings:,} packings, {self.solutions:,} solutions, "
            f"{self.verified}, by {self.backend} on {self.device}>"
        )

    def _repr_html_(self) -> str:
        """Show the first solutions as a table."""
        rows = []
        if self._report.held is not None:
            rows = [row for row, _ in zip(self, range(SHOWN), strict=False)]
        return html_table(repr(self)[1:-1], self._columns(), rows, self.solutions - len(rows))


def solve(
    words: Words | Instance | None = None,
    /,
    *,
    backend: str | type[Backend] = "auto",
    progress: bool = False,
    **choices: Unpack[Choices],
) -> Answer:
    """Find all packings of a problem, verified.

    `words` and the rules are those of `problem`. `backend` is a name from `backends()` or a
    subclass of `wordpack.backend.base.Backend`. `progress` shows a progress bar in a terminal or
    notebook. With `cluster`, the workers of a Dask cluster share the search. Raises InputError for
    bad input, WrongAnswer if verification fails, Unavailable if the backend cannot run here.

    Examples
    --------
    >>> from wordpack import solve
    >>> for words in solve("both"):
    ...     print(*words)
    fjord gucks nymph vibex waltz
    >>> solve(["cat", "dog", "pig", "cow"], count=2, length=3).packings
    3
    """
    return Answer(_report(words, backend, choices, progress=progress, count_only=False))


def count(
    words: Words | Instance | None = None,
    /,
    *,
    backend: str | type[Backend] = "auto",
    progress: bool = False,
    **choices: Unpack[Choices],
) -> Counted:
    """Return the exact numbers of packings and solutions, without listing them.

    The arguments and errors are those of `solve`. By default the backend with the shortest
    estimated time counts.

    Examples
    --------
    >>> from wordpack import count
    >>> found = count("3x7")
    >>> found.packings, found.solutions, found.verified
    (1593, 1877, 'expected')
    """
    report = _report(words, backend, choices, progress=progress, count_only=True)
    counts = report.counts
    return Counted(
        counts.packings,
        counts.solutions,
        report.verified,
        report.row.name,
        report.seconds["search"],
        dict(report.work),
    )


def _report(
    words: Words | Instance | None,
    backend: str | type[Backend],
    choices: Choices,
    *,
    progress: bool,
    count_only: bool,
) -> Report:
    function = "count" if count_only else "solve"
    refuse_unknown(function, choices, Choices.__optional_keys__)
    threads, chunk = choices.get("threads"), choices.get("chunk")
    check_threads(threads)
    if chunk is not None and chunk < 1:
        raise InputError(f"`chunk` is {chunk}: it must be at least 1")
    rules = {name: value for name, value in choices.items() if name in Rules.__optional_keys__}
    name = others.named(backend)
    plan = planned(choices, name)
    if plan is not None and (threads or chunk):
        raise InputError(
            "`threads` and `chunk` are for one process: leave them out; each worker of a cluster "
            "runs as many slices at once as it has threads"
        )
    request = Request(
        problem(words, **cast("Rules", rules)),
        name,
        Options(count_only=count_only, threads=threads, chunk=chunk),
        work=choices.get("work", False),
        progress=progress,
    )
    return solved_where(request, plan)
