"""Compiled triples of disjoint words: count them by key, list them in partitions, pair them.

Each word has a row of bits with the later words disjoint from it, so the third words of a pair are
the bits that two rows share. A triple's key is its lowest bits, the common letters. Triples are
first counted, then listed. So each triple is written once, straight into its partition, and
partitions without a partner are not written at all.
Cost: one step per triple, two for triples that are written, and one comparison per pair tested.
Source: pure-chance's Rust program lists, partitions and pairs; the rows of bits are standard.
"""

from typing import NamedTuple

import numpy as np

from wordpack.compiled.instructions import lowest
from wordpack.compiled.jit import Int32s, Int32Table, Int64s, Uint64s, Uint64Table


def count_triples(  # noqa: C901  nested loops, one per member of a triple
    masks: Uint64s,
    bits: Uint64Table,
    sizes: Int64s,
    starts: Int64s,
    useful: Int64s,
    counters: Int64s,
    stop: Int64s,
) -> int:
    """Count the disjoint triples by key; return how many are in partitions with a partner.

    `bits` gets a row per guess, with the later guesses disjoint from it. `starts` gets where
    partitions begin; those without a partner are empty. `useful` says which keys are part of a kept
    key. Returns -1 if stopped; the tables are then unusable.
    """
    one, low = np.uint64(1), np.uint64(len(sizes) - 1)
    n, words = bits.shape
    for i in range(n):
        for w in range(i >> 6, words):
            row = np.uint64(0)
            for j in range(max(w << 6, i + 1), min((w + 1) << 6, n)):
                row |= np.uint64((masks[i] & masks[j]) == 0) << np.uint64(j & 63)
            bits[i, w] = row
    sizes[:] = 0
    for i in range(n):
        if stop[0]:
            return -1
        for w in range(i >> 6, words):
            seconds = bits[i, w]
            while seconds:
                j = (w << 6) + lowest(seconds)
                seconds &= seconds - one
                both = masks[i] | masks[j]
                for v in range(w, words):
                    thirds = bits[i, v] & bits[j, v]
                    while thirds:
                        third = masks[(v << 6) + lowest(thirds)]
                        thirds &= thirds - one
                        sizes[np.int64((both | third) & low)] += 1
    for key in range(len(sizes)):
        counters[0] += sizes[key]
    return _keep(sizes, starts, useful)


def _keep(sizes: Int64s, starts: Int64s, useful: Int64s) -> int:  # noqa: C901  two closures
    """Lay out the partitions that have a partner; return the triples in them."""
    full = len(sizes) - 1
    # first: does this key contain any partition's key?
    for key in range(full + 1):
        useful[key] = sizes[key] > 0
    bit = 1
    while bit <= full:
        for key in range(full + 1):
            if key & bit:
                useful[key] |= useful[key ^ bit]
        bit <<= 1
    kept = 0
    for key in range(full + 1):
        starts[key] = kept
        if useful[full ^ key]:
            kept += sizes[key]
    starts[full + 1] = kept
    # then: is this key part of a kept one?
    for key in range(full + 1):
        useful[key] = starts[key + 1] > starts[key]
    bit = 1
    while bit <= full:
        for key in range(full + 1):
            if not key & bit:
                useful[key] |= useful[key | bit]
        bit <<= 1
    return kept


def list_triples(  # noqa: C901, PLR0913  as above; the caller owns the arrays
    masks: Uint64s,
    bits: Uint64Table,
    sizes: Int64s,
    starts: Int64s,
    useful: Int64s,
    unions: Uint64s,
    members: Int32Table,
    stop: Int64s,
) -> int:
    """Write the triples of each kept partition: their letters and their three guesses."""
    one, low = np.uint64(1), np.uint64(len(sizes) - 1)
    n, words = bits.shape
    for key in range(len(sizes)):
        sizes[key] = starts[key]  # from here on: each partition's next free place
    for i in range(n):
        if stop[0]:
            return 0
        if not useful[np.int64(masks[i] & low)]:
            continue
        for w in range(i >> 6, words):
            seconds = bits[i, w]
            while seconds:
                j = (w << 6) + lowest(seconds)
                seconds &= seconds - one
                both = masks[i] | masks[j]
                if not useful[np.int64(both & low)]:
                    continue
                for v in range(w, words):
                    thirds = bits[i, v] & bits[j, v]
                    while thirds:
                        k = (v << 6) + lowest(thirds)
                        thirds &= thirds - one
                        union = both | masks[k]
                        part = np.int64(union & low)
                        if starts[part] < starts[part + 1]:
                            place = sizes[part]
                            sizes[part] += 1
                            unions[place] = union
                            members[place, 0] = i
                            members[place, 1] = j
                            members[place, 2] = k
    return 1


class Triples(NamedTuple):
    """Letters and guesses of triples, by partition; the partition of key p starts at starts[p]."""

    unions: Uint64s
    members: Int32Table
    starts: Int64s


class Picks(NamedTuple):
    """The words of packings: the answer, and the guesses by index and weight."""

    answer: int
    answer_weight: int
    own: Int32s
    weights: Int64s


class Found(NamedTuple):
    """Where results go, and the cell that stops the search."""

    rows: Int32Table
    totals: Int64s
    counters: Int64s
    stop: Int64s


def pair_triples(  # noqa: C901, PLR0912  one function, so the innermost loop stays in registers
    triples: Triples, picks: Picks, found: Found
) -> int:
    """Pair triples of partitions with disjoint keys; return 0 if `rows` was too short, else 1."""
    unions, members, starts = triples
    full = len(starts) - 2
    for key in range(full + 1):
        if found.stop[0]:
            return 1
        rest = full ^ key
        other = rest
        while other >= key and starts[key] < starts[key + 1]:
            few, many = key, other
            if starts[key + 1] - starts[key] > starts[other + 1] - starts[other]:
                few, many = other, key
            for left in range(starts[few], starts[few + 1]):
                begin = left + 1 if few == many else starts[many]
                candidates = unions[begin : starts[many + 1]]
                found.counters[1] += len(candidates)
                fitting = 0
                for place in range(len(candidates)):
                    fitting += (candidates[place] & unions[left]) == 0
                if fitting == 0:
                    continue
                for right in range(begin, starts[many + 1]):
                    if unions[right] & unions[left]:
                        continue
                    if members[left, 2] < members[right, 0]:
                        one, two = left, right
                    elif members[right, 2] < members[left, 0]:
                        one, two = right, left
                    else:
                        continue  # another split of the same six guesses
                    if not _report(members[one], members[two], picks, found):
                        return 0
            if other == 0:
                break
            other = (other - 1) & rest
    return 1


def _report(one: Int32s, two: Int32s, picks: Picks, found: Found) -> int:
    """Write down the packing of two triples of guesses; return 0 if there is no room."""
    rows, totals, product = found.rows, found.totals, picks.answer_weight
    if len(rows):
        if totals[0] == len(rows):
            return 0
        rows[totals[0], 0] = picks.answer
    for d in range(3):
        product *= picks.weights[one[d]] * picks.weights[two[d]]
        if len(rows):
            rows[totals[0], 1 + d] = picks.own[one[d]]
            rows[totals[0], 4 + d] = picks.own[two[d]]
    totals[0] += 1
    totals[1] += product
    return 1
