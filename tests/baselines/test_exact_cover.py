"""Exact covers of textbook instances, and of random ones checked against all sets of options."""

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordpack.baselines.exact_cover import Links, Matrix

Cells = frozenset[tuple[int, int]]


def exact_covers(items: int, options: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return all sets of options, by index, that cover each of the items 0..items-1 once."""
    n = len(options)
    matrix = Matrix(
        primary=items,
        multiplicity=[],
        exact=0,
        option=np.array([place for place in range(n) for _ in options[place]], np.int64),
        item=np.array([item for option in options for item in sorted(option)], np.int64),
        group=np.zeros(n, np.int32),
        index=np.arange(n, dtype=np.int32),
        weights=np.ones(n, np.int64),
    )
    links = Links(matrix, [items], 1)
    rows, stop = np.full((64, items), -1, np.int32), np.zeros(1, np.int64)
    while True:
        totals, tried = np.zeros(2, np.int64), np.zeros(links.levels, np.int64)
        if links.search(0, links.branches, rows, totals, tried, stop):
            return [sorted(row[row >= 0].tolist()) for row in rows[: totals[0]]]
        rows = np.full((4 * len(rows), items), -1, np.int32)


def test_knuths_seven_items_have_one_cover() -> None:
    """TAOCP 7.2.2.1, (5) and (6): the options a d f, b g and c e."""
    options = ["ce", "adg", "bcf", "adf", "bg", "deg"]
    assert exact_covers(7, [["abcdefg".index(c) for c in option] for option in options]) == [
        [0, 3, 4]
    ]


def langford(n: int) -> list[list[int]]:
    """Return the arrangements of 1 1 2 2 ... n n with i numbers between the two i."""
    pairs = [(i, j, i + j + 1) for i in range(1, n + 1) for j in range(2 * n - i - 1)]
    found = []
    for cover in exact_covers(3 * n, [(i - 1, n + j, n + k) for i, j, k in pairs]):
        sequence = [0] * (2 * n)
        for i, j, k in (pairs[option] for option in cover):
            sequence[j] = sequence[k] = i
        found.append(sequence)
    return found


@pytest.mark.parametrize(
    ("n", "pairs"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 0), (6, 0), (7, 26), (8, 150)]
)
def test_langford_pairs(n: int, pairs: int) -> None:
    """There are as many as in OEIS A014552, each with its mirror image."""
    found = langford(n)
    for sequence in found:
        assert sorted(sequence) == sorted([*range(1, n + 1)] * 2)
        first = {i: sequence.index(i) for i in sequence}
        assert all(sequence[place + i + 1] == i for i, place in first.items())
        assert sequence[::-1] in found
    assert len({tuple(sequence) for sequence in found}) == len(found) == 2 * pairs


INKALA = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
"""Arto Inkala's puzzle in The Daily Telegraph, 2012: 'the world's hardest sudoku'."""


def solutions(grid: str, box: int = 3) -> list[str]:
    """Return all ways to complete a sudoku, given row after row."""
    n = box * box
    cells = itertools.product(range(n), range(n), range(n))
    placed = [(r, c, d) for r, c, d in cells if grid[n * r + c] in (".", str(d + 1))]
    options = [
        (
            n * r + c,
            n * (n + r) + d,
            n * (2 * n + c) + d,
            n * (3 * n + box * (r // box) + c // box) + d,
        )
        for r, c, d in placed
    ]
    covers = exact_covers(4 * n * n, options)
    return ["".join(str(placed[option][2] + 1) for option in cover) for cover in covers]


def houses(grid: str, box: int = 3) -> list[str]:
    """Return the digits of each row, column and box."""
    n = box * box
    rows = [grid[n * r : n * r + n] for r in range(n)]
    boxes = [
        "".join(row[c : c + box] for row in rows[r : r + box])
        for r in range(0, n, box)
        for c in range(0, n, box)
    ]
    return [*rows, *map("".join, zip(*rows, strict=True)), *boxes]


def is_solved(grid: str, clues: str) -> bool:
    return all(sorted(house) == list("123456789") for house in houses(grid)) and all(
        clue in (".", digit) for clue, digit in zip(clues, grid, strict=True)
    )


def test_a_hard_sudoku_has_one_solution() -> None:
    """It has 324 items, keeps the clues, and has nine digits in each row, column and box."""
    (only,) = solutions(INKALA)
    assert is_solved(only, INKALA)


def test_a_sudoku_without_two_digits_has_more_solutions() -> None:
    """Two digits erased everywhere can change places, and no solution comes twice."""
    (whole,) = solutions(INKALA)
    clues = whole.replace("1", ".").replace("9", ".")
    found = solutions(clues)
    assert {whole, whole.translate(str.maketrans("19", "91"))} <= set(found)
    assert all(is_solved(grid, clues) for grid in found)
    assert len(set(found)) == len(found)


def test_a_sudoku_with_a_contradiction_has_none() -> None:
    assert solutions("88" + INKALA[2:]) == []


def test_small_sudokus_are_288() -> None:
    """The completions of an empty 4x4 grid (OEIS A107739), more than fit the first buffer."""
    found = solutions("." * 16, box=2)
    assert len(set(found)) == len(found) == 288
    assert all(sorted(house) == list("1234") for grid in found for house in houses(grid, 2))


@pytest.mark.parametrize(
    ("rows", "columns", "tilings"),
    [(1, 2, 1), (1, 3, 0), (2, 5, 8), (3, 3, 0), (4, 5, 95), (6, 6, 6_728)],
)
def test_domino_tilings(rows: int, columns: int, tilings: int) -> None:
    """The number is that of the formula of Kasteleyn, Temperley and Fisher; none comes twice."""
    cells = range(rows * columns)
    across = [(cell, cell + 1) for cell in cells if (cell + 1) % columns]
    dominoes = [*across, *((cell, cell + columns) for cell in cells if cell + columns in cells)]
    found = exact_covers(rows * columns, dominoes)
    assert len({tuple(cover) for cover in found}) == len(found) == tilings
    assert all(len(cover) == rows * columns // 2 for cover in found)


PENTOMINOES = {
    "F": ".XX XX. .X.",
    "I": "XXXXX",
    "L": "X... XXXX",
    "N": "XXX. ..XX",
    "P": "XX XX X.",
    "T": "XXX .X. .X.",
    "U": "X.X XXX",
    "V": "X.. X.. XXX",
    "W": "X.. XX. .XX",
    "X": ".X. XXX .X.",
    "Y": ".X.. XXXX",
    "Z": "XX. .X. .XX",
}


def orientations(drawing: str) -> set[Cells]:
    """Return all rotations and reflections of the piece, moved to row 0 and column 0."""
    piece = [(r, c) for r, row in enumerate(drawing.split()) for c, x in enumerate(row) if x == "X"]
    found = set()
    for turn in range(8):
        piece = [(c, -r) for r, c in piece]
        if turn == 4:
            piece = [(r, -c) for r, c in piece]
        top, left = min(r for r, _ in piece), min(c for _, c in piece)
        found.add(frozenset((r - top, c - left) for r, c in piece))
    return found


@pytest.mark.parametrize(
    ("rows", "columns", "hole", "tilings"),
    [(3, 20, (), 8), (8, 8, ((3, 3), (3, 4), (4, 3), (4, 4)), 520)],
    ids=["3x20", "Scott"],
)
def test_the_twelve_pentominoes(
    rows: int, columns: int, hole: tuple[tuple[int, int], ...], tilings: int
) -> None:
    """2 ways in a 3x20 box and 65 on Scott's chessboard, times 4 and 8 symmetries."""
    board = [cell for cell in itertools.product(range(rows), range(columns)) if cell not in hole]
    item = {cell: 12 + place for place, cell in enumerate(board)}
    options = []
    for piece, drawing in enumerate(PENTOMINOES.values()):
        for shape in orientations(drawing):
            for r0, c0 in itertools.product(range(rows), range(columns)):
                cells = [(r0 + r, c0 + c) for r, c in shape]
                if all(cell in item for cell in cells):
                    options.append([piece, *(item[cell] for cell in cells)])
    found = exact_covers(72, options)
    assert len({tuple(cover) for cover in found}) == len(found) == tilings
    assert all(sorted(i for o in cover for i in options[o]) == list(range(72)) for cover in found)


@st.composite
def instances(draw: st.DrawFn) -> tuple[int, list[list[int]]]:
    """Draw a few items, and options that are mostly small and sometimes equal."""
    items = draw(st.integers(1, 7))
    item = st.integers(0, items - 1)
    most = draw(st.integers(1, items))
    options = draw(st.lists(st.lists(item, min_size=1, max_size=most, unique=True), max_size=8))
    options += draw(st.lists(st.sampled_from(options), max_size=2)) if options else []
    return items, options


@settings(max_examples=300, deadline=None)
@given(instances())
def test_covers_are_the_sets_of_options_that_the_definition_names(
    instance: tuple[int, list[list[int]]],
) -> None:
    """The covers are the sets of options that together have each item exactly once."""
    items, options = instance
    expected = [
        list(chosen)
        for n in range(len(options) + 1)
        for chosen in itertools.combinations(range(len(options)), n)
        if sorted(item for option in chosen for item in options[option]) == list(range(items))
    ]
    assert sorted(exact_covers(items, options)) == sorted(expected)


def test_items_without_options_have_no_cover() -> None:
    assert exact_covers(3, []) == []
    assert exact_covers(3, [[0, 1]]) == []


@pytest.mark.parametrize("n", [63, 64, 65, 256, 257, 1025])
def test_no_number_of_covers_is_cut_short(n: int) -> None:
    """The buffer of 64 grows, and so do later ones, wherever their edges are."""
    assert sorted(exact_covers(1, [[0]] * n)) == [[option] for option in range(n)]
    assert len(exact_covers(2, [*[[0]] * n, [1]])) == n
