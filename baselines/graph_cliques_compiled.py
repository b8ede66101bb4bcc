"""Graph cliques, compiled: the strategy of graph_cliques on arrays and a bit matrix, on all cores.

The candidates of a partial clique are in an array, in order. Intersecting them with a word's
neighbours keeps the candidates whose bit is set in the word's row of the adjacency matrix.
Cost: one bit test per candidate of each partial clique.
Source: Benjamin Paassen's strategy (2022) as davidad ported it to Rust (published: about 200 s).
"""

from typing import NamedTuple

import numpy as np

from wordpack.backend.base import Backend, Options, Refusal
from wordpack.backend.threaded_search import Integers, SharedSearch
from wordpack.compiled.jit import Int32Table, Int64s, Int64Table, Uint8Table, kernel, versions
from wordpack.packing.answer import Rows
from wordpack.packing.problem import Problem

AFFORDABLE = 1e12
"""Estimated partial packings; a core tests about 1e9 bits per second."""

MOST_WORDS = 60_000
"""Most words whose adjacency matrix, one bit per pair, fits half a gigabyte."""

FALL = 3.0
"""First words have only later words below them, so early ones take most of the time."""


class GraphCliquesCompiled(Backend):
    """Benjamin Paassen's cliques on a bit matrix."""

    def probe(self) -> str:
        """Return the compiler's versions; raise Unavailable without numba."""
        return versions()

    def accepts(self, problem: Problem, _options: Options) -> Refusal | None:
        """Refuse anything but one group, and by cost whatever takes hours or too much memory."""
        if len(problem.groups) != 1 or problem.groups[0].count == 0:
            return Refusal("shape", "a clique has at least one word, and all are from one list")
        if len(problem.groups[0].masks) > MOST_WORDS:
            return Refusal("cost", "the adjacency matrix would need gigabytes")
        if problem.estimated_nodes > AFFORDABLE:
            return Refusal("cost", f"it may visit {problem.estimated_nodes:.0e} cliques")
        return None

    def prepare(self, problem: Problem, options: Options) -> SharedSearch:
        """Build the adjacency matrix, compile, start the threads.

        The counters nodes_1 ... nodes_k are the cliques of 1 ... k words that it meets, as in
        graph_cliques.
        """
        graph = Graph(problem)
        return SharedSearch(problem, options, graph.branches, graph.names, graph.search, fall=FALL)


class Graph:
    """The search by first word: branch i has all cliques whose first word is i."""

    def __init__(self, problem: Problem) -> None:
        group = problem.groups[0]
        self._k, self._weights = group.count, group.weights
        self.branches = len(group.masks)
        self.names = tuple(f"nodes_{depth + 1}" for depth in range(self._k))
        # row i has only later words, eight per byte
        rows = [
            np.packbits(((group.masks & mask) == 0) & (np.arange(self.branches) > word))
            for word, mask in enumerate(group.masks)
        ]
        self._later = np.array(rows, np.uint8).reshape(self.branches, -(-self.branches // 8))
        self._kernel = kernel(_grow)

    def search(
        self, first: int, last: int, rows: Rows, totals: Integers, nodes: Integers, stop: Integers
    ) -> int:
        """Search first words first..last with this thread's own scratch arrays."""
        candidates = np.empty((self._k + 1, self.branches), np.int32)
        scratch = np.empty((3, self._k + 1), np.int64)
        chunk = _Chunk(first, last, rows, totals, nodes, stop)
        return self._kernel(self._later, self._weights, chunk, candidates, scratch)


# rows of the scratch table, one column per depth
AT, SIZE, PICK = range(3)


class _Chunk(NamedTuple):
    """First words first..last, where results go, and the cell that stops the search."""

    first: int
    last: int
    rows: Int32Table
    totals: Int64s
    nodes: Int64s
    stop: Int64s


def _grow(  # noqa: C901  one loop over candidates, deep or not
    later: Uint8Table,
    weights: Int64s,
    chunk: _Chunk,
    candidates: Int32Table,
    scratch: Int64Table,
) -> int:
    """Search the first words of a chunk; return 0 if `rows` was too short, else 1.

    At each depth `candidates` has the SIZE words that fit the whole clique so far; the words from
    AT on are still to be tried.
    """
    k = len(chunk.nodes)
    for root in range(chunk.first, chunk.last):
        depth = 0
        candidates[0, 0] = root
        scratch[SIZE, 0] = 1
        scratch[AT, 0] = 0
        while depth >= 0:
            size, at = scratch[SIZE, depth], scratch[AT, depth]
            if at == 0:
                chunk.nodes[depth] += size
            if at == size or chunk.stop[0]:
                depth -= 1
                continue
            word = candidates[depth, at]
            scratch[AT, depth] = at + 1
            scratch[PICK, depth] = word
            if depth < k - 1:
                kept = 0
                if depth == 0:
                    for other in range(word + 1, len(weights)):
                        candidates[1, kept] = other
                        kept += later[word, other >> 3] >> (7 - (other & 7)) & 1
                else:
                    for place in range(at + 1, size):
                        other = candidates[depth, place]
                        candidates[depth + 1, kept] = other
                        kept += later[word, other >> 3] >> (7 - (other & 7)) & 1
                if kept >= k - 1 - depth:
                    depth += 1
                    scratch[SIZE, depth] = kept
                    scratch[AT, depth] = 0
            elif not _report(weights, chunk, scratch):
                return 0
    return 1


def _report(weights: Int64s, chunk: _Chunk, scratch: Int64Table) -> int:
    """Write down the clique, or count it if there are no rows; return 0 if there is no room."""
    rows, totals, k = chunk.rows, chunk.totals, len(chunk.nodes)
    if len(rows):
        if totals[0] == len(rows):
            return 0
        for d in range(k):
            rows[totals[0], d] = scratch[PICK, d]
    else:
        product = 1
        for d in range(k):
            product *= weights[scratch[PICK, d]]
        totals[1] += product
    totals[0] += 1
    return 1
