"""What filing reads and fills, and what every walk over filed words reads: the kernels' tuples.

`files` says what a file, a row of bits and a limit are.
"""

from typing import NamedTuple

from wordpack.compiled.jit import Int64s, Int64Table, Uint64s, Uint64Table


class Prices(NamedTuple):
    """What words cost, and where in one number each limit stands: the groups', then the cuts'."""

    excesses: Int64Table
    most: Int64s
    shifts: Int64s
    struck: Int64Table
    least: int
    span: int


class Items(NamedTuple):
    """The rank of each letter, and the position of each rank and of each group's gate."""

    rank: Int64s
    place: Int64s
    gate: Int64s


class Extents(NamedTuple):
    """For each file its first number, the one after its last, and how many words it has."""

    first: Int64s
    last: Int64s
    sizes: Int64s


class Filled(NamedTuple):
    """The tables of filed words; `slots` are those that have a word, file by file."""

    slots: Int64s
    words: Uint64s
    rows: Uint64Table
    cards: Uint64Table
    least: Uint64s


class Room(NamedTuple):
    """Room to work in: for 64 masks, and for a number of each limit."""

    square: Uint64s
    low: Int64s


class Filed(NamedTuple):
    """Filed words and their plan, as every walk reads them: see `files`."""

    cards: Uint64Table
    words: Uint64s
    rows: Uint64Table
    least: Uint64s
    first: Int64s
    last: Int64s
    costs: Uint64s
    letter: Int64s
    place: Int64s
    gates: Int64Table
    groups: Int64Table
    strikes: Int64Table
    guards: Uint64s
    """The groups', which hold while free words may come, and those of all limits."""
    early: int
