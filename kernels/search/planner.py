"""Choose the plan whose search has the lowest estimated cost.

The first plan uses the letters' cut and a hitting set, rarest letter first. If random descents
estimate that its search is cheap, it is used as it is, since planning must not cost more than it
saves. Otherwise other orders and gates are estimated too, and if it may save a tenth of a second
or more, the dual of the packing LP is added.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

import wordpack.kernels.search.plan as plans
from wordpack.backend.base import Refusal
from wordpack.kernels.search.buckets import Files, widths
from wordpack.kernels.search.hitting_set import hitting_cut
from wordpack.kernels.search.lp_dual import dual_cut
from wordpack.kernels.search.plan import Cut, Gate, Plan, Words
from wordpack.kernels.search.probes import estimate
from wordpack.packing.problem import Problem

FEW, MANY = 50, 500
"""Descents for the first estimate, and for a comparison of plans."""

CHEAP = 3e5
"""Nodes searched in the time it takes to try another plan: 5 to 10 ms."""

LONG = 5e6
"""Nodes above which an LP may pay off: about 10 ms for ten thousand words."""

AFFORDABLE = 3e11
"""Nodes of an hour or two, at about 20 ns each."""


class Planned:
    """A plan, its filed words, and the estimated nodes of its search."""

    def __init__(self, plan: Plan, probes: int = MANY) -> None:
        while plan.cuts and sum(widths(plan)) > 64:  # noqa: PLR2004  of one number
            plan = replace(plan, cuts=plan.cuts[:-1])
        self.plan, self.files = plan, Files(plan)
        self.nodes = estimate(self.files, probes)
        """(picks,) float64: estimated nodes of 1, 2, ... words."""
        self.cost = 0.0 if plan.proves_empty else float(self.nodes.sum())


def refusal(problem: Problem) -> Refusal | None:
    """Refuse searches that would take hours and groups whose counts exceed 64 bits."""
    if sum(group.count.bit_length() + 1 for group in problem.groups if group.count) > 64:  # noqa: PLR2004
        return Refusal("shape", "it counts the words still to come of all groups in 64 bits")
    # the estimate in list order is free, and for nearly every list higher than the plan's
    if problem.estimated_nodes > AFFORDABLE:
        nodes = choose(problem).cost
        if nodes > AFFORDABLE:
            return Refusal("cost", f"it would visit about {nodes:.0e} partial packings")
    return None


def nothing_to_plan(problem: Problem) -> bool:
    """Whether there is no word to pick, or no way to pick enough of them."""
    return bool(problem.impossible) or problem.picks == 0


def choose(problem: Problem) -> Planned:
    """Return the cheapest plan, by estimate, of those worth trying.

    There must be something to plan. Groups of count 0 are ignored.
    """
    words = Words(Problem(tuple(g for g in problem.groups if g.count), problem.letters))
    cuts: tuple[Cut, ...] = (plans.letters_cut(words), hitting_cut(words))
    best = Planned(Plan(words, cuts, plans.rarest_first(words, cuts)), FEW)
    if best.cost > CHEAP:
        best = _cheapest(best.plan)
    if best.cost > LONG:
        plan = best.plan
        cuts = (dual_cut(plan.words), *plan.cuts)
        best = min(best, _cheapest(replace(plan, cuts=cuts)), key=lambda planned: planned.cost)
    return best


def planned_for(problem: Problem) -> Planned | None:
    """Return the plan of `choose`, or None if no word can begin a packing."""
    if nothing_to_plan(problem):
        return None
    planned = choose(problem)
    return planned if len(planned.files.slots) and not planned.plan.proves_empty else None


def _cheapest(plan: Plan) -> Planned:
    """Return the cheapest variant of `plan`: other orders, and groups of one word first."""
    return min((Planned(other) for other in _others(plan)), key=lambda planned: planned.cost)


def _others(plan: Plan) -> Iterator[Plan]:
    words = plan.words
    sizes = np.bincount(words.group)
    single = sorted(np.flatnonzero(words.counts == 1).tolist(), key=lambda group: sizes[group])
    # no gate, each single-word group alone before all letters, then all of them, smallest first
    first = [(), *([group] for group in single), *([single] if len(single) > 1 else [])]
    orders = [order(words, plan.cuts) for order in (plans.rarest_first, plans.heaviest_first)]
    for order, groups in product(orders, first):
        yield replace(plan, order=order, gates=tuple(Gate(0, group) for group in groups))
