"""Why there is no time of a search: a code for each backend and instance, beside the times.

asv stores NaN for what is n/a, and drops the reason. The sentences are in
`src/wordpack/results/reasons.py`.
"""

from series import games, verified
from series.table import BACKENDS, COUNTING, FAMILIES, INSTANCES, PLAYERS, PLAYS

Reason = int | str
"""A code, or the message of an error of the package, which is neither n/a nor a reason."""


def reason(backend: str, name: str) -> Reason:
    """Find out whether a backend would be measured; what cannot run comes before what is long."""
    try:
        if name in PLAYS:
            verified.accepting(backend, games.play(name), name)
            games.short(backend, name)
        else:
            problem = verified.loaded(name).problem
            verified.accepting(backend, problem, name, count_only=name in FAMILIES)
            verified.short(backend, name)
    except verified.Skip as skip:
        return int(skip.code)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return int(verified.package().Reason.RUNS)


class Why:
    """A code, and no timing."""

    params = (BACKENDS, (*INSTANCES, *FAMILIES))
    param_names = ("backend", "instance")
    version = "1"
    unit = "reason"
    timeout = 120

    def setup_cache(self) -> dict[tuple[str, str], Reason]:
        """Find all reasons in one process, so that those of the parameters import no library."""
        pairs = [(backend, name) for backend in BACKENDS for name in INSTANCES]
        pairs += [(backend, name) for backend in COUNTING for name in FAMILIES]
        return {pair: reason(*pair) for pair in pairs}

    def setup(self, found: dict[tuple[str, str], Reason], backend: str, name: str) -> None:
        """Leave out, as n/a, what no series measures."""
        if (backend, name) not in found:
            raise NotImplementedError(f"no series counts {name} with {backend}")

    def track_reason(self, found: dict[tuple[str, str], Reason], backend: str, name: str) -> Reason:
        """Return the code; an error of the package is a failure of this backend alone."""
        answer = found[backend, name]
        if isinstance(answer, int):
            return answer
        raise RuntimeError(answer)


class WhyGames(Why):
    """The same of whole games."""

    params = (PLAYERS, PLAYS)

    def setup_cache(self) -> dict[tuple[str, str], Reason]:
        """Find all reasons in one process."""
        return {(backend, name): reason(backend, name) for backend in PLAYERS for name in PLAYS}
