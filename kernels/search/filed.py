"""The tuples that kernels share: what filing reads and fills, and what every walk reads.

`buckets` defines files, rows of bits and limits.
"""

from typing import NamedTuple

from wordpack.compiled.jit import Int64s, Int64Table, Uint64s, Uint64Table


class Prices(NamedTuple):
    """The words' costs, and each limit's place in one number: groups first, then cuts."""

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
    """Each file's first number, the number after its last, and its count of words."""

    first: Int64s
    last: Int64s
    sizes: Int64s


class Filled(NamedTuple):
    """The tables of filed words; `slots` lists the slots that hold a word, file by file."""

    slots: Int64s
    words: Uint64s
    rows: Uint64Table
    cards: Uint64Table
    least: Uint64s


class Room(NamedTuple):
    """Scratch space: 64 masks, and one number per limit."""

    square: Uint64s
    low: Int64s


class Filed(NamedTuple):
    """Filed words and their plan, as every walk reads them; see `buckets`."""

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
    """(2,): the groups' guards, which apply while free words may come, then all guards."""
    early: int
