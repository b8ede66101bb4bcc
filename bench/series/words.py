"""From a list to its problem, and from packings back to words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from series import verified

if TYPE_CHECKING:
    from series.verified import Loaded, Ranks


class Load:
    """Read a list, filter it, and group its words by signature."""

    params = ("wordle", "wordle-12947", "both", "parker", "parker-words", "wrong-wordle")
    param_names = ("instance",)
    version = "1"
    rounds = 2
    repeat = (5, 30, 2.0)
    loaded: Loaded | None = None

    def setup(self, instance: str) -> None:
        """Read once, so that code is compiled and loaded, and check the result."""
        verified.found(instance)
        self.load, self.spec = verified.package().load, verified.instance(instance).spec

    def time_load(self, _instance: str) -> None:
        """Load."""
        self.loaded = self.load(self.spec)

    def teardown(self, instance: str) -> None:
        """Compare the problem with the one that gave the checked packings."""
        again, self.loaded = self.loaded, None
        if again is None:
            return
        for one, other in zip(
            again.problem.groups, verified.loaded(instance).problem.groups, strict=True
        ):
            if (one.masks != other.masks).any() or (one.weights != other.weights).any():
                raise verified.wrong(f"loading {instance} gave another problem")


class Realize:
    """Turn checked packings into every choice of words, sorted."""

    params = ("wordle", "parker", "wrong-wordle")
    param_names = ("instance",)
    version = "1"
    rounds = 2
    repeat = (3, 30, 2.0)
    ranks: Ranks | None = None
    words: list[tuple[str, ...]] | None = None

    def setup(self, instance: str) -> None:
        """Search once per process."""
        names = verified.package()
        self.solution_ranks, self.solutions = names.solution_ranks, names.solutions
        self.packings = verified.found(instance)
        self.signatures = verified.loaded(instance).signatures

    def time_ranks(self, _instance: str) -> None:
        """Realize as indices of words."""
        self.ranks = self.solution_ranks(self.packings, self.signatures)

    def time_words(self, _instance: str) -> None:
        """Realize as words."""
        self.words = list(self.solutions(self.packings, self.signatures))

    def teardown(self, instance: str) -> None:
        """Check that there are as many distinct rows as solutions."""
        rows = self.words if self.words is not None else self.ranks
        self.words = self.ranks = None
        if rows is None:
            return
        expected = verified.instance(instance).expected
        different = len(set(map(tuple, rows)))
        if expected is None or (len(rows), different) != (expected.solutions,) * 2:
            raise verified.wrong(f"{len(rows)} rows of {instance}, {different} of them different")
