"""The harness's work on an answer: canonical order, digest, verification."""

from __future__ import annotations

from typing import TYPE_CHECKING

from series import verified

if TYPE_CHECKING:
    from series.verified import Packings


class Order:
    """Packings of an instance in the order of a search."""

    params = ("parker", "wrong-wordle")
    param_names = ("instance",)
    version = "1"
    rounds = 2
    repeat = (3, 30, 2.0)
    ordered: Packings | None = None
    digest: str | None = None

    def setup(self, instance: str) -> None:
        """Search once per process."""
        self.verify, self.packings = verified.package().verify, verified.found(instance)

    def time_canonical(self, _instance: str) -> None:
        """Sort indices inside each packing, then packings."""
        self.ordered = self.packings.canonical()

    def time_digest(self, _instance: str) -> None:
        """Sort by masks and hash."""
        self.digest = self.packings.digest()

    def time_verify(self, _instance: str) -> None:
        """Verify that packings are disjoint, in range and distinct."""
        self.verify(self.packings)

    def teardown(self, instance: str) -> None:
        """Compare the digest with the known one, and the order with a lexicographic sort's."""
        import numpy as np

        expected = verified.instance(instance).expected
        digest, ordered = self.digest, self.ordered
        self.digest = self.ordered = None
        if digest is not None and (expected is None or digest != expected.digest):
            raise verified.wrong(f"the digest of {instance} is not the one known")
        if ordered is None:
            return
        verified.check(ordered, instance)
        table = np.hstack(ordered.rows)
        if (np.lexsort(table.T[::-1]) != np.arange(len(table))).any():
            raise verified.wrong(f"the packings of {instance} are not in order")
