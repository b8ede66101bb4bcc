"""Dancing links: a packing as an exact cover of the letters, found by Knuth's Algorithm X.

Letters are items and words are options. Every letter must be covered once; an unused letter is
covered by a one-letter option, of which at most `slack` are used. A group is an item that its words
cover as often as it picks; it is left out if the letters allow no other number. The search
(exact_cover.py) branches on the letter with the fewest options left, in a tie on the first in the
alphabet.
Cost: parker tries 182,830 options (`--work` counts all but the root's 92).
Source: davidad's Rust program (2022; published: 0.795 s with one thread, and 92 branches of the
root), after Knuth, TAOCP 4B, section 7.2.2.1.
"""

import numpy as np

from wordpack.backend.base import Backend, Options, Refusal
from wordpack.backend.threaded_search import SharedSearch
from wordpack.baselines.exact_cover import Links, Matrix
from wordpack.compiled.jit import versions
from wordpack.compiled.threads import usable_cores
from wordpack.packing.problem import Group, Problem

AFFORDABLE = 1e11
"""Estimated partial packings in list order; this search visits few, in microseconds each."""

CHUNK = 16
"""Second-level branches that a thread takes; one of parker's 92 first-level ones has 59 %."""


class DancingLinks(Backend):
    """Algorithm X on letters."""

    def probe(self) -> str:
        """Return the compiler's versions; raise Unavailable without numba."""
        return versions()

    def accepts(self, problem: Problem, _options: Options) -> Refusal | None:
        """Refuse words without letters, and by cost searches that take hours."""
        if any(group.count and not group.masks.all() for group in problem.groups):
            return Refusal("shape", "a word without letters covers no item")
        if problem.estimated_nodes > AFFORDABLE:
            return Refusal("cost", f"it may visit {problem.estimated_nodes:.0e} partial packings")
        return None

    def prepare(self, problem: Problem, options: Options) -> SharedSearch:
        """Link all options, number the branches of two levels, compile, start the threads.

        Threads take branches of the second level. The counter `branches` is the number of options
        of the root's letter; nodes_2, nodes_3 ... are the options tried at the levels below.
        """
        threads = options.threads or usable_cores()
        links = Links(matrix(problem), [group.count for group in problem.groups], threads)
        names = tuple(f"nodes_{level}" for level in range(2, links.levels + 1))
        return SharedSearch(
            *(problem, options, links.branches, names, links.search, {"branches": links.at_root}),
            chunk=CHUNK if threads > 1 else None,
        )


def matrix(problem: Problem) -> Matrix:
    """Return the exact cover problem; it has no options if no packing can exist."""
    letters, picking = problem.letters, [g for g, group in enumerate(problem.groups) if group.count]
    groups = [problem.groups[g] for g in picking]
    slack = letters - sum(int(np.sort(group.sizes)[: group.count].sum()) for group in groups)
    if problem.impossible:
        picking, groups, slack = [], [], 0
    counts = [] if _forced(groups, slack) else [group.count for group in groups]
    multiplicity = counts + [slack] * (slack > 0)
    tables = []
    for place, group in enumerate(groups):
        table = np.zeros((len(group.masks), letters + len(multiplicity)), bool)
        bits = np.arange(letters, dtype=group.masks.dtype)
        table[:, :letters] = (group.masks[:, None] >> bits) & bits.dtype.type(1)
        if counts:
            table[:, letters + place] = True
        tables.append(table)
    if slack > 0:
        unused = np.eye(letters, letters + len(multiplicity), dtype=bool)
        unused[:, -1] = True
        tables.append(unused)
    none = np.zeros((0, letters + len(multiplicity)), bool)
    option, item = np.nonzero(np.concatenate([none, *tables]))
    sizes = [len(group.masks) for group in groups]
    rest = letters if slack > 0 else 0
    return Matrix(
        letters,
        multiplicity,
        len(counts),
        option,
        item,
        np.repeat(np.array([*picking, -1], np.int32), [*sizes, rest]),
        np.concatenate([np.arange(n, dtype=np.int32) for n in (*sizes, rest)]),
        np.concatenate([*(group.weights for group in groups), np.ones(rest, np.int64)]),
    )


def _forced(groups: list[Group], slack: int) -> bool:
    """Whether every cover that leaves at most `slack` letters has the right number of words."""
    if len(groups) != 1:
        return not groups
    count, sizes = groups[0].count, np.sort(groups[0].sizes)
    # one more word would need more letters than are left; one fewer would leave too many
    more = count == len(sizes) or int(sizes[count]) > slack
    return more and int(sizes[:count].sum()) > int(sizes[len(sizes) - count + 1 :].sum())
