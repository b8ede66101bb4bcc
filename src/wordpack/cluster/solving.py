"""`wordpack solve --cluster`: the searches of `solve`, run on the workers of a cluster."""

import hashlib
import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordpack.backend import choosing, registry
from wordpack.backend.base import Options
from wordpack.backend.fallback import Unusable
from wordpack.backend.row import Row
from wordpack.cluster.connection import check, connected
from wordpack.cluster.searching import ClusterSearch, prepared
from wordpack.cluster.sharing import Sharing
from wordpack.errors import InputError
from wordpack.packing import realization
from wordpack.packing.answer import Answer, Packings
from wordpack.packing.problem import Problem
from wordpack.solving.loading import Loaded
from wordpack.solving.report import Report, Request
from wordpack.solving.solve import solve
from wordpack.system.writing import replaced
from wordpack.text.output import Writer

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

    from wordpack.cluster.security import Certificates

MANIFEST = "manifest.json"


@dataclass
class OnCluster:
    """Searches that run on the workers of a cluster."""

    client: "Client"
    plan: Sharing
    stack: ExitStack = field(default_factory=ExitStack)
    search: ClusterSearch | None = None

    def choose(
        self, request: Request, problem: Problem, _unusable: Unusable
    ) -> tuple[Row, dict[str, float]]:
        """Return the backend that plans and cuts the search."""
        return choose_for_slices(request.backend, problem, request.options), {}

    def prepare(self, row: Row, loaded: Loaded, options: Options) -> ClusterSearch:
        """Plan, cut, and open the checkpoint."""
        plan = replace(self.plan, words=_words_of(loaded))
        search = prepared(loaded.problem, options, self.client, row, plan)
        self.search = self.stack.enter_context(search)
        return self.search

    def listed(self, _report: Report) -> Packings | None:
        """List nothing: a search that needs a cluster takes too long to run twice."""
        return None

    def counted_again(self, report: Report) -> Answer:
        """Count on the cluster."""
        return report.search.run(work=True)

    def finished(self, report: Report) -> None:
        """Report how the work was shared; if parts were asked for, describe them."""
        search = self.search
        assert search is not None  # noqa: S101  `prepare` has set it
        report.cluster = {
            "workers": len(search.workers.addresses),
            "slices": len(search.cut),
            "resumed": search.resumed,
            "busy_seconds": search.busy,
        }
        if search.resumed:
            # an earlier run did some of the search
            report.seconds["search"] = None
        if report.request.in_parts:
            _describe(Path(str(self.plan.folder)), report, search)


def _words_of(loaded: Loaded) -> str:
    """Return the sha256 (hex) of all words of a problem, in order."""
    sha = hashlib.sha256()
    for words in loaded.lexicons:
        sha.update("\n".join(words).encode() + b"\n\n")
    return sha.hexdigest()


def solve_on(
    address: str,
    request: Request,
    plan: Sharing,
    security: "Certificates | Security | None" = None,
    write: Callable[[int], Writer] | None = None,
) -> Report:
    """Solve like `solve`, on the cluster at `address`; `security` as for `connected`."""
    check(address, security)
    with connected(address, security) as client, ExitStack() as stack:
        searches = OnCluster(client, plan, stack)
        return solve(request, write, searches)


def _describe(folder: Path, report: Report, search: ClusterSearch) -> None:
    """Write the manifest of the parts and the words behind each index, in the same folder."""
    groups: list[dict[str, Any]] = []
    column = 0
    for i, (signatures, group) in enumerate(
        zip(report.loaded.signatures, report.loaded.problem.groups, strict=True)
    ):
        name = f"signatures-{i}.txt"
        with replaced(str(folder / name)) as stream:
            stream.writelines(f"{label}\n" for label in realization.signature_labels(signatures))
        groups.append({"columns": [column, column + group.count], "signatures": name})
        column += group.count
    manifest = {
        "schema": 1,
        "instance": report.request.instance.name,
        "packings": report.counts.packings,
        "solutions": report.counts.solutions,
        "verified": report.verified,
        "groups": groups,
        "parts": search.files(),
    }
    with replaced(str(folder / MANIFEST)) as stream:
        json.dump(manifest, stream, indent=1)


def choose_for_slices(name: str, problem: Problem, options: Options) -> Row:
    """Return the row that plans and cuts: the named one, or for 'auto' the CPU backend's.

    Raises InputError if it has no slices or cannot take the problem. It need not run here: the
    workers run it.
    """
    able = [row for row in registry.sliceable() if not row.start_up]
    chosen = registry.row(name) if name != "auto" else able[0]
    if not chosen.slices:
        names = ", ".join(row.name for row in registry.sliceable())
        raise InputError(f"{name} cannot run on a cluster: choose one of {names}")
    chosen.check(options)
    return choosing.taking(chosen, problem, options, unasked=name == "auto")
