"""Choose a plan by what a search with it is estimated to cost.

The first plan is the letters' cut with a hitting set, the rarest letter first. Where random
descents say that this is cheap it is taken as it is: planning must not cost more than it saves.
Otherwise other orders and gates are tried in the same way, and where it may save a tenth of a
second or more, the dual of the packing LP.
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
"""Descents for a first look, and for a choice."""

CHEAP = 3e5
"""Nodes that take no more time than to try another plan: 5 to 10 ms."""

LONG = 5e6
"""Nodes that may be worth an LP: some 10 ms for ten thousand words."""

AFFORDABLE = 3e11
"""Nodes, at some 20 ns each: an hour or two."""


class Planned:
    """A plan, its words filed, and about how many nodes a search meets."""

    def __init__(self, plan: Plan, probes: int = MANY) -> None:
        while plan.cuts and sum(widths(plan)) > 64:  # noqa: PLR2004  of one number
            plan = replace(plan, cuts=plan.cuts[:-1])
        self.plan, self.files = plan, Files(plan)
        self.nodes = estimate(self.files, probes)
        """(picks,) float64: of 1, 2, ... words."""
        self.cost = 0.0 if plan.proves_empty else float(self.nodes.sum())


def refusal(problem: Problem) -> Refusal | None:
    """Refuse what would take hours, and more groups than 64 bits can count."""
    if sum(group.count.bit_length() + 1 for group in problem.groups if group.count) > 64:  # noqa: PLR2004
        return Refusal("shape", "it keeps how many words all groups still supply in 64 bits")
    # the estimate in list order costs nothing, and is above the plan's for nearly every list
    if problem.estimated_nodes > AFFORDABLE:
        nodes = choose(problem).cost
        if nodes > AFFORDABLE:
            return Refusal("cost", f"some {nodes:.0e} partial packings would be met")
    return None


def nothing_to_plan(problem: Problem) -> bool:
    """Whether there is no word to pick, or no way to pick as many as are due."""
    return bool(problem.impossible) or problem.picks == 0


def choose(problem: Problem) -> Planned:
    """Return the plan with the least estimated cost of those that were worth trying.

    There is something to plan; groups that supply nothing take no part.
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
    """Return the plan of `choose`; None if no word is left to begin a packing with."""
    if nothing_to_plan(problem):
        return None
    planned = choose(problem)
    return planned if len(planned.files.slots) and not planned.plan.proves_empty else None


def _cheapest(plan: Plan) -> Planned:
    """Return the cheapest of `plan` with other orders, and with groups of one word first."""
    return min((Planned(other) for other in _others(plan)), key=lambda planned: planned.cost)


def _others(plan: Plan) -> Iterator[Plan]:
    words = plan.words
    sizes = np.bincount(words.group)
    single = sorted(np.flatnonzero(words.counts == 1).tolist(), key=lambda group: sizes[group])
    # each alone before all letters, and all of them, the smallest first
    first = [(), *([group] for group in single), *([single] if len(single) > 1 else [])]
    orders = [order(words, plan.cuts) for order in (plans.rarest_first, plans.heaviest_first)]
    for order, groups in product(orders, first):
        yield replace(plan, order=order, gates=tuple(Gate(0, group) for group in groups))
