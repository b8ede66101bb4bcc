"""How a search grows with its list: nested samples of the signatures of words_alpha.

No sample's count is known, so `subset_sums` counts it too; it does not search and shares no
code with the timed search.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from series import verified

if TYPE_CHECKING:
    from series.verified import Answer, Counts, Problem, Search

SEED = 2022
COUNTER = "subset_sums"


@cache
def sample(share: float) -> Problem:
    """Return parker with the first part of a fixed permutation of its signatures."""
    import numpy as np

    whole = verified.loaded("parker").problem
    (group,) = whole.groups
    order = np.random.default_rng(SEED).permutation(len(group.masks))
    kept = np.sort(order[: round(share * len(order))])
    names = verified.package()
    some = names.Group(group.masks[kept], group.count, group.weights[kept])
    problem: Problem = names.Problem((some,), whole.letters)
    return problem


@cache
def searching(backend: str, share: float) -> Search:
    """Return a search of the sample, prepared once per process."""
    return verified.preparing_problem(backend, sample(share), f"{share:.0%} of parker")


@cache
def counted(share: float) -> Counts:
    """Return the sample's counts, found without a search."""
    name = f"{share:.0%} of parker"
    counter = verified.preparing_problem(COUNTER, sample(share), name, count_only=True)
    answer = counter.run()
    assert isinstance(answer, verified.package().Counts)  # noqa: S101  it only counts
    return answer


class Growth:
    """Listing all packings of a share of the list."""

    params = (
        ("bitset_rows", "cuda", "opencl", "rarest_letter", "dancing_links", "neighbour_pairs"),
        (0.125, 0.25, 0.5, 1.0),
    )
    param_names = ("backend", "share")
    version = "1"
    rounds = 2
    repeat = (1, 30, 1.0)
    timeout = 300
    answer: Answer | None = None

    def setup(self, backend: str, share: float) -> None:
        """Prepare once in a process."""
        if share == 1:
            verified.short(backend, "parker")
        self.search = searching(backend, share)

    def time_run(self, _backend: str, _share: float) -> None:
        """Search."""
        self.answer = self.search.run()

    def teardown(self, backend: str, share: float) -> None:
        """Compare the answer with the counts."""
        answer, self.answer = self.answer, None
        if answer is None:
            return
        names = verified.package()
        if not isinstance(answer, names.Packings):
            raise verified.wrong(f"{backend} did not list")
        names.verify(answer)
        known, got = counted(share), answer.counts()
        if (got.packings, got.solutions) != (known.packings, known.solutions):
            raise verified.wrong(
                f"{backend} found {got.packings} packings of {share:.0%} of parker, and {COUNTER} "
                f"counts {known.packings}"
            )
