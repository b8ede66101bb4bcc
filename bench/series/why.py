"""Why a search has no time: a code for each backend and instance, stored beside the times.

asv stores NaN for n/a and drops the reason. The sentences for the codes are in
`src/wordpack/results/reasons.py`.
"""

from series import games, verified
from series.table import BACKENDS, COUNTING, FAMILIES, INSTANCES, PLAYERS, PLAYS

Reason = int | str
"""A code, or the message of an error in the package, which is a failure, not a reason."""


def reason(backend: str, name: str) -> Reason:
    """Find out whether a backend would be measured; being unable to run precedes being slow."""
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
    """A code instead of a time."""

    params = (BACKENDS, (*INSTANCES, *FAMILIES))
    param_names = ("backend", "instance")
    version = "1"
    unit = "reason"
    timeout = 120

    def setup_cache(self) -> dict[tuple[str, str], Reason]:
        """Find all reasons in one process, so that each parameter's process imports no library."""
        pairs = [(backend, name) for backend in BACKENDS for name in INSTANCES]
        pairs += [(backend, name) for backend in COUNTING for name in FAMILIES]
        return {pair: reason(*pair) for pair in pairs}

    def setup(self, found: dict[tuple[str, str], Reason], backend: str, name: str) -> None:
        """Skip, as n/a, what no series measures."""
        if (backend, name) not in found:
            raise NotImplementedError(f"no series counts {name} with {backend}")

    def track_reason(self, found: dict[tuple[str, str], Reason], backend: str, name: str) -> Reason:
        """Return the code; an error in the package fails this backend alone."""
        answer = found[backend, name]
        if isinstance(answer, int):
            return answer
        raise RuntimeError(answer)


class WhyGames(Why):
    """A code for each backend and play of whole games."""

    params = (PLAYERS, PLAYS)

    def setup_cache(self) -> dict[tuple[str, str], Reason]:
        """Find all reasons in one process."""
        return {(backend, name): reason(backend, name) for backend in PLAYERS for name in PLAYS}
