"""Describe a plan: cuts, branching order, usable words, estimated and visited nodes by depth."""

from collections.abc import Iterator

from wordpack.kernels.search.plan import Cut, Plan
from wordpack.kernels.search.planner import Planned
from wordpack.kernels.search.probes import estimate

PROBES = 10_000
"""Descents for a printed estimate; a few milliseconds."""


def lines(planned: Planned, letters: str, visited: list[int] | None) -> Iterator[str]:
    """Yield the explanation of a plan.

    `letters` are the alphabet's letters in bit order. `visited` has a search's nodes by depth; it
    is None if there was no search.
    """
    plan = planned.plan
    yield f"plan, about {planned.cost:.1e} partial packings"
    for cut in plan.cuts:
        yield f"  cut by {cut.name}: {_prices(cut, letters)}"
        yield f"    {_shares(cut)}; budget {cut.budget}"
    if plan.proves_empty:
        yield "  every choice of words overdraws a budget: there is no packing"
    yield f"  branch on {_order(plan, letters)}"
    usable, free = plan.usable, plan.free & plan.usable
    yield f"  {usable.sum():,} of {len(usable):,} signatures can be used; {free.sum():,} of them"
    yield "  are free (below their share in some cut) and tried before all others"
    yield f"  {'words':>7}{'estimated':>16}{'visited':>16}"
    for depth, nodes in enumerate(estimate(planned.files, PROBES).tolist(), 1):
        seen = "not searched" if visited is None else f"{visited[depth - 1]:,}"
        yield f"  {depth:>7}{nodes:>16,.0f}{seen:>16}"


def _prices(cut: Cut, letters: str) -> str:
    """Return the letters grouped by weight, heaviest first."""
    weights = cut.weights.tolist()
    groups = [
        f"{''.join(c for c, w in zip(letters, weights, strict=True) if w == weight)} {weight}"
        for weight in sorted({w for w in weights if w}, reverse=True)
    ]
    return ", ".join(groups)


def _shares(cut: Cut) -> str:
    shares = cut.shares.tolist()
    if len(shares) == 1:
        return f"a word's share is {shares[0]}"
    return "shares by group: " + ", ".join(map(str, shares))


def _order(plan: Plan, letters: str) -> str:
    """Return the branching order, with each gate before its letter."""
    items = []
    for rank, bit in enumerate(plan.order.tolist()):
        items += [f"[word of group {g.group + 1}]" for g in plan.gates if g.rank == rank]
        items.append(letters[bit])
    return " ".join(items)
