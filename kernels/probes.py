"""Estimate the nodes of a search, depth by depth, from random descents.

Each probe walks from the root down, to one child of all by an even chance; the product of the
numbers of children on the way to a depth is, on average, the number of nodes there. Children are
counted on the files that the search itself walks, so the estimate has no bias; its spread falls
with the root of the number of probes, slowly where few branches own the tree.
Cost: a few microseconds a probe.
Source: Knuth, Estimating the efficiency of backtrack programs (1975).
"""

import numpy as np
import numpy.typing as npt

from wordpack.instructions import lowest, without
from wordpack.jit import Float64s, Int64s, Int64Table, Uint64s, Uint64Table, kernel
from wordpack.kernels.files import Files
from wordpack.kernels.filing import CHARGE, MASK
from wordpack.kernels.steps import next_item, struck


def estimate(files: Files, probes: int) -> npt.NDArray[np.float64]:
    """Return about how many nodes there are of 1, 2, ... words, (picks,); always the same."""
    nodes = np.zeros(files.picks, np.float64)
    kernel(_probe)(
        *(files.cards, files.words, files.rows, files.least, files.first),
        *(files.last, files.costs, files.letter, files.place, files.gates, files.strikes),
        *(files.limits.guards, files.early, np.array([files.limits.start], np.uint64)),
        *(probes, np.zeros((1, 8), np.uint64), nodes),
    )
    return nodes / probes


# linear congruential, Knuth's MMIX
FACTOR, STEP = 6364136223846793005, 1442695040888963407


def _probe(  # noqa: C901, PLR0912, PLR0913  one walk over the files, as the search's
    cards: Uint64Table,
    words: Uint64s,
    rows: Uint64Table,
    least: Uint64s,
    first: Int64s,
    last: Int64s,
    costs: Uint64s,
    letter: Int64s,
    place: Int64s,
    gates: Int64Table,
    strikes: Int64Table,
    guards: Uint64s,
    early: int,
    start: Uint64s,
    probes: int,
    fit: Uint64Table,
    nodes: Float64s,
) -> int:
    """Add to `nodes` what `probes` descents multiply to."""
    one, whole = np.uint64(1), guards[0] | guards[1]
    random = np.uint64(probes)
    for _ in range(probes):
        closed = used = np.uint64(0)
        left, position, block, after = start[0], 0, first[0], 0
        weight = 1.0
        for depth in range(len(nodes)):
            # one child of all seen so far, each by the same chance
            many, word, at, rest, skipped = 0, 0, 0, left, closed
            while position < len(first):
                guard = whole if position else guards[0]
                off = used | struck(left, strikes, strikes.shape[1] if position else early)
                for base in range(block, last[position], 8):
                    if ((left - least[base >> 3]) & guard) != guard:
                        continue
                    lanes = np.uint64(without(words, rows, off, base, fit, 0))
                    while lanes:
                        lane = lowest(lanes)
                        lanes &= lanes - one
                        bits = fit[0, lane]
                        while bits:
                            candidate = (base + lane) * 64 + lowest(bits)
                            bits &= bits - one
                            # free words exclude each other by their order only
                            if position == 0 and candidate < after:
                                continue
                            if ((left - cards[candidate, CHARGE]) & guard) != guard:
                                continue
                            many += 1
                            random = random * np.uint64(FACTOR) + np.uint64(STEP)
                            if (random >> np.uint64(33)) % np.uint64(many) == np.uint64(0):
                                word, at, rest, skipped = candidate, position, left, closed
                if position:
                    left -= costs[position]
                    closed |= one << np.uint64(letter[position])
                position = next_item(closed, left, whole, place, gates)
                if position < len(first):
                    block = first[position]
            if many == 0:
                break
            weight *= many
            nodes[depth] += weight
            left, closed, used = (
                rest - cards[word, CHARGE],
                skipped | cards[word, MASK],
                used | cards[word, MASK],
            )
            position, block, after = 0, word >> 6 & ~7, word + 1
            if at:
                position = next_item(closed, left, whole, place, gates)
                block = first[position] if position < len(first) else 0
    return 0
