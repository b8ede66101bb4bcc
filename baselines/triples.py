"""Triples of disjoint words: counted by key, listed in partitions, paired; compiled.

A row of bits for each word has the later words disjoint with it, so the third words of a pair are
the bits that two rows share. A triple's key is its lowest bits, the common letters. Triples are
counted first and listed second, so that each is written once, in its partition, and those of a
partition without a partner are not written at all.
Cost: one step for each triple, twice for those written, and one comparison for each pair tested.
Source: pure-chance's Rust program lists, partitions and pairs; the rows of bits are the usual ones.
"""

from typing import NamedTuple

import numpy as np

from wordpack.compiled.instructions import lowest
from wordpack.compiled.jit import Int32s, Int32Table, Int64s, Uint64s, Uint64Table


def count_triples(  # noqa: C901  a loop inside a loop for each member of a triple
    masks: Uint64s,
    bits: Uint64Table,
    sizes: Int64s,
    starts: Int64s,
    useful: Int64s,
    counters: Int64s,
    stop: Int64s,
) -> int:
    """Count the disjoint triples by key; return how many are in partitions with a partner.

    `bits` gets a row for each guess, with the later guesses disjoint with it; `starts` where
    partitions begin, those without a partner being empty; `useful` which keys are part of a key
    that is kept. Where it is stopped it returns -1, and none of them is of use.
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
    # first: is any partition's key within this one?
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
    # then: is this key within one that is kept?
    for key in range(full + 1):
        useful[key] = starts[key + 1] > starts[key]
    bit = 1
    while bit <= full:
        for key in range(full + 1):
            if not key & bit:
                useful[key] |= useful[key | bit]
        bit <<= 1
    return kept


def list_triples(  # noqa: C901, PLR0913  as above; arrays come from outside
    masks: Uint64s,
    bits: Uint64Table,
    sizes: Int64s,
    starts: Int64s,
    useful: Int64s,
    unions: Uint64s,
    members: Int32Table,
    stop: Int64s,
) -> int:
    """Write the triples of each partition that is kept: their letters, their three guesses."""
    one, low = np.uint64(1), np.uint64(len(sizes) - 1)
    n, words = bits.shape
    for key in range(len(sizes)):
        sizes[key] = starts[key]  # from here on the next free place of each partition
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
    """Triples by partition, the one of key p from starts[p] on: their letters, their guesses."""

    unions: Uint64s
    members: Int32Table
    starts: Int64s


class Picks(NamedTuple):
    """What a packing is made of: the answer, and the guesses by their index and weight."""

    answer: int
    answer_weight: int
    own: Int32s
    weights: Int64s


class Found(NamedTuple):
    """Where packings go, and the cell that stops the search."""

    rows: Int32Table
    totals: Int64s
    counters: Int64s
    stop: Int64s


def pair_triples(  # noqa: C901, PLR0912  its inmost loop stays in registers
    triples: Triples, picks: Picks, found: Found
) -> int:
    """Pair the triples of partitions with disjoint keys; 0 where `rows` was too short, else 1."""
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
                        continue  # the same six split otherwise
                    if not _report(members[one], members[two], picks, found):
                        return 0
            if other == 0:
                break
            other = (other - 1) & rest
    return 1


def _report(one: Int32s, two: Int32s, picks: Picks, found: Found) -> int:
    """Write down the packing of two triples of guesses; return 0 where there is no room for it."""
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
