"""The hash table of merged_states: rows of states, compiled merging, numbers of several limbs.

A row has the later letters that are used, 1 + the row of owed words (0 in an empty slot), and two
numbers, packings then solutions. A number is stored as 32-bit limbs, lowest first, each in a 64-bit
cell. Such a cell can hold a limb plus a product of two limbs plus a carry, so no bit is lost, and a
carry out of the last limb is reported.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wordpack.compiled.instructions import ones
from wordpack.compiled.jit import Int64s, Int64Table, Uint64s, Uint64Table, kernel
from wordpack.errors import InputError

States = npt.NDArray[np.uint64]
"""(n, NUMBERS + 2 * limbs)."""

MOST_BYTES = 1 << 30
"""Most bytes of one table; copies of its states may take three quarters of that, twice."""

BURST = 1 << 24
"""Words tried between checks for Ctrl-C: a few hundredths of a second."""

USED, OWED, NUMBERS = range(3)
"""Columns; the limbs of both numbers start at the last one."""


class Table:
    """An open-addressing hash table of states that grows before it is three quarters full."""

    def __init__(self, least: int, width: int) -> None:
        """Make at least `least` empty slots."""
        self._width = width
        self._make(1 << max(10, (least - 1).bit_length()))

    def _make(self, slots: int) -> None:
        if slots * self._width * 8 > MOST_BYTES:
            raise InputError(
                f"merging states would need a table of more than {MOST_BYTES:,} bytes: "
                "choose another backend"
            )
        self.slots = np.zeros((slots, self._width), np.uint64)
        self.taken = np.zeros(1, np.int64)

    def states(self) -> States:
        """Return the rows in use."""
        rows: States = self.slots[self.slots[:, OWED] > 0]
        return rows

    def make_room(self, more: int) -> None:
        """Double the number of slots until `more` states fit."""
        while self.taken[0] + more > len(self.slots) // 4 * 3:
            rows, slots = self.states(), len(self.slots)
            del self.slots  # before the larger one is made
            self._make(2 * slots)
            kernel(_move)(rows, self.slots, self.taken)


def widened(states: States) -> States:
    """Return the states with one more limb in both numbers."""
    limbs = (states.shape[1] - NUMBERS) // 2
    return np.insert(states, [NUMBERS + limbs, NUMBERS + 2 * limbs], 0, axis=1)


def numbers(state: list[int]) -> tuple[int, int]:
    """Return the packings and solutions of one state's row."""
    limbs = (len(state) - NUMBERS) // 2
    both = state[NUMBERS : NUMBERS + limbs], state[NUMBERS + limbs :]
    packings, solutions = (
        sum(limb << 32 * place for place, limb in enumerate(each)) for each in both
    )
    return packings, solutions


class LetterWords(NamedTuple):
    """Filed words; `starts` has one letter's files, group by group."""

    masks: Uint64s
    sizes: Int64s
    weights: Uint64Table
    """In limbs."""
    starts: Int64s


class Owed(NamedTuple):
    """The possible combinations of owed words, one per row."""

    counts: Int64Table
    """Words of each group."""
    strides: Int64s
    """How many rows earlier the row with one word fewer of a group is."""
    needs: Int64s
    """The fewest letters that the owed words need."""


class Slots(NamedTuple):
    """A hash table's rows, and a cell with the number of rows in use."""

    rows: Uint64Table
    taken: Int64s


def merge(
    states: Uint64Table,
    first: int,
    words: LetterWords,
    owed: Owed,
    letter: int,
    letters: int,
    slots: Slots,
) -> int:
    """Process `letter` in the states from `first` on; return the first state not processed.

    Stops early if the table may run out of room or it is time to check for Ctrl-C. Returns
    len(states) when all are done, and -1 if a number needs one more limb.
    """
    one = np.uint64(1)
    here = one << np.uint64(letter)
    top = one << np.uint64(letters - 1)
    later = (top | (top - one)) & ~(here | (here - one))
    masks, sizes, starts = words.masks, words.sizes, words.starts
    longest = starts[len(starts) - 1] - starts[0] + 1
    tried = 0
    for state in range(first, len(states)):
        if tried > BURST or slots.taken[0] + longest > len(slots.rows) // 4 * 3:
            return state
        tried += longest
        used = states[state, USED]
        row = np.int64(states[state, OWED]) - 1
        free = ones(later & ~used)
        for group in range(-1, 0 if used & here else len(owed.strides)):
            # word 0 is no word: this letter is used already or stays unused
            left, word, end, most = row, 0, 1, free - owed.needs[row]
            if group >= 0:
                if not owed.counts[row, group]:
                    continue
                left = row - owed.strides[group]
                word, end, most = starts[group], starts[group + 1], free + 1 - owed.needs[left]
            while word < end and sizes[word] <= most:  # a file has its short words first
                if masks[word] & used:
                    word += 1
                    continue
                # once nothing is owed, it doesn't matter which letters are used
                after = (used | masks[word]) & ~here if left else np.uint64(0)
                to = _place(slots, after, np.uint64(left + 1))
                if _add(states[state], words.weights[word], slots.rows[to]):
                    return -1
                word += 1
    return len(states)


def _place(slots: Slots, used: np.uint64, owed: np.uint64) -> int:
    """Return the row of a state; add it if it is new."""
    rows, slot = slots.rows, _slot(slots.rows, used, owed)
    if not rows[slot, OWED]:
        slots.taken[0] += 1
        rows[slot, USED] = used
        rows[slot, OWED] = owed
    return slot


def _add(state: Uint64s, weight: Uint64s, to: Uint64s) -> np.uint64:
    """Add the packings of `state`, and its solutions times `weight`, to `to`; return the loss.

    The loss is nonzero if a number needs one more limb.
    """
    limbs = (len(state) - NUMBERS) // 2
    middle = NUMBERS + limbs
    lost = _multiply_add(state[NUMBERS:middle], np.uint64(1), 0, to[NUMBERS:middle])
    for place in range(len(weight)):
        lost |= _multiply_add(state[middle:], weight[place], place, to[middle:])
    return lost


def _move(rows: Uint64Table, slots: Uint64Table, taken: Int64s) -> int:
    """Put states into an empty table that has room for them."""
    for row in range(len(rows)):
        slot = _slot(slots, rows[row, USED], rows[row, OWED])
        for column in range(rows.shape[1]):
            slots[slot, column] = rows[row, column]
    taken[0] += len(rows)
    return 1


def _slot(slots: Uint64Table, used: np.uint64, owed: np.uint64) -> int:
    """Return the slot of a state, or the empty slot where it belongs."""
    # Fibonacci hashing (Knuth): the upper half of a product; the number of slots is a power of 2
    key = (used ^ owed * np.uint64(0xD6E8FEB86659FD93)) * np.uint64(0x9E3779B97F4A7C15)
    last = np.uint64(len(slots) - 1)
    slot = (key >> np.uint64(32)) & last
    while slots[slot, OWED] and (slots[slot, OWED] != owed or slots[slot, USED] != used):
        slot = (slot + np.uint64(1)) & last
    return int(slot)


def _multiply_add(number: Uint64s, factor: np.uint64, place: int, to: Uint64s) -> np.uint64:
    """Add number * factor * 2^(32 place) to `to`; return the loss."""
    lost = np.uint64(0)
    if factor:
        for limb in range(len(number) - place, len(number)):
            lost |= number[limb]
    carry = np.uint64(0)
    for limb in range(place, len(number)):
        total = to[limb] + number[limb - place] * factor + carry
        to[limb] = total & np.uint64(0xFFFFFFFF)
        carry = total >> np.uint64(32)
    return lost | carry
